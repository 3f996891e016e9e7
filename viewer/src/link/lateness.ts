/** Less than this is not worth a word, ms. */
const LEAST_MS = 2000
/** How long a delay is told after the events that came late, ms. */
const TOLD_MS = 3000

/** How much later than the quickest the newest event of a run came. Times are epoch ms. */
export interface Lateness {
  /** Some events came together; `newest` is when the last of them happened, `nowMs` when they came. */
  came(newest: number, nowMs: number): void
  /** The delay while it is worth telling, ms, and until when it is told; undefined when the screen is up to date. */
  behind(): Behind | undefined
}

export interface Behind {
  readonly ms: number
  readonly until: number
}

/**
 * Measures by the run itself: the clock of a program may differ from ours by any amount, so the quickest of its events is the measure
 * of the others. An event that is older than one before it says nothing of how fresh the screen is.
 */
export function createLateness(): Lateness {
  let newestSoFar = Number.NEGATIVE_INFINITY
  let quickest = Number.POSITIVE_INFINITY
  let behind: Behind | undefined
  return {
    came(newest, nowMs) {
      if (newest <= newestSoFar) return
      newestSoFar = newest
      const late = nowMs - newest
      quickest = Math.min(quickest, late)
      const ms = late - quickest
      behind = ms < LEAST_MS ? undefined : { ms, until: nowMs + TOLD_MS }
    },
    behind: () => behind,
  }
}
