import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type FakeViewer, type FakeViewerOptions, startFakeViewer } from '@graphmind-ai/client/testing'
import { DEFAULT_MAX_FRAME_BYTES } from '../mcp/frames.ts'
import { type McpProxyOptions, runMcpProxy } from '../mcp/mcp-proxy.ts'

const TEST_SERVER = fileURLToPath(new URL('./mcp-server.mjs', import.meta.url))

/** A proxy in front of the test server, as its client sees it. */
export interface McpSession {
  readonly viewer: FakeViewer
  /** Sends a message, or text as it is. */
  readonly send: (message: unknown) => void
  /** Everything received so far, byte for byte. */
  readonly output: () => string
  /** The received lines as values; what is no JSON as text. */
  readonly frames: () => readonly unknown[]
  /** Resolves with the received answer to this id. */
  readonly answer: (id: number | string) => Promise<{ readonly [key: string]: unknown }>
  /** Sends a tool call. */
  readonly call: (id: number | string, name: string, args?: unknown, meta?: unknown) => void
  readonly said: () => string
  readonly until: (condition: () => boolean) => Promise<void>
  /** What a SIGTERM does. */
  readonly interrupt: () => void
  /** Hangs up. */
  readonly hangUp: () => void
  readonly exitCode: Promise<number>
}

export interface McpSessionOptions extends Partial<McpProxyOptions> {
  /** What the debugger arms; undefined for no debugger at all. */
  readonly viewer?: FakeViewerOptions
  readonly environment?: { readonly [name: string]: string }
  readonly command?: string
  readonly args?: readonly string[]
}

/** Starts the proxy in this process with a real server behind it; resolves once the debugger is attached. */
export async function startMcpSession(options: McpSessionOptions = {}): Promise<McpSession> {
  const viewer = await startFakeViewer(options.viewer ?? {})
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const received = { stdout: '', stderr: '' }
  const checks = new Set<() => void>()
  const collect = (name: 'stdout' | 'stderr', stream: PassThrough) =>
    stream.setEncoding('utf8').on('data', (text: string) => {
      received[name] += text
      for (const check of checks) check()
    })
  collect('stdout', stdout)
  collect('stderr', stderr)
  let interrupt: () => void = () => undefined
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve
  })
  const exitCode = runMcpProxy(
    { command: options.command ?? process.execPath, args: options.args ?? [TEST_SERVER] },
    { trace: false, waitForAttach: true, inheritStderr: false, maxFrameBytes: DEFAULT_MAX_FRAME_BYTES, port: viewer.port, ...options },
    { stdin, stdout, stderr, environment: { PATH: process.env['PATH'], ...options.environment }, interrupted },
  )
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!condition()) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
      void exitCode.then((code) =>
        setImmediate(() => reject(new Error(`The proxy ended (${code}) meanwhile.\n${JSON.stringify(received)}`))),
      )
    })
  const frames = () =>
    received.stdout.split('\n').flatMap((line) => {
      if (line === '') return []
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return [line]
      }
    })
  const answerOf = (id: number | string) =>
    frames().find((frame) => typeof frame === 'object' && frame !== null && 'id' in frame && frame.id === id && !('method' in frame))
  const send = (message: unknown) => stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`)
  return {
    viewer,
    send,
    output: () => received.stdout,
    frames,
    async answer(id) {
      await until(() => answerOf(id) !== undefined)
      return answerOf(id) as { readonly [key: string]: unknown }
    },
    call: (id, name, args = {}, meta = undefined) =>
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) } }),
    said: () => received.stderr,
    until,
    interrupt: () => interrupt(),
    hangUp: () => stdin.end(),
    exitCode,
  }
}
