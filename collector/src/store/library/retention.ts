/** What of the store is kept by itself. An absent limit is none. Pinned and running runs, and those with held calls, are kept whatever it says. */
export interface RetentionPolicy {
  /**
   * The newest runs kept: of agents and of plain web traffic `apart`, and then imported ones, which someone asked for by name, are not
   * counted; or of all runs `together`.
   */
  readonly keepRuns?: { readonly count: number; readonly otherCount: number } | { readonly together: number }
  /** Since something of the run last arrived. */
  readonly maxAgeMs?: number
  /** Of the database file, without what is free in it. */
  readonly maxBytes?: number
}

export const DEFAULT_KEEP_RUNS = 200
export const DEFAULT_KEEP_DAYS = 30
/** 200 runs of 10 MB; beside the count, so that a few giant runs can't fill a disk. */
export const DEFAULT_KEEP_BYTES = 2 * 1024 ** 3

/** What a run's row says that matters here. */
export interface RetainedRun {
  readonly key: number
  readonly id: string
  readonly name: string
  readonly startedAt: number
  readonly changedAt: number
  readonly category: string
  readonly source: string
  /** Pinned, running, held, or not derived yet. */
  readonly isProtected: boolean
  /** Stored events: what its share of the file is reckoned by. */
  readonly eventCount: number
}

/** Which runs the policy lets go, out of all listed ones, newest first. `usedBytes` is what these take in the file. */
export function expiredRuns(
  newestFirst: Iterable<RetainedRun>,
  policy: RetentionPolicy,
  nowMs: number,
  usedBytes: number,
): readonly RetainedRun[] {
  const ranks = new Map<string, number>()
  const expired: RetainedRun[] = []
  const kept: RetainedRun[] = []
  let events = 0
  for (const run of newestFirst) {
    events += run.eventCount
    const quota = quotaOf(run, policy)
    const rank = (ranks.get(quota.name) ?? 0) + 1
    ranks.set(quota.name, rank)
    const isOld = policy.maxAgeMs !== undefined && nowMs - run.changedAt > policy.maxAgeMs
    if (run.isProtected) continue
    if (rank > quota.count || isOld) expired.push(run)
    else kept.push(run)
  }
  return [...expired, ...beyondBytes(kept, expired, policy, usedBytes, events)]
}

function quotaOf(run: RetainedRun, { keepRuns }: RetentionPolicy): { readonly name: string; readonly count: number } {
  if (keepRuns === undefined) return { name: 'all', count: Number.POSITIVE_INFINITY }
  if ('together' in keepRuns) return { name: 'all', count: keepRuns.together }
  if (run.source === 'import') return { name: 'import', count: Number.POSITIVE_INFINITY }
  return run.category === 'other' ? { name: 'other', count: keepRuns.otherCount } : { name: 'agent', count: keepRuns.count }
}

/** The oldest of the kept ones, until what is left fits. What a run takes is its share of the events: measuring it would read the whole file. */
function beyondBytes(
  kept: readonly RetainedRun[],
  expired: readonly RetainedRun[],
  { maxBytes }: RetentionPolicy,
  usedBytes: number,
  events: number,
): readonly RetainedRun[] {
  if (maxBytes === undefined || usedBytes <= maxBytes || events === 0) return []
  const bytesAnEvent = usedBytes / events
  let left = usedBytes - expired.reduce((sum, run) => sum + run.eventCount, 0) * bytesAnEvent
  const more: RetainedRun[] = []
  for (const run of kept.toReversed()) {
    if (left <= maxBytes) break
    left -= run.eventCount * bytesAnEvent
    more.push(run)
  }
  return more
}
