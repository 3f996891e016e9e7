/** Where the few words of a session go; `console` fits. */
export interface Logger {
  warn(message: string): void
}

/** At most one line a kind in each interval, so that a fault that repeats does not flood the host's log. Never throws. */
export function createWarnings(logger: Logger, intervalMs: number, nowMs: () => number): (kind: string, message: string) => void {
  const lastAt = new Map<string, number>()
  return (kind, message) => {
    const now = nowMs()
    const last = lastAt.get(kind)
    if (last !== undefined && now - last < intervalMs) return
    lastAt.set(kind, now)
    try {
      logger.warn(`[graphmind] ${message}`)
    } catch {
      // The host's logger failed: there is nowhere left to say so, and it must not reach the host's own code. It is not asked again.
      lastAt.set(kind, Number.POSITIVE_INFINITY)
    }
  }
}
