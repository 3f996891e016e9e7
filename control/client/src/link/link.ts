import { type KnownEnvelope, type PayloadOf, PROTOCOL_VERSION, parseFrame } from '@graphmind-ai/schema'
import type { Dial, LinkSocket } from './socket.ts'

/** Waits after losing a link that worked, and while somebody waits in `ready()`; then the steady interval. */
const BURST_MS = [200, 400, 800] as const
const EAGER_MS = 800

export interface LinkTimes {
  readonly connectTimeoutMs: number
  readonly handshakeTimeoutMs: number
  readonly retryIntervalMs: number
}

export interface LinkEvents {
  /** The hello frame of a new connection. */
  hello(): string
  attached(ack: PayloadOf<'hello.ack'>): void
  control(envelope: KnownEnvelope): void
  /** A connection that was attached is gone. */
  lost(): void
  /** A try ended without an attachment. */
  failed(): void
  warn(kind: string, message: string): void
}

type Phase =
  | { readonly name: 'idle' | 'closed' }
  | { readonly name: 'connecting' | 'handshaking'; readonly socket: LinkSocket; readonly timer: NodeJS.Timeout }
  | { readonly name: 'attached'; readonly socket: LinkSocket }
  | { readonly name: 'waiting'; readonly timer: NodeJS.Timeout }

/** Keeps one connection to the debugger: dials, shakes hands, and dials again for as long as it is not closed. Timers are unref'd. */
export class Link {
  readonly #url: string
  readonly #dial: Dial
  readonly #times: LinkTimes
  readonly #events: LinkEvents
  #phase: Phase = { name: 'idle' }
  #burst: number = BURST_MS.length
  #eager = false
  #ref = false

  constructor(url: string, dial: Dial, times: LinkTimes, events: LinkEvents) {
    this.#url = url
    this.#dial = dial
    this.#times = times
    this.#events = events
  }

  /** True while a try is under way that may still attach. */
  get isTrying(): boolean {
    return this.#phase.name === 'connecting' || this.#phase.name === 'handshaking'
  }

  /** Bytes handed over and not yet sent; 0 when not attached. */
  get bufferedBytes(): number {
    return this.#phase.name === 'attached' ? this.#phase.socket.bufferedBytes : 0
  }

  /** Dials if nothing was dialled yet. */
  start(): void {
    if (this.#phase.name === 'idle') this.#connect()
  }

  /** Dials now instead of waiting for the next try. */
  kick(): void {
    if (this.#phase.name === 'waiting') clearTimeout(this.#phase.timer)
    if (this.#phase.name === 'waiting' || this.#phase.name === 'idle') this.#connect()
  }

  /** While eager, failed tries are repeated quickly. */
  setEager(eager: boolean): void {
    if (eager && !this.#eager) this.#burst = 0
    this.#eager = eager
  }

  /** Whether the connection keeps the process alive. */
  setRef(ref: boolean): void {
    this.#ref = ref
    if ('socket' in this.#phase) this.#phase.socket.setRef(ref)
  }

  /** Sends on an attached connection; false when there is none. `sent` is called once the bytes left, or can't leave any more. */
  send(text: string, sent: () => void): boolean {
    if (this.#phase.name !== 'attached') return false
    this.#phase.socket.send(text, sent)
    return true
  }

  close(): void {
    const phase = this.#phase
    this.#phase = { name: 'closed' }
    if ('timer' in phase) clearTimeout(phase.timer)
    if (!('socket' in phase)) return
    if (phase.name === 'attached') phase.socket.close()
    else phase.socket.destroy()
  }

  #connect(): void {
    let socket: LinkSocket | undefined
    const isCurrent = () => 'socket' in this.#phase && this.#phase.socket === socket
    try {
      socket = this.#dial(this.#url, {
        open: () => isCurrent() && this.#opened(),
        text: (text) => isCurrent() && this.#received(text),
        closed: (code, reason) => isCurrent() && this.#ended(code, reason),
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#events.warn('url', `can't use ${this.#url} as the debugger's address: ${why} Set GRAPHMIND_URL to ws://host:port/ingest.`)
      this.#retry()
      return
    }
    this.#phase = { name: 'connecting', socket, timer: this.#deadline(this.#times.connectTimeoutMs) }
    socket.setRef(this.#ref)
  }

  #opened(): void {
    const phase = this.#phase
    if (phase.name !== 'connecting') return
    clearTimeout(phase.timer)
    this.#phase = { name: 'handshaking', socket: phase.socket, timer: this.#deadline(this.#times.handshakeTimeoutMs) }
    phase.socket.send(this.#events.hello(), () => undefined)
  }

  #received(text: string): void {
    const result = parseFrame(text)
    switch (result.outcome) {
      case 'version-mismatch':
        this.#foreign(result.gm)
        break
      case 'invalid':
        this.#events.warn('bad-frame', `a frame of the debugger was left out. ${result.reason}`)
        break
      case 'ok':
        if (this.#phase.name === 'attached') this.#events.control(result.envelope)
        else if (result.envelope.type === 'hello.ack') this.#acknowledged(result.envelope.payload)
        break
      case 'unknown-type':
        // A newer debugger may say more than this version knows.
        break
    }
  }

  #acknowledged(ack: PayloadOf<'hello.ack'>): void {
    if (this.#phase.name !== 'handshaking') return
    if (ack.versions.protocol !== PROTOCOL_VERSION) {
      this.#foreign(ack.versions.protocol)
      return
    }
    clearTimeout(this.#phase.timer)
    this.#phase = { name: 'attached', socket: this.#phase.socket }
    this.#burst = 0
    this.#events.attached(ack)
  }

  #foreign(version: number): void {
    this.#events.warn(
      'version-mismatch',
      `the debugger at ${this.#url} speaks protocol ${version}, this program speaks ${PROTOCOL_VERSION}. Install the same generation of both; until then nothing is held.`,
    )
    this.#burst = BURST_MS.length
    this.#giveUp()
  }

  #deadline(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#giveUp(), ms).unref()
  }

  #giveUp(): void {
    const phase = this.#phase
    if (!('socket' in phase)) return
    if ('timer' in phase) clearTimeout(phase.timer)
    this.#leave(phase.name === 'attached')
    phase.socket.destroy()
  }

  #ended(code: number, reason: string): void {
    const phase = this.#phase
    if ('timer' in phase) clearTimeout(phase.timer)
    if (isRefusal(code)) {
      this.#events.warn('closed', `the debugger closed the connection (${code}): ${reason || 'no reason given'}`)
      // Coming back at once would only be refused again.
      this.#burst = BURST_MS.length
    }
    this.#leave(phase.name === 'attached')
  }

  #leave(wasAttached: boolean): void {
    this.#retry()
    if (wasAttached) this.#events.lost()
    else this.#events.failed()
  }

  #retry(): void {
    const burst = BURST_MS[this.#burst]
    this.#burst += 1
    const delay = Math.min(burst ?? (this.#eager ? EAGER_MS : Number.POSITIVE_INFINITY), this.#times.retryIntervalMs)
    this.#phase = { name: 'waiting', timer: setTimeout(() => this.#connect(), delay).unref() }
  }
}

/** Closed on purpose, with a reason to read: a protocol error, a broken rule or limit, an overload. A restart is none. */
function isRefusal(code: number): boolean {
  return code === 1002 || (code >= 1007 && code <= 1013 && code !== 1012)
}
