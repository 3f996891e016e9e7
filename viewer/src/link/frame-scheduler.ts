const BUSY_MS = 100
const HIDDEN_MS = 500

export type Urgency = 'soon' | 'urgent' | 'signal'

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
  /**
   * Asks for one commit soon; any number of calls before it make one commit. An urgent one, for what a person waits to see, waits for
   * no more than the cost of the last. A signal is told outside of the page too, so it alone is committed in a hidden tab.
   */
  request(urgency?: Urgency): void
  /** A key or pointer was used: commits make room for it for a moment. */
  userActed(): void
  /** The tab was hidden or shown again: what waits is planned anew, for no frames come in a hidden tab. */
  visibilityChanged(): void
  stop(): void
}

/** A commit that took longer than this makes the next one wait. */
const CHEAP_MS = 12
/** How many times its own cost a commit leaves to other work, so that drawing a large run doesn't hold up reading it. */
const REST = 4
const RANK: Record<Urgency, number> = { soon: 0, urgent: 1, signal: 2 }

export function moreUrgent(one: Urgency, other: Urgency): Urgency {
  return RANK[one] < RANK[other] ? other : one
}

/**
 * Commits at most once per animation frame. Costly commits come more rarely, and at most ten times a second while a person types or
 * points. In a hidden tab only signals are committed, for its title, icon and sound; all else waits until it is shown.
 */
export function createFrameScheduler(commit: () => void, clock: FrameClock): FrameScheduler {
  let cancel: (() => void) | undefined
  let planned: Urgency | undefined
  let lastCommit = Number.NEGATIVE_INFINITY
  let lastAction = Number.NEGATIVE_INFINITY
  let restUntil = Number.NEGATIVE_INFINITY
  let urgentFrom = Number.NEGATIVE_INFINITY
  let costly = false
  const run = () => {
    cancel = undefined
    planned = undefined
    lastCommit = clock.now()
    commit()
    // Drawing follows in a microtask; a timer comes after it and so knows what the commit cost in all.
    clock.after(0, () => {
      const now = clock.now()
      const costMs = now - lastCommit
      costly = costMs > CHEAP_MS
      restUntil = costly ? now + costMs * REST : now
      urgentFrom = costly ? now + costMs : now
    })
  }
  const plan = () => {
    const now = clock.now()
    if (clock.hidden()) return planned === 'signal' ? clock.after(HIDDEN_MS, run) : () => undefined
    // A cheap commit delays no key, and what a key brought about is to be seen at once.
    const busyUntil = costly && now - lastAction < BUSY_MS ? lastCommit + BUSY_MS : now
    const waitMs = (planned === 'soon' ? Math.max(busyUntil, restUntil) : urgentFrom) - now
    return waitMs > 0 ? clock.after(waitMs, run) : clock.onFrame(run)
  }
  return {
    request(urgency = 'soon') {
      if (planned !== undefined && moreUrgent(planned, urgency) === planned) return
      cancel?.()
      planned = urgency
      cancel = plan()
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
      planned = undefined
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
