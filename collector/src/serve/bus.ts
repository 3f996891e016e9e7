import type { Bus, StoredEvent } from '@graphmind-ai/hub'
import type { RunInfo } from '@graphmind-ai/schema'
import type { StoredText } from '../ingest/messages.ts'
import { envelopeOf } from '../store/reads/events.ts'
import { type Liveness, type RunColumns, runInfoOf } from '../store/reads/run-info.ts'

type EventListener = (events: readonly StoredEvent[]) => void
type RunListener = (run: RunInfo) => void

// A viewer redraws a row at most this often; the last state always comes.
const RUN_UPDATE_INTERVAL_MS = 100
const MAX_ROWS = 2000

/** Announces what the worker committed: events of watched runs at once, run rows coalesced. */
export class InProcessBus implements Bus {
  readonly #watch: (runId: string, on: boolean) => Promise<void>
  readonly #listeners = new Map<string, Set<EventListener>>()
  readonly #runListeners = new Set<RunListener>()
  /** The last rows seen, for runs whose liveness changes without a commit. */
  readonly #rows = new Map<string, RunColumns>()
  readonly #waiting = new Set<string>()
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
    const stored = events.map(({ seq, after, ts, type, json }) => ({
      envelope: envelopeOf(runId, { seq, ts, type, payload: json }),
      after,
    }))
    for (const listener of [...listeners]) listener(stored)
  }

  /** Announces a run's row soon: at once when nothing was announced lately. */
  publishRun(row: RunColumns): void {
    this.#rows.delete(row.id)
    this.#rows.set(row.id, row)
    const oldest = this.#rows.size > MAX_ROWS ? this.#rows.keys().next().value : undefined
    if (oldest !== undefined) this.#rows.delete(oldest)
    this.republishRun(row.id)
  }

  /** Announces a run again, because it is live or held now, or no longer. */
  republishRun(runId: string): void {
    if (!this.#rows.has(runId)) return
    this.#waiting.add(runId)
    if (this.#timer !== undefined) return
    this.#flush()
    this.#timer = setTimeout(() => this.#tick(), RUN_UPDATE_INTERVAL_MS).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#rows.clear()
    this.#listeners.clear()
    this.#runListeners.clear()
  }

  #tick(): void {
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#flush()
    this.#timer = setTimeout(() => this.#tick(), RUN_UPDATE_INTERVAL_MS).unref()
  }

  #flush(): void {
    const due = [...this.#waiting]
    this.#waiting.clear()
    for (const runId of due) {
      const row = this.#rows.get(runId)
      if (row === undefined) continue
      const run = runInfoOf(row, this.#liveness)
      for (const listener of [...this.#runListeners]) listener(run)
    }
  }
}
