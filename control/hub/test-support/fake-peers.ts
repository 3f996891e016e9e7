import {
  type BreakpointMatcher,
  type ControlType,
  createEnvelope,
  type EventType,
  type KnownEnvelope,
  type PayloadOf,
  parseFrame,
  type RunMode,
  type UiServerMessage,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'
import { type Connection, createHub, type Hub, type HubOptions } from '../src/hub.ts'
import type { Peer, SessionListener } from '../src/ports.ts'
import type { HubProblem } from '../src/problems.ts'
import type { ControlLevel } from '../src/rights.ts'
import { MemoryStore } from './memory-store.ts'

/** A socket's end that keeps what was sent and pretends to be as full as a test says. */
class FakePeer implements Peer {
  readonly texts: string[] = []
  closing: { readonly code: number; readonly reason: string } | undefined
  bufferedBytes = 0

  send(text: string | Uint8Array): void {
    this.texts.push(String(text))
  }

  close(code: number, reason: string): void {
    this.closing = { code, reason }
  }
}

/** Turns of the event loop until the condition holds; for what follows from promises alone, without any time passing. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (condition()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`Waited 200 turns for ${what}.`)
}

/** Enough turns for everything that is only waiting for promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A scripted app on the other end of a hub's connection. */
export class FakeApp {
  readonly peer = new FakePeer()
  readonly #connection: Connection
  #seq = 0

  constructor(hub: Hub) {
    this.#connection = hub.connectApp(this.peer)
  }

  get controls(): KnownEnvelope[] {
    return this.peer.texts.map((text) => {
      const result = parseFrame(text)
      if (result.outcome !== 'ok') throw new Error(`The hub sent ${text}`)
      return result.envelope
    })
  }

  received<Type extends ControlType>(type: Type): PayloadOf<Type>[] {
    return this.controls.flatMap((envelope) => (envelope.type === type ? [envelope.payload as PayloadOf<Type>] : []))
  }

  hello(more: Partial<PayloadOf<'hello'>> = {}): this {
    const payload = { versions: { protocol: 1, client: '0.7.0' }, capabilities: ['pause', 'step', 'inject', 'retry', 'abort'], ...more }
    this.sendText(JSON.stringify(createEnvelope('hello', payload, { runId: WILDCARD_RUN_ID, seq: 0, ts: 1 })))
    return this
  }

  event<Type extends EventType>(type: Type, payload: PayloadOf<Type>, runId: string, seq = this.#seq++): void {
    this.sendText(JSON.stringify(createEnvelope(type, payload, { runId, seq, ts: 5 })))
  }

  pause(pauseId: string, runId: string, more: Partial<PayloadOf<'exec.paused'>> = {}): void {
    this.event(
      'exec.paused',
      { pauseId, nodeId: 'tool:search', point: 'before', kind: 'tool', name: 'search', reason: 'breakpoint', ...more },
      runId,
    )
  }

  resumed(pauseId: string, runId: string, more: Partial<PayloadOf<'exec.resumed'>> = {}): void {
    this.event('exec.resumed', { pauseId, action: 'continue', cause: 'viewer', ...more }, runId)
  }

  sendText(text: string): void {
    this.#connection.receive(text)
  }

  disconnect(): void {
    this.#connection.closed()
  }
}

/** A scripted viewer on the other end of a hub's connection. */
export class FakeUi {
  readonly peer = new FakePeer()
  readonly #connection: Connection

  constructor(hub: Hub, principal = 'viewer', level: ControlLevel = 'edit') {
    this.#connection = hub.connectViewer(this.peer, { principal, level })
  }

  get messages(): UiServerMessage[] {
    return this.peer.texts.map((text) => JSON.parse(text) as UiServerMessage)
  }

  received<Type extends UiServerMessage['type']>(type: Type): Extract<UiServerMessage, { type: Type }>[] {
    return this.messages.filter((message): message is Extract<UiServerMessage, { type: Type }> => message.type === type)
  }

  /** The seqs of all events received, in order. */
  get seqs(): number[] {
    return this.received('event').map(({ envelope }) => envelope.seq)
  }

  subscribe(runId: string, afterSeq?: number): void {
    this.send({ type: 'subscribe', runId, ...(afterSeq === undefined ? {} : { afterSeq }) })
  }

  setBreakpoint(matcher: BreakpointMatcher): void {
    this.control('breakpoint.set', { matcher })
  }

  clearBreakpoint(matcher: BreakpointMatcher): void {
    this.control('breakpoint.clear', { matcher })
  }

  setMode(mode: RunMode): void {
    this.control('mode.set', { mode })
  }

  resume(runId: string, payload: PayloadOf<'exec.resume'>): void {
    this.control('exec.resume', payload, runId)
  }

  control<Type extends ControlType>(type: Type, payload: PayloadOf<Type>, runId: string = WILDCARD_RUN_ID): void {
    this.send({ type: 'control', envelope: createEnvelope(type, payload, { runId, seq: 0, ts: 1 }) })
  }

  send(message: unknown): void {
    this.sendText(JSON.stringify(message))
  }

  sendText(text: string): void {
    this.#connection.receive(text)
  }

  disconnect(): void {
    this.#connection.closed()
  }
}

/** A hub on a store in memory, and what it told the collector and the log. */
export function hubInMemory(options: Partial<HubOptions> = {}) {
  const store = new MemoryStore()
  const told: string[] = []
  const problems: HubProblem[] = []
  const sessions: SessionListener = {
    attached: (runId) => told.push(`attached ${runId}`),
    detached: (runIds) => told.push(`detached ${runIds.join(' ')}`),
    held: (runId, count) => told.push(`held ${runId} ${count}`),
  }
  let ids = 0
  const hub = createHub({
    store,
    bus: store,
    sessions,
    version: '0.7.0',
    breakpoints: [{ point: 'error' }],
    mode: 'run',
    ids: () => `id-${++ids}`,
    log: (problem) => problems.push(problem),
    ...options,
  })
  return { hub, store, told, problems }
}
