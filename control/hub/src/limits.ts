/** Everything a peer can make the hub hold or do, bounded. Bytes are UTF-8. */
export interface HubLimits {
  /** Largest frame of an app; our client cuts payloads at 512 KiB, other senders may not. */
  readonly appFrameBytes: number
  /** Frames an app may send at once: a replay of a full ring is 5000. */
  readonly appBurstFrames: number
  readonly appFramesPerSecond: number
  /** Bytes of an app's events that wait for the store. */
  readonly appPendingBytes: number
  readonly appHeldCalls: number
  readonly viewerFrameBytes: number
  readonly viewerBurstFrames: number
  readonly viewerFramesPerSecond: number
  readonly viewerSubscriptions: number
  /** Bytes in a viewer's socket above which it is no longer fed live, and below which it catches up. */
  readonly viewerBehindBytes: number
  readonly viewerDrainedBytes: number
  /** Live events kept while a replay runs; more, and the replay reads on from the store instead. */
  readonly viewerWaitingEvents: number
  readonly breakpoints: number
  readonly matcherBytes: number
}

export const DEFAULT_LIMITS: HubLimits = {
  appFrameBytes: 4 * 1024 * 1024,
  appBurstFrames: 20_000,
  appFramesPerSecond: 5_000,
  appPendingBytes: 64 * 1024 * 1024,
  appHeldCalls: 2_000,
  viewerFrameBytes: 8 * 1024 * 1024,
  viewerBurstFrames: 1_000,
  viewerFramesPerSecond: 100,
  viewerSubscriptions: 64,
  viewerBehindBytes: 4 * 1024 * 1024,
  viewerDrainedBytes: 512 * 1024,
  viewerWaitingEvents: 5_000,
  breakpoints: 500,
  matcherBytes: 8 * 1024,
}

/** Lets `burst` frames pass at once and `perSecond` on average. Time comes in as epoch or monotonic ms. */
export function createRateLimit(burst: number, perSecond: number, nowMs: () => number): () => boolean {
  let tokens = burst
  let lastMs = nowMs()
  return () => {
    const now = nowMs()
    tokens = Math.min(burst, tokens + (Math.max(0, now - lastMs) / 1000) * perSecond)
    lastMs = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
