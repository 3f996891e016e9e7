import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSession, type Session, type SessionOptions } from '@graphmind-ai/client'
import { afterEach } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Frame, RawPeer } from './peer.ts'

/** One connection of the client under test, as the scripted debugger sees it. */
export class ClientPeer extends RawPeer {
  #seq = 0

  ack(more: Frame = {}): void {
    this.control('hello.ack', {
      versions: { protocol: 1, viewer: '0.2.0' },
      capabilities: [],
      breakpoints: [],
      mode: 'run',
      hubCapabilities: ['edit-input'],
      ...more,
    })
  }

  control(type: string, payload: Frame, runId = '*'): void {
    this.send({ gm: 1, seq: this.#seq++, ts: Date.now(), runId, type, payload })
  }

  resume(paused: Frame, action: string, more: Frame = {}): void {
    const { pauseId } = paused['payload'] as Frame
    this.control('exec.resume', { pauseId, action, ...more }, String(paused['runId']))
  }

  events(type: string): Frame[] {
    return this.frames.filter((frame) => frame['type'] === type)
  }

  /** The `count`th event of this type. */
  event(type: string, count = 1): Promise<Frame> {
    return this.frame((frame) => frame['type'] === type, `${count} × ${type}`, count)
  }

  async payload(type: string, count = 1): Promise<Frame> {
    return (await this.event(type, count))['payload'] as Frame
  }
}

/** A scripted debugger: a bare WebSocket server that says exactly what a test tells it to. */
export class Debugger {
  readonly connections: ClientPeer[] = []
  readonly #server: WebSocketServer
  readonly #watchers = new Set<() => void>()

  constructor(server: WebSocketServer) {
    this.#server = server
    server.on('connection', (socket) => {
      this.connections.push(new ClientPeer(socket))
      for (const watcher of [...this.#watchers]) watcher()
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/ingest`
  }

  /** The `count`th connection, once the client has dialled it. */
  connection(count = 1): Promise<ClientPeer> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const peer = this.connections[count - 1]
        if (peer === undefined) return
        clearTimeout(timer)
        this.#watchers.delete(check)
        resolve(peer)
      }
      const timer = setTimeout(() => reject(new Error(`Waited for connection ${count} in vain.`)), 10_000)
      this.#watchers.add(check)
      check()
    })
  }

  async close(): Promise<void> {
    for (const peer of this.connections) await peer.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export interface Pair {
  readonly debug: Debugger
  readonly session: Session
  readonly peer: ClientPeer
  readonly lines: readonly string[]
}

/** Opens sessions and debuggers for a test and closes them after it. */
export function clientUnderTest() {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  async function listen(port = 0): Promise<Debugger> {
    const server = new WebSocketServer({ host: '127.0.0.1', port, path: '/ingest' })
    await once(server, 'listening')
    const debug = new Debugger(server)
    closers.push(() => debug.close())
    return debug
  }

  function session(options: SessionOptions = {}): { session: Session; lines: string[] } {
    const lines: string[] = []
    const opened = createSession({ url: 'ws://127.0.0.1:9/ingest', env: {}, logger: { warn: (line) => lines.push(line) }, ...options })
    closers.push(() => opened.dispose())
    return { session: opened, lines }
  }

  /** A session that is attached to a scripted debugger with this ack. */
  async function attached(ack: Frame = {}, options: SessionOptions = {}): Promise<Pair> {
    const debug = await listen()
    const { session: opened, lines } = session({ url: debug.url, ...options })
    const ready = opened.ready({ timeoutMs: 10_000 })
    const peer = await debug.connection()
    await peer.event('hello')
    peer.ack(ack)
    if (!(await ready)) throw new Error('The client did not attach.')
    return { debug, session: opened, peer, lines }
  }

  return { listen, session, attached }
}

/** Everything every gate can be asked to hold at. */
export const everywhere = { breakpoints: [{}, { point: 'after' }, { point: 'error' }] }
export const tool = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' } as const
