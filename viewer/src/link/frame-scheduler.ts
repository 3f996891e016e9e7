const BUSY_MS = 100
const HIDDEN_MS = 500

/** What the scheduler needs of its surroundings; tests give it a fake. */
export interface FrameClock {
  now(): number
  hidden(): boolean
  /** Calls back before the next paint; gives the way to cancel. */
  onFrame(callback: () => void): () => void
  /** Calls back after `ms`; gives the way to cancel. */
  after(ms: number, callback: () => void): () => void
}

export interface FrameScheduler {
  /** Asks for one commit soon; any number of calls before it make one commit. */
  request(): void
  /** A key or pointer was used: commits make room for it for a moment. */
  userActed(): void
  /** The tab was hidden or shown again: a pending commit is planned anew, for no frames come in a hidden tab. */
  visibilityChanged(): void
  stop(): void
}

/** A commit that took longer than this makes the next one wait. */
const CHEAP_MS = 12
/** How many times its own cost a commit leaves to other work, so that drawing a large run doesn't hold up reading it. */
const REST = 4

/**
 * Commits at most once per animation frame, ten times a second while a person types or points, and twice a second in a hidden tab,
 * where only the title is to be seen. Costly commits come more rarely.
 */
export function createFrameScheduler(commit: () => void, clock: FrameClock): FrameScheduler {
  let cancel: (() => void) | undefined
  let lastCommit = Number.NEGATIVE_INFINITY
  let lastAction = Number.NEGATIVE_INFINITY
  let restUntil = Number.NEGATIVE_INFINITY
  const run = () => {
    cancel = undefined
    lastCommit = clock.now()
    commit()
    // Drawing follows in a microtask; a timer comes after it and so knows what the commit cost in all.
    clock.after(0, () => {
      const now = clock.now()
      const costMs = now - lastCommit
      restUntil = costMs > CHEAP_MS ? now + costMs * REST : now
    })
  }
  const plan = () => {
    const now = clock.now()
    if (clock.hidden()) return clock.after(HIDDEN_MS, run)
    const busyUntil = now - lastAction < BUSY_MS ? lastCommit + BUSY_MS : now
    const waitMs = Math.max(busyUntil, restUntil) - now
    return waitMs > 0 ? clock.after(waitMs, run) : clock.onFrame(run)
  }
  return {
    request() {
      cancel ??= plan()
    },
    userActed() {
      lastAction = clock.now()
    },
    visibilityChanged() {
      if (cancel === undefined) return
      cancel()
      cancel = plan()
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}

/** The browser's own clock. */
export function browserClock(): FrameClock {
  return {
    now: () => performance.now(),
    hidden: () => document.hidden,
    onFrame(callback) {
      const id = requestAnimationFrame(callback)
      return () => cancelAnimationFrame(id)
    },
    after(ms, callback) {
      const id = setTimeout(callback, ms)
      return () => clearTimeout(id)
    },
  }
}
