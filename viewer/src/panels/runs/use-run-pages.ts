import { parseQuery } from '@graphmind-ai/schema'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { askRunPage } from '../../link/runs-api.ts'
import { askedFilter, leftOutFilter } from '../../model/run-filter.ts'
import { matchingIds, type RunPages, shownRuns, withNews, withNextPage } from '../../model/run-pages.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'

/** Rows of one request: enough for a screen many times over, and 0.3 MB at most. */
const PAGE_ROWS = 500
const MOST_ROWS_A_PAGE = 1000

interface Asked {
  readonly filter: string
  readonly sort: string
  readonly showOther: boolean
}

/**
 * The runs list of a filter and an order: read in pages, kept up to date by the link. The rows of the filter before stay until the new ones
 * are there, and those of a filter that can't be understood until it can.
 */
export function useRunPages({ filter, sort, showOther }: Asked, current: string | undefined) {
  const { store } = useViewer()
  const runs = useFacts((state) => state.runs)
  const removed = useFacts((state) => state.removedRuns)
  // After the link was down, what was missed is read anew.
  const isLive = useFacts((state) => state.link.phase === 'live' && state.runs !== undefined)
  const [pages, setPages] = useState<RunPages>()
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  const query = askedFilter(filter, showOther)
  const { terms, problems } = useMemo(() => parseQuery(query), [query])
  const isUnderstood = problems.length === 0
  // A late answer checks that it is still the one that is wanted.
  const wanted = useRef<object>(undefined)
  const shownOf = useRef({ identity: '', rows: 0 })
  const identity = `${sort} ${query}`

  const read = useCallback(async () => {
    const request = {}
    wanted.current = request
    setReading(true)
    const seen = matchingIds(store.getState().runs?.values() ?? [], terms, Date.now())
    // The same list read again keeps its length, so that the reader stays where they are.
    const rowsBefore = shownOf.current.identity === identity ? shownOf.current.rows : 0
    const limit = Math.min(Math.max(rowsBefore, PAGE_ROWS), MOST_ROWS_A_PAGE)
    const leftOut = leftOutFilter(filter, showOther)
    const [page, other] = await Promise.all([
      askRunPage({ query, sort, limit }),
      leftOut === undefined ? undefined : askRunPage({ query: leftOut, sort, limit: 1 }),
    ])
    if (wanted.current !== request) return
    setReading(false)
    setProblem(page.ok ? undefined : page.problem)
    if (!page.ok) return
    const { runs: rows, nextCursor, counts } = page.value
    shownOf.current = { identity, rows: rows.length }
    setPages({ rows, nextCursor, counts, hiddenOther: other?.ok === true ? (other.value.counts?.matching ?? 0) : 0, seen })
  }, [store, terms, identity, query, filter, sort, showOther])
  useEffect(() => {
    if (isLive && isUnderstood) void read()
  }, [isLive, isUnderstood, read])
  useEffect(
    () => () => {
      wanted.current = undefined
    },
    [],
  )

  const cursor = pages?.nextCursor
  const readNext = useCallback(async () => {
    // After a failure the reader decides when to ask again.
    if (cursor === undefined || isReading || problem !== undefined || shownOf.current.identity !== identity) return
    const request = {}
    wanted.current = request
    setReading(true)
    const page = await askRunPage({ query, sort, limit: PAGE_ROWS, cursor })
    if (wanted.current !== request) return
    setReading(false)
    setProblem(page.ok ? undefined : page.problem)
    if (!page.ok) return
    setPages((before) => before && withNextPage(before, page.value.runs, page.value.nextCursor))
    shownOf.current = { identity, rows: shownOf.current.rows + page.value.runs.length }
  }, [cursor, isReading, problem, identity, query, sort])

  const shown = useMemo(
    () => pages && runs && shownRuns(pages, { runs, removed }, terms, Date.now(), current),
    [pages, runs, removed, terms, current],
  )
  const takeNews = useCallback(() => {
    if (shown !== undefined && shown.news.length > 0) setPages((before) => before && withNews(before, shown.news))
  }, [shown])
  return { pages, shown, problems, problem, isReading, readNext, readAgain: read, takeNews }
}
