import type { SessionListener } from '@graphmind-ai/hub'
import type { SweepRequest } from '../ingest/messages.ts'
import type { Liveness } from '../store/reads/run-info.ts'

/** A run that never had a control session is given up after this long without a span. */
export const QUIET_MS = 10 * 60_000

/**
 * Which runs an app's session speaks for, and since when it is gone; held calls per run. Decides which running runs may be given up
 * (design 5, "Status"). Times come in from outside.
 */
export class RunWatch implements SessionListener, Liveness {
  readonly #graceMs: number
  readonly #nowMs: () => number
  readonly #changed: (runId: string) => void
  readonly #spokenFor: (runId: string, hide: readonly string[]) => void
  readonly #live = new Set<string>()
  readonly #goneSince = new Map<string, number>()
  readonly #held = new Map<string, number>()
  readonly #startedAt: number

  constructor(options: {
    readonly graceMs: number
    readonly nowMs: () => number
    /** The run's `live` or `held` changed. */
    readonly changed: (runId: string) => void
    /** A session speaks for the run for the first time. */
    readonly spokenFor: (runId: string, hide: readonly string[]) => void
  }) {
    this.#graceMs = options.graceMs
    this.#nowMs = options.nowMs
    this.#changed = options.changed
    this.#spokenFor = options.spokenFor
    this.#startedAt = options.nowMs()
  }

  attached(runId: string, hide: readonly string[]): void {
    if (this.#live.has(runId)) return
    this.#live.add(runId)
    this.#goneSince.delete(runId)
    this.#spokenFor(runId, hide)
    this.#changed(runId)
  }

  detached(runIds: readonly string[]): void {
    for (const runId of runIds) {
      if (!this.#live.delete(runId)) continue
      this.#goneSince.set(runId, this.#nowMs())
      this.#changed(runId)
    }
  }

  held(runId: string, count: number): void {
    if ((this.#held.get(runId) ?? 0) === count) return
    if (count === 0) this.#held.delete(runId)
    else this.#held.set(runId, count)
    this.#changed(runId)
  }

  isLive(runId: string): boolean {
    return this.#live.has(runId)
  }

  heldCount(runId: string): number {
    return this.#held.get(runId) ?? 0
  }

  liveIds(): readonly string[] {
    return [...this.#live]
  }

  heldIds(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** What to sweep now: undefined in the first grace period, when apps of an earlier server may still come back. */
  sweep(): SweepRequest | undefined {
    const now = this.#nowMs()
    if (now - this.#startedAt < this.#graceMs) return undefined
    for (const [runId, since] of this.#goneSince) if (now - since >= this.#graceMs) this.#goneSince.delete(runId)
    return {
      sessionQuietBefore: now - this.#graceMs,
      spansQuietBefore: now - QUIET_MS,
      except: [...this.#live, ...this.#goneSince.keys()],
    }
  }
}
