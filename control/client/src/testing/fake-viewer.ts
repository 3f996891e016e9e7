import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type BreakpointMatcher,
  type ControlType,
  createEnvelope,
  type Envelope,
  type EventType,
  type PayloadOf,
  PROTOCOL_VERSION,
  parseFrame,
  type ResumeAction,
  type RunMode,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'
import { type WebSocket, WebSocketServer } from 'ws'

const WAIT_MS = 5000

export interface FakeViewerOptions {
  /** What hello.ack arms. */
  readonly breakpoints?: readonly BreakpointMatcher[]
  readonly mode?: RunMode
  readonly hubCapabilities?: readonly string[]
  /** The protocol that hello.ack claims; another one than ours must leave the app detached. */
  readonly protocol?: number
  /** False: accept the connection and never answer hello. */
  readonly answerHello?: boolean
  /** Listen where an earlier fake viewer listened; by default the system chooses a free port. */
  readonly port?: number
}

/** A received event of a known type. */
export interface ReceivedEvent<Type extends EventType> extends Envelope {
  readonly type: Type
  readonly payload: PayloadOf<Type>
}

/** A debugger for tests of adapters: a real WebSocket server that shakes hands, records what arrives and sends controls. */
export class FakeViewer {
  /** Everything received, oldest first, hello included. */
  readonly envelopes: Envelope[] = []
  /** What arrived and was no envelope, with the reason. */
  readonly problems: string[] = []
  readonly port: number
  readonly #options: FakeViewerOptions
  readonly #server: WebSocketServer
  readonly #sockets = new Set<WebSocket>()
  readonly #watchers = new Set<() => void>()
  #seq = 0
  /** How many connections were accepted so far. */
  connections = 0

  constructor(server: WebSocketServer, options: FakeViewerOptions) {
    this.#server = server
    this.#options = options
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#accept(socket))
  }

  /** What to hand to `createSession({url})`. */
  get url(): string {
    return `ws://127.0.0.1:${this.port}/ingest`
  }

  events<Type extends EventType>(type: Type): ReceivedEvent<Type>[] {
    return this.envelopes.filter((envelope): envelope is ReceivedEvent<Type> => envelope.type === type)
  }

  /** The `count`th event of a type (the first by default), as soon as it is there. */
  async event<Type extends EventType>(type: Type, count = 1): Promise<ReceivedEvent<Type>> {
    await this.until(() => this.events(type).length >= count, `${count} × ${type}`)
    const found = this.events(type)[count - 1]
    if (found === undefined) throw new Error(`No ${type} was received.`)
    return found
  }

  /** The first envelope that fits, as soon as it is there. Rejects after `timeoutMs`, naming what did arrive. */
  async waitFor(predicate: (envelope: Envelope) => boolean, timeoutMs = WAIT_MS): Promise<Envelope> {
    await this.until(() => this.envelopes.some(predicate), 'an envelope', timeoutMs)
    const found = this.envelopes.find(predicate)
    if (found === undefined) throw new Error('The envelope is gone.')
    return found
  }

  /** Resolves once `condition` holds; asked again after everything that arrives, connects or disconnects. */
  until(condition: () => boolean, what = 'the condition', timeoutMs = WAIT_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!condition()) return
        this.#watchers.delete(check)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(check)
        const seen = this.envelopes.map((envelope) => envelope.type).join(', ')
        reject(new Error(`Waited ${timeoutMs} ms for ${what}. Received: ${seen || 'nothing'}.`))
      }, timeoutMs)
      this.#watchers.add(check)
      check()
    })
  }

  send<Type extends ControlType>(type: Type, payload: PayloadOf<Type>, runId: string = WILDCARD_RUN_ID): void {
    const text = JSON.stringify(createEnvelope(type, payload, { runId, seq: this.#seq, ts: Date.now() }))
    this.#seq += 1
    this.sendText(text)
  }

  /** Sends a raw frame, for what `send` would not let through. */
  sendText(text: string): void {
    for (const socket of this.#sockets) socket.send(text)
  }

  setBreakpoint(matcher: BreakpointMatcher): void {
    this.send('breakpoint.set', { matcher })
  }

  clearBreakpoint(matcher: BreakpointMatcher): void {
    this.send('breakpoint.clear', { matcher })
  }

  setMode(mode: RunMode): void {
    this.send('mode.set', { mode })
  }

  /** Releases a held call; `paused` is the exec.paused that announced it. */
  resume(
    paused: ReceivedEvent<'exec.paused'>,
    action: ResumeAction,
    extra: { readonly output?: unknown; readonly input?: unknown; readonly requestId?: string } = {},
  ): void {
    this.send('exec.resume', { pauseId: paused.payload.pauseId, action, ...extra }, paused.runId)
  }

  /** Cuts every connection, as a crash would. */
  disconnect(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  /** Closes every connection with a code and a reason, as a debugger that refuses does. */
  refuse(code: number, reason: string): void {
    for (const socket of this.#sockets) socket.close(code, reason)
  }

  /** Cuts every connection and stops listening. */
  async close(): Promise<void> {
    this.disconnect()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(socket: WebSocket): void {
    this.connections += 1
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#changed()
    })
    socket.on('error', (error) => this.problems.push(error.message))
    socket.on('message', (data) => {
      this.#receive(socket, data.toString())
      this.#changed()
    })
    this.#changed()
  }

  #receive(socket: WebSocket, text: string): void {
    const result = parseFrame(text)
    if (result.outcome === 'invalid' || result.outcome === 'version-mismatch') {
      this.problems.push(result.outcome === 'invalid' ? `${result.reason} ${JSON.stringify(result.issues)}` : `gm ${result.gm}`)
      return
    }
    const { envelope } = result
    this.envelopes.push(envelope)
    if (result.outcome !== 'ok' || result.envelope.type !== 'hello' || this.#options.answerHello === false) return
    const ack: PayloadOf<'hello.ack'> = {
      versions: { protocol: this.#options.protocol ?? PROTOCOL_VERSION, viewer: 'fake' },
      capabilities: result.envelope.payload.capabilities,
      breakpoints: [...(this.#options.breakpoints ?? [])],
      mode: this.#options.mode ?? 'run',
      hubCapabilities: [...(this.#options.hubCapabilities ?? ['edit-input'])],
    }
    socket.send(JSON.stringify(createEnvelope('hello.ack', ack, { runId: WILDCARD_RUN_ID, seq: 0, ts: Date.now() })))
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** Starts a fake viewer on 127.0.0.1. Close it at the end of the test. */
export async function startFakeViewer(options: FakeViewerOptions = {}): Promise<FakeViewer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: options.port ?? 0 })
  await once(server, 'listening')
  return new FakeViewer(server, options)
}
