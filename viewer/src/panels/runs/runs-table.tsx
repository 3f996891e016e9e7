import type { RunInfo } from '@graphmind-ai/schema'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type MouseEvent, memo, type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { runAddress } from '../../model/address.ts'
import { agoAsOf, plural } from '../../model/format.ts'
import { nextSort, RUN_COLUMNS, sortOf } from '../../model/run-columns.ts'
import { NEWEST_FIRST } from '../../model/runs-address.ts'
import { useRowHeight } from '../../ui/density.ts'
import { useNow } from '../../ui/use-now.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import type { RowStep, RunEdit } from '../../ui/workbench.ts'
import { RunRow } from './run-row.tsx'
import styles from './runs.module.css'
import { useRowSlots } from './use-row-slots.ts'

const ROW_HEIGHT = { wide: 32, narrow: 54 }
const HEAD_HEIGHT = 30
/** Windows up to this wide show the columns as wide as they are given, px. */
const WIDTH_AS_GIVEN = 1250

/** Rows before the end at which the next ones are read. */
const READ_AHEAD = 60

/** What can be asked of the table by key. */
export interface TableHandle {
  move(step: RowStep): void
  focusCurrent(): void
}

interface RunsTableProps {
  readonly rows: readonly RunInfo[]
  /** Runs that came since and wait to be shown. */
  readonly news: number
  readonly showNews: () => void
  /** All that the filter keeps, as far as it is known. */
  readonly total: number
  readonly readNext: () => void
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly isNarrow: boolean
  readonly current: string | undefined
  readonly setCurrent: (runId: string) => void
  readonly selected: ReadonlySet<string>
  readonly select: (run: RunInfo, range: boolean) => void
  readonly renamed: string | undefined
  readonly edit: (run: RunInfo, what: RunEdit) => void
  readonly endRename: () => void
  readonly handle: RefObject<TableHandle | null>
}

export function RunsTable(table: RunsTableProps) {
  const { rows, news, showNews, sort, isNarrow, current, setCurrent } = table
  const scroller = useRef<HTMLDivElement>(null)
  const [atTop, setAtTop] = useState(true)
  const now = useNow(1000)
  const height = useRowHeight(isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide)
  const headHeight = isNarrow ? 0 : HEAD_HEIGHT
  // The head lies over the first rows, and pushes the last ones down by its height.
  const inPage = useRowWindow({ scroller, count: rows.length, height, overscan: 4, head: headHeight })

  const above = inPage.items[0]?.start ?? 0
  const below = inPage.total - above - inPage.items.length * height
  const focused = document.activeElement?.closest('tr')?.dataset['run']
  const slots = useRowSlots(
    inPage.items.map(({ index }) => rows[index]?.id ?? ''),
    (id) => id === focused || id === table.renamed,
  )
  const isNearEnd = (inPage.items.at(-1)?.index ?? 0) >= rows.length - READ_AHEAD
  const { readNext } = table
  useEffect(() => {
    if (isNearEnd) readNext()
  }, [isNearEnd, readNext])
  // New rows wait while the reader is not at the top, so that nothing moves under the pointer; in another order their place is not there.
  const takesNews = atTop && news > 0 && sort === NEWEST_FIRST
  useEffect(() => {
    if (takesNews) showNews()
  }, [takesNews, showNews])

  // One for all rows: a link of the router's own listens to the address, and of these there would be one a row.
  const [, navigate] = useLocation()
  const onOpen = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      const { altKey, ctrlKey, metaKey, shiftKey, button, currentTarget } = event
      const runId = currentTarget.dataset['row']
      if (runId === undefined || altKey || ctrlKey || metaKey || shiftKey || button !== 0) return
      event.preventDefault()
      navigate(runAddress(runId))
    },
    [navigate],
  )

  // A row that is walked to may first have to be drawn.
  const toFocus = useRef<string>(undefined)
  const focusIfDrawn = () => {
    if (toFocus.current === undefined) return
    const link = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(toFocus.current)}"]`)
    if (link === null || link === undefined) return
    toFocus.current = undefined
    link.focus({ preventScroll: true })
  }
  useEffect(focusIfDrawn)
  const at = rows.findIndex((run) => run.id === current)
  const walkTo = (index: number) => {
    const run = rows[index]
    if (run === undefined) return
    toFocus.current = run.id
    setCurrent(run.id)
    inPage.scrollTo(index)
    focusIfDrawn()
  }
  useImperativeHandle(table.handle, () => ({
    move(step) {
      const last = rows.length - 1
      walkTo({ next: Math.min(last, at + 1), previous: Math.max(0, at - 1), first: 0, last }[step])
    },
    focusCurrent: () => walkTo(Math.max(0, at)),
  }))

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-narrow={isNarrow}
      onScroll={({ currentTarget }) => setAtTop(currentTarget.scrollTop < height)}
    >
      {news > 0 && !takesNews && (
        <button
          type="button"
          className={styles.news}
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 })
            showNews()
          }}
        >
          {plural(news, 'new run')} ↑
        </button>
      )}
      <table aria-label="Runs" aria-rowcount={table.total + 1} className={styles.table}>
        <colgroup>
          <col className={styles.check} />
          {isNarrow ? (
            <col />
          ) : (
            RUN_COLUMNS.map(({ id, width, spare }) => <col key={id} style={{ width: columnWidth(width) }} data-spare={spare} />)
          )}
          <col className={styles.more} />
        </colgroup>
        <thead className={isNarrow ? 'visually-hidden' : undefined}>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles.check}>
              <span className="visually-hidden">Selected</span>
            </th>
            {isNarrow ? <th scope="col">Run</th> : <HeadCells sort={sort} onSort={table.onSort} />}
            <th scope="col" className={styles.more}>
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr style={{ height: above }} />}
          {inPage.items.map((item) => {
            const run = rows[item.index]
            if (run === undefined) return null
            return (
              <RunRow
                key={slots.get(run.id)}
                run={run}
                index={item.index}
                height={height}
                nowMs={run.status === 'running' ? now : agoAsOf(run.startedAt, now)}
                isNarrow={isNarrow}
                isCurrent={run.id === current || (at < 0 && item.index === 0)}
                isSelected={table.selected.has(run.id)}
                isRenamed={table.renamed === run.id}
                onFocus={setCurrent}
                onOpen={onOpen}
                onSelect={table.select}
                edit={table.edit}
                endRename={table.endRename}
              />
            )
          })}
          {below > 0 && <tr style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}

/** Each head sorts by its column; pressed again it turns the order round. Not drawn again while the list scrolls. */
const HeadCells = memo(function HeadCells({ sort, onSort }: { sort: string; onSort: (sort: string) => void }) {
  return RUN_COLUMNS.map((column) => {
    const sorted = sortOf(sort, column)
    return (
      <th key={column.id} scope="col" data-numeric={column.numeric} data-spare={column.spare} aria-sort={sorted ?? 'none'}>
        <button type="button" className={styles.head} onClick={() => onSort(nextSort(sort, column))}>
          {column.title}
          {sorted === 'ascending' && <ArrowUp size={12} aria-hidden="true" />}
          {sorted === 'descending' && <ArrowDown size={12} aria-hidden="true" />}
        </button>
      </th>
    )
  })
})

/** Wide windows give to all columns, not to the names alone. */
function columnWidth(px: number | undefined): string | undefined {
  return px === undefined ? undefined : `max(${px}px, ${(px / WIDTH_AS_GIVEN) * 100}vw)`
}
