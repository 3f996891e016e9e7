import type { RunRow, StoreWriter } from '../store/writer.ts'
import type { StoredText } from './messages.ts'
import type { SpanEvent } from './outbox.ts'
import type { CachedRun, RunCache } from './run-cache.ts'
import { tallyEvent } from './tally.ts'

/** An event on its way into the store. */
export interface NewEvent {
  readonly ts: number
  readonly type: string
  readonly origin: string
  readonly instanceId: string | undefined
  readonly payload: { readonly [key: string]: unknown }
  readonly json: string
  /** JSON of the envelope's fields that the contract does not name. */
  readonly unknownFields?: string | undefined
}

/** What has happened since a point in the commit, to go back to it. */
export interface Checkpoint {
  readonly dirty: ReadonlySet<string>
  readonly appended: number
}

/** Appends events in the open transaction, and remembers until its end which runs it changed and what it appended. */
export class RunAppender {
  readonly #writer: StoreWriter
  readonly #runs: RunCache
  readonly #revive: (row: RunRow) => void
  readonly #nowMs: () => number
  #dirty = new Set<string>()
  #appended: { readonly runId: string; readonly event: StoredText }[] = []

  /** `revive` is told of a deleted run that something new comes for. */
  constructor(writer: StoreWriter, runs: RunCache, revive: (row: RunRow) => void, nowMs: () => number) {
    this.#writer = writer
    this.#runs = runs
    this.#revive = revive
    this.#nowMs = nowMs
  }

  /** Runs changed so far. A set is walked to what is added on the way. */
  get dirty(): ReadonlySet<string> {
    return this.#dirty
  }

  /** The run, made when there is none yet; it counts as changed. */
  touch(runId: string): CachedRun {
    const nowMs = this.#nowMs()
    const run = this.#runs.touch(runId, nowMs)
    run.row.changed_at = Math.trunc(nowMs)
    this.#dirty.add(runId)
    return run
  }

  /** The run is to be announced, though nothing new came for it. */
  mark(runId: string): void {
    this.#dirty.add(runId)
  }

  appendSpanEvents(run: CachedRun, events: readonly SpanEvent[]): void {
    for (const event of events) this.append(run, { ...event, payload: event.payload as NewEvent['payload'] })
  }

  /** Appends at the run's end; what is there already by its origin is dropped. */
  append(run: CachedRun, event: NewEvent): void {
    const seq = run.lastSeq === null ? 0 : run.lastSeq + 1
    if (this.#insert(run, seq, run.lastSeq, event)) run.lastSeq = seq
  }

  /** For a run that its client sequences; a seq that is there already is dropped. */
  appendAt(run: CachedRun, seq: number, event: NewEvent): void {
    const late = run.lastSeq !== null && seq <= run.lastSeq
    const after = late ? this.#writer.seqBefore(run.row.key, seq) : run.lastSeq
    if (this.#insert(run, seq, after, event) && !late) run.lastSeq = seq
  }

  #insert(run: CachedRun, seq: number, after: number | null, event: NewEvent): boolean {
    const { ts, type, origin, instanceId, payload, json, unknownFields = null } = event
    const row = { run: run.row.key, seq, ts, type, instance_id: instanceId ?? null, origin, payload: json, unknown_fields: unknownFields }
    if (!this.#writer.insertEvent(row)) return false
    if (run.row.deleted_at !== null) this.#revive(run.row)
    tallyEvent(run.tally, { type, ts, payload })
    this.#appended.push({ runId: run.row.id, event: { seq, after, ts, type, json, unknownFields } })
    return true
  }

  checkpoint(): Checkpoint {
    return { dirty: new Set(this.#dirty), appended: this.#appended.length }
  }

  /** Forgets what came after the checkpoint. The set of changed runs stays the same object: a commit drops what it holds. */
  rollBack({ dirty, appended }: Checkpoint): void {
    for (const runId of this.#dirty) if (!dirty.has(runId)) this.#dirty.delete(runId)
    this.#appended.length = appended
  }

  appendedByRun(): ReadonlyMap<string, readonly StoredText[]> {
    const byRun = new Map<string, StoredText[]>()
    for (const { runId, event } of this.#appended) {
      const list = byRun.get(runId)
      if (list === undefined) byRun.set(runId, [event])
      else list.push(event)
    }
    return byRun
  }

  /** The transaction is over, one way or the other. */
  clear(): void {
    this.#dirty = new Set()
    this.#appended = []
  }
}
