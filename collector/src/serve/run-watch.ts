import type { SessionListener } from '@graphmind-ai/hub'
import type { SweepRequest } from '../ingest/messages.ts'
import type { Liveness } from '../store/reads/run-info.ts'
import { ClockSteps } from './clock-steps.ts'

/** Of how many runs it is remembered when their session went; of the one that went first it is forgotten then. */
export const MAX_DETACHED = 10_000

/** A run that never had a control session is given up after this long without a span. */
export const QUIET_MS = 10 * 60_000

/**
 * Which runs an app's session speaks for, and since when it is gone; held calls per run. Decides which running runs may be given up
 * (design 5, "Status"). Times come in from outside.
 */
export class RunWatch implements SessionListener, Liveness {
  readonly #graceMs: number
  readonly #nowMs: () => number
  readonly #steadyMs: () => number
  readonly #steps: ClockSteps
  readonly #changed: (runId: string) => void
  readonly #spokenFor: (runId: string, hide: readonly string[]) => void
  /** How many sessions speak for a run: several programs share a trace. */
  readonly #live = new Map<string, number>()
  readonly #goneSince = new Map<string, number>()
  /** When it went for whoever looks, epoch ms; `#goneSince` is what the grace period is measured by. */
  readonly #detachedAt = new Map<string, number>()
  readonly #held = new Map<string, number>()
  readonly #startedMs: number

  constructor(options: {
    readonly graceMs: number
    readonly nowMs: () => number
    /** Counts from anywhere and is never set: what goes by in this process is measured by it. */
    readonly steadyMs: () => number
    /** The run's `live` or `held` changed. */
    readonly changed: (runId: string) => void
    /** A session speaks for the run for the first time. */
    readonly spokenFor: (runId: string, hide: readonly string[]) => void
  }) {
    this.#graceMs = options.graceMs
    this.#nowMs = options.nowMs
    this.#steadyMs = options.steadyMs
    this.#steps = new ClockSteps(options.nowMs, options.steadyMs)
    this.#changed = options.changed
    this.#spokenFor = options.spokenFor
    this.#startedMs = options.steadyMs()
  }

  attached(runId: string, hide: readonly string[]): void {
    const sessions = this.#live.get(runId) ?? 0
    this.#live.set(runId, sessions + 1)
    // What one of them wants hidden is hidden, whichever came first.
    if (sessions === 0 || hide.length > 0) this.#spokenFor(runId, hide)
    if (sessions > 0) return
    this.#goneSince.delete(runId)
    this.#detachedAt.delete(runId)
    this.#changed(runId)
  }

  detached(runIds: readonly string[]): void {
    for (const runId of runIds) {
      const sessions = this.#live.get(runId)
      if (sessions === undefined) continue
      if (sessions > 1) {
        this.#live.set(runId, sessions - 1)
        continue
      }
      this.#live.delete(runId)
      this.#goneSince.set(runId, this.#steadyMs())
      this.#detachedAt.set(runId, this.#nowMs())
      const [first] = this.#detachedAt.keys()
      if (this.#detachedAt.size > MAX_DETACHED && first !== undefined) this.#detachedAt.delete(first)
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

  detachedSince(runId: string): number | undefined {
    return this.#detachedAt.get(runId)
  }

  heldCount(runId: string): number {
    return this.#held.get(runId) ?? 0
  }

  liveIds(): readonly string[] {
    return [...this.#live.keys()]
  }

  heldIds(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** What to sweep now: undefined in the first grace period, when apps of an earlier server may still come back. */
  sweep(): SweepRequest | undefined {
    const steady = this.#steadyMs()
    const stepped = { grace: this.#steps.within(this.#graceMs), quiet: this.#steps.within(QUIET_MS) }
    this.#steps.forget(Math.max(this.#graceMs, QUIET_MS))
    if (steady - this.#startedMs < this.#graceMs) return undefined
    for (const [runId, since] of this.#goneSince) if (steady - since >= this.#graceMs) this.#goneSince.delete(runId)
    const now = this.#nowMs()
    return {
      sessionQuietBefore: now - stepped.grace - this.#graceMs,
      spansQuietBefore: now - stepped.quiet - QUIET_MS,
      except: [...this.#live.keys(), ...this.#goneSince.keys()],
    }
  }
}
