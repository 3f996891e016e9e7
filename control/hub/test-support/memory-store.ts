import { type Envelope, PROTOCOL_VERSION, type RunInfo } from '@graphmind-ai/schema'
import type { Bus, ChannelEvent, HistoryPage, HistoryWish, RunStore, StoredEvent, StoredSheet } from '../src/ports.ts'
import { withoutPayloads } from '../src/viewers/without-payloads.ts'

const PAGE = 3

/** A store and a bus that keep the promises of ports.ts in memory: dedup by origin and seq, one sequencer, announcements after the commit. */
export class MemoryStore implements RunStore, Bus {
  readonly #runs = new Map<string, { events: StoredEvent[]; origins: Set<string> }>()
  readonly #listeners = new Map<string, Set<(events: readonly StoredEvent[]) => void>>()
  readonly #updateListeners = new Set<(run: RunInfo) => void>()
  readonly #removalListeners = new Set<(runId: string) => void>()
  /** How many appends the hub made, to see that events are batched. */
  appends = 0
  /** Awaited between two pages of a history, so that a test can let things happen in between. */
  betweenPages: () => Promise<void> = () => Promise.resolve()
  failure: Error | undefined

  async append(events: readonly ChannelEvent[]): Promise<void> {
    await Promise.resolve()
    if (this.failure !== undefined) throw this.failure
    this.appends += 1
    for (const event of events) this.#appendOne(event)
  }

  async run(runId: string): Promise<RunInfo | undefined> {
    return this.#runs.has(runId) ? this.#info(runId) : undefined
  }

  async runs(limit: number): Promise<readonly RunInfo[]> {
    if (this.failure !== undefined) throw this.failure
    return [...this.#runs.keys()].slice(0, limit).map((runId) => this.#info(runId))
  }

  async history(runId: string, { afterSeq, payloads, sheets }: HistoryWish) {
    if (this.failure !== undefined) throw this.failure
    const events = this.events(runId)
      .filter(({ seq }) => afterSeq === undefined || seq > afterSeq)
      .map((event) => (payloads === 'none' ? { ...event, json: JSON.stringify(withoutPayloads(event.envelope)) } : event))
    const { betweenPages } = this
    async function* pages(): AsyncGenerator<HistoryPage> {
      for (let from = 0; from < events.length; from += PAGE) {
        const page = events.slice(from, from + PAGE)
        yield sheets ? { sheet: sheetOf(page) } : { events: page }
        await betweenPages()
      }
    }
    return { count: events.length, pages: pages(), lastSeq: events.at(-1)?.seq ?? null }
  }

  async subscribe(runId: string, listener: (events: readonly StoredEvent[]) => void): Promise<() => void> {
    const listeners = this.#listeners.get(runId) ?? new Set()
    this.#listeners.set(runId, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  onRunUpdate(listener: (run: RunInfo) => void): () => void {
    this.#updateListeners.add(listener)
    return () => this.#updateListeners.delete(listener)
  }

  onRunRemoved(listener: (runId: string) => void): () => void {
    this.#removalListeners.add(listener)
    return () => this.#removalListeners.delete(listener)
  }

  removeRun(runId: string): void {
    this.#runs.delete(runId)
    for (const listener of this.#removalListeners) listener(runId)
  }

  /** How many listeners the hub left on the bus. */
  get listening(): number {
    return (
      this.#updateListeners.size +
      this.#removalListeners.size +
      [...this.#listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0)
    )
  }

  events(runId: string): StoredEvent[] {
    return [...(this.#runs.get(runId)?.events ?? [])].sort((left, right) => left.seq - right.seq)
  }

  envelopes(runId: string, type?: string): Envelope[] {
    return this.events(runId).flatMap(({ envelope }) => (type === undefined || envelope.type === type ? [envelope] : []))
  }

  updateRun(runId: string, more: Partial<RunInfo> = {}): void {
    for (const listener of this.#updateListeners) listener({ ...this.#info(runId), ...more })
  }

  /** Appends events of a made-up program; the way to fill a run without an app. */
  async fill(runId: string, count: number): Promise<void> {
    const from = this.events(runId).length
    const events = Array.from({ length: count }, (_, index) => ({
      runId,
      origin: `fill:${from + index}`,
      seq: undefined,
      ts: 1,
      type: 'node.token',
      payload: { nodeId: 'llm:step', deltas: [{ t: 'text', v: String(from + index) }] },
    }))
    await this.append(events)
  }

  #appendOne({ runId, origin, seq, ts, type, payload, unknownFields }: ChannelEvent): void {
    const isNewRun = !this.#runs.has(runId)
    const run = this.#runs.get(runId) ?? { events: [], origins: new Set<string>() }
    this.#runs.set(runId, run)
    const last = run.events.at(-1)?.seq
    const number = seq ?? (last === undefined ? 0 : last + 1)
    if (run.origins.has(origin) || run.events.some(({ envelope }) => envelope.seq === number)) return
    run.origins.add(origin)
    const envelope: Envelope = { ...unknownFields, gm: PROTOCOL_VERSION, seq: number, ts, runId, type, payload }
    const stored: StoredEvent = { seq: number, after: last ?? null, envelope, json: JSON.stringify(envelope) }
    run.events.push(stored)
    for (const listener of this.#listeners.get(runId) ?? []) listener([stored])
    if (isNewRun) this.updateRun(runId)
  }

  #info(runId: string): RunInfo {
    return {
      id: runId,
      app: 'app',
      name: 'run',
      startedAt: 0,
      finishedAt: null,
      durationMs: null,
      heldMs: 0,
      status: 'running',
      schemaVersion: 1,
      source: 'live',
      category: 'agent',
      eventCount: this.events(runId).length,
      errorCount: 0,
      spanCount: 0,
      nodeCount: 0,
      live: true,
      held: 0,
      models: [],
      kinds: [],
      nodeNames: [],
      pinned: false,
      tags: [],
      traceIds: [],
    }
  }
}

/** The events as a sheet, each payload whole. */
function sheetOf(events: readonly StoredEvent[]): StoredSheet {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a sheet has events')
  const envelopes = events.map(({ json }): Envelope => JSON.parse(json))
  const types = [...new Set(envelopes.map(({ type }) => type))]
  const rows = envelopes.map(({ type, ts, payload }) => [types.indexOf(type), ts, payload])
  const json = JSON.stringify({ seq: first.seq, ts: 0, shapes: types.map((type) => [type]), rows }).slice(1, -1)
  return { after: first.after, firstSeq: first.seq, lastSeq: last.seq, json: Buffer.from(json) }
}
