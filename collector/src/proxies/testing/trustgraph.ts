import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type FakeViewer, type FakeViewerOptions, startFakeViewer } from '@graphmind-ai/client/testing'
import { WebSocket, WebSocketServer } from 'ws'
import { startTrustGraphProxy } from '../trustgraph/trustgraph-proxy.ts'

const FIXTURES = new URL('../../../fixtures/trustgraph/', import.meta.url)

export interface ExchangeLine {
  readonly dir: 'c2g' | 'g2c'
  readonly frame: string
  readonly opcode?: 'binary'
}

export interface ExpectedNode {
  readonly ref: string
  readonly nodeId: string
  readonly kind: string
  readonly name: string
  readonly parent: string | null
  readonly status: 'ok' | 'error' | 'open'
  readonly [extra: string]: unknown
}

export interface ExchangeCase {
  readonly name: string
  readonly lines: readonly ExchangeLine[]
  readonly expect: {
    readonly nodes: readonly ExpectedNode[]
    readonly auth?: string
    readonly unrouted?: { readonly c2g: number; readonly g2c: number }
    readonly mustNotAppear?: readonly string[]
  }
}

export function exchangeCases(): readonly ExchangeCase[] {
  const index = readJson('exchanges/index.json') as { exchanges: { [name: string]: { file: string; expect: ExchangeCase['expect'] } } }
  return Object.entries(index.exchanges).map(([name, { file, expect }]) => {
    const text = readFileSync(new URL(`exchanges/${file}`, FIXTURES), 'utf8')
    return {
      name,
      expect,
      lines: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as ExchangeLine),
    }
  })
}

export interface InjectCase {
  readonly name: string
  readonly request: unknown
  readonly value: unknown
  readonly expect: unknown
  readonly action?: 'abort'
}

export function injectCases(): readonly InjectCase[] {
  return readJson('inject.json') as InjectCase[]
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))
}

/** One end of a conversation, with everything it received. */
export interface End {
  readonly socket: WebSocket
  readonly received: { readonly text: string; readonly isBinary: boolean }[]
  readonly send: (text: string, isBinary?: boolean) => void
  /** Resolves once this many frames were received. */
  readonly count: (frames: number) => Promise<void>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

function endOf(socket: WebSocket): End {
  const received: { text: string; isBinary: boolean }[] = []
  const checks = new Set<() => void>()
  socket.on('message', (data, isBinary) => {
    received.push({ text: data.toString(), isBinary })
    for (const check of checks) check()
  })
  socket.on('error', () => undefined)
  return {
    socket,
    received,
    send: (text, isBinary = false) => socket.send(text, { binary: isBinary }),
    count: (frames) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < frames) return
          checks.delete(check)
          resolve()
        }
        checks.add(check)
        check()
      }),
    closed: new Promise((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))),
  }
}

export interface TrustGraphStage {
  readonly viewer: FakeViewer
  readonly gateway: WebSocketServer
  readonly proxyUrl: string
  readonly said: () => string
  /** A client and the gateway's side of its connection. */
  readonly connect: (path?: string, options?: ConnectOptions) => Promise<{ readonly client: End; readonly server: End }>
  readonly stop: () => Promise<void>
}

export interface ConnectOptions {
  readonly protocols?: readonly string[]
  readonly headers?: { readonly [name: string]: string }
}

export interface StageOptions {
  readonly viewer?: FakeViewerOptions
  readonly environment?: { readonly [name: string]: string }
  readonly gateway?: ConstructorParameters<typeof WebSocketServer>[0]
  readonly allowedOrigins?: readonly string[]
}

/** A debugger, a scripted gateway, and the proxy between it and clients. Resolves once the proxy is attached. */
export async function startTrustGraphStage(options: StageOptions = {}): Promise<TrustGraphStage> {
  const viewer = await startFakeViewer(options.viewer ?? {})
  const gateway = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options.gateway })
  await once(gateway, 'listening')
  const upstream = `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}/api/v1/socket`
  let said = ''
  const started = await startTrustGraphProxy({
    upstream: new URL(upstream),
    listen: 0,
    port: viewer.port,
    allowedOrigins: options.allowedOrigins ?? [],
    environment: options.environment ?? {},
    say: (line) => {
      said += `${line}\n`
    },
  })
  if (!started.ok) throw new Error(started.problem.message)
  if (options.environment?.['GRAPHMIND_DISABLED'] === undefined) await viewer.event('hello')
  const proxyUrl = `ws://127.0.0.1:${started.value.port}`
  return {
    viewer,
    gateway,
    proxyUrl,
    said: () => said,
    async connect(path = '/api/v1/socket', { protocols = [], headers = {} } = {}) {
      const arrived = once(gateway, 'connection') as Promise<[WebSocket]>
      const client = new WebSocket(`${proxyUrl}${path}`, [...protocols], { headers })
      const clientEnd = endOf(client)
      const [server] = await arrived
      const serverEnd = endOf(server)
      await once(client, 'open')
      return { client: clientEnd, server: serverEnd }
    },
    async stop() {
      await started.value.stop()
      for (const socket of gateway.clients) socket.terminate()
      gateway.close()
      await viewer.close()
    },
  }
}
