import type { Bus, StoredEvent } from '@graphmind-ai/hub'
import type { RunInfo } from '@graphmind-ai/schema'
import type { StoredText } from '../ingest/messages.ts'
import { storedEvent } from '../store/reads/events.ts'
import { type Liveness, type RunColumns, runInfoOf } from '../store/reads/run-info.ts'

type EventListener = (events: readonly StoredEvent[]) => void
type RunListener = (run: RunInfo) => void

// A row is announced at once, then at most this often; its last state always comes.
const RUN_UPDATE_INTERVAL_MS = 100
/** Rows announced at once in one interval. In a flood of new runs the others wait for its end, so that the main thread stays free for holds. */
const MAX_AT_ONCE = 100
const MAX_ROWS = 2000

/** Announces what the worker committed: events of watched runs at once, a run's row at once and then coalesced. */
export class InProcessBus implements Bus {
  readonly #watch: (runId: string, on: boolean) => Promise<void>
  readonly #listeners = new Map<string, Set<EventListener>>()
  readonly #runListeners = new Set<RunListener>()
  readonly #removalListeners = new Set<(runId: string) => void>()
  /** The last rows seen, for runs whose liveness changes without a commit. */
  readonly #rows = new Map<string, RunColumns>()
  readonly #waiting = new Set<string>()
  /** What was announced in this interval. */
  readonly #announced = new Set<string>()
  readonly #liveness: Liveness
  #timer: NodeJS.Timeout | undefined

  /** `watch` tells the worker whose events to send; it settles once that holds. */
  constructor(watch: (runId: string, on: boolean) => Promise<void>, liveness: Liveness) {
    this.#watch = watch
    this.#liveness = liveness
  }

  async subscribe(runId: string, listener: EventListener): Promise<() => void> {
    const listeners = this.#listeners.get(runId) ?? new Set()
    this.#listeners.set(runId, listeners)
    listeners.add(listener)
    await this.#watch(runId, true)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(runId) !== listeners) return
      this.#listeners.delete(runId)
      void this.#watch(runId, false)
    }
  }

  onRunUpdate(listener: RunListener): () => void {
    this.#runListeners.add(listener)
    return () => this.#runListeners.delete(listener)
  }

  publish(runId: string, events: readonly StoredText[]): void {
    const listeners = this.#listeners.get(runId)
    if (listeners === undefined) return
    const stored = events.map(({ seq, after, ts, type, json, unknownFields }) =>
      storedEvent(runId, { seq, ts, type, payload: json, unknown_fields: unknownFields }, after),
    )
    for (const listener of [...listeners]) listener(stored)
  }

  /** Announces a run's row: at once when the run was quiet, else at the end of the interval. */
  publishRun(row: RunColumns): void {
    this.#rows.delete(row.id)
    this.#rows.set(row.id, row)
    this.#forgetOldest()
    this.republishRun(row.id)
  }

  /** Announces a run again, because it is live or held now, or no longer. */
  republishRun(runId: string): void {
    if (!this.#rows.has(runId)) return
    if (this.#announced.has(runId) || this.#announced.size >= MAX_AT_ONCE) this.#waiting.add(runId)
    else this.#announce(runId)
    this.#timer ??= setTimeout(() => this.#endInterval(), RUN_UPDATE_INTERVAL_MS).unref()
  }

  /** The run has left the list. At once: whoever deleted it looks on. */
  publishRemoval(runId: string): void {
    this.#rows.delete(runId)
    this.#waiting.delete(runId)
    for (const listener of [...this.#removalListeners]) listener(runId)
  }

  onRunRemoved(listener: (runId: string) => void): () => void {
    this.#removalListeners.add(listener)
    return () => this.#removalListeners.delete(listener)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#rows.clear()
    this.#listeners.clear()
    this.#runListeners.clear()
    this.#removalListeners.clear()
  }

  #forgetOldest(): void {
    const oldest = this.#rows.size > MAX_ROWS ? this.#rows.keys().next().value : undefined
    if (oldest === undefined) return
    // Announced before it is forgotten: a burst of short runs must not lose any.
    if (this.#waiting.delete(oldest)) this.#announce(oldest)
    this.#rows.delete(oldest)
  }

  #endInterval(): void {
    this.#timer = undefined
    this.#announced.clear()
    const due = [...this.#waiting]
    this.#waiting.clear()
    for (const runId of due) this.#announce(runId)
    if (due.length > 0) this.#timer = setTimeout(() => this.#endInterval(), RUN_UPDATE_INTERVAL_MS).unref()
  }

  #announce(runId: string): void {
    const row = this.#rows.get(runId)
    if (row === undefined) return
    this.#announced.add(runId)
    const run = runInfoOf(row, this.#liveness)
    for (const listener of [...this.#runListeners]) listener(run)
  }
}
