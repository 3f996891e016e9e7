import { matchesRun, type QueryTerm, type RunInfo } from '@graphmind-ai/schema'

/** The part of the list that was read from the server, as it was then. */
export interface RunPages {
  readonly rows: readonly RunInfo[]
  readonly nextCursor: string | undefined
  readonly counts: { readonly all: number; readonly matching: number } | undefined
  /** Plain web traffic, when it is left out. */
  readonly hiddenOther: number
  /** Runs that met the filter when the list was asked for: those not in the rows stand further down, and are no news. */
  readonly seen: ReadonlySet<string>
}

/** What arrived over the link since. */
export interface LiveRuns {
  readonly runs: ReadonlyMap<string, RunInfo>
  readonly removed: ReadonlySet<string>
}

export interface ShownRuns {
  /** In the order in which they were read, with their values as they are now. */
  readonly rows: readonly RunInfo[]
  /** Runs that came since and meet the filter, the newest first. */
  readonly news: readonly RunInfo[]
}

/** Ids of the live runs that meet the filter. */
export function matchingIds(runs: Iterable<RunInfo>, terms: readonly QueryTerm[], nowMs: number): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const run of runs) if (isListed(run, terms, nowMs)) ids.add(run.id)
  return ids
}

/**
 * The rows as they are now. One that left the list or no longer meets the filter goes, except the one that is worked with: it must not
 * vanish from under the reader's hands.
 */
export function shownRuns(
  pages: RunPages,
  live: LiveRuns,
  terms: readonly QueryTerm[],
  nowMs: number,
  current: string | undefined,
): ShownRuns {
  const known = new Set<string>()
  const rows: RunInfo[] = []
  for (const row of pages.rows) {
    known.add(row.id)
    if (live.removed.has(row.id)) continue
    const now = live.runs.get(row.id)
    // A row of which nothing was heard is as it was.
    if (now === undefined) rows.push(row)
    else if (now.mergedInto === undefined && (row.id === current || matchesRun(terms, now, nowMs))) rows.push(now)
  }
  const news: RunInfo[] = []
  for (const run of live.runs.values()) {
    if (!known.has(run.id) && !pages.seen.has(run.id) && isListed(run, terms, nowMs)) news.push(run)
  }
  news.sort((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1))
  return { rows, news }
}

function isListed(run: RunInfo, terms: readonly QueryTerm[], nowMs: number): boolean {
  // A joined run's events live on in the run it was joined to.
  return run.mergedInto === undefined && matchesRun(terms, run, nowMs)
}

/** The pages with runs before them that came since, each once. */
export function withNews(pages: RunPages, news: readonly RunInfo[]): RunPages {
  const known = new Set(pages.rows.map(({ id }) => id))
  return { ...pages, rows: [...news.filter(({ id }) => !known.has(id)), ...pages.rows] }
}

/** The pages with the next one behind them. Rows that were there before stay where they are. */
export function withNextPage(pages: RunPages, runs: readonly RunInfo[], nextCursor: string | undefined): RunPages {
  const known = new Set(pages.rows.map(({ id }) => id))
  return { ...pages, rows: [...pages.rows, ...runs.filter(({ id }) => !known.has(id))], nextCursor }
}
