import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { plural } from '../../model/format.ts'
import { runList } from '../../model/run-list.ts'
import { Button } from '../../ui/button.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { recall, remember } from '../../ui/remembered.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { FirstRun } from '../first-run/first-run.tsx'
import { COLUMNS, ROW_HEIGHT, RunRow } from './run-row.tsx'
import styles from './runs-page.module.css'

export function RunsPage() {
  const { actions } = useViewer()
  const runs = useFacts((state) => state.runs)
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label="Runs">
      <PanelBoundary name="runs">
        {runs === undefined ? <p className={styles.waiting}>Waiting for the collector…</p> : runs.size === 0 ? <FirstRun /> : <RunsTable />}
      </PanelBoundary>
    </main>
  )
}

function RunsTable() {
  const runs = useFacts((state) => state.runs)
  const [text, setText] = useState('')
  const [showOther, setShowOther] = useState(() => recall('show-other', (stored) => stored === 'on', false))
  const list = useMemo(() => runList(runs?.values() ?? [], { text, showOther }), [runs, text, showOther])
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, news, showNews } = useHeldBack(list.rows, scroller)
  const now = useNow(1000)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })

  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)

  const toggleOther = () => {
    remember('show-other', showOther ? 'off' : 'on')
    setShowOther(!showOther)
  }
  return (
    <>
      <div className={styles.tools}>
        <h1>Runs</h1>
        <label className={styles.filter}>
          <Search size={13} aria-hidden="true" />
          <span className="visually-hidden">Filter by name, app, model or id</span>
          <input
            type="search"
            value={text}
            placeholder="Filter by name, app, model or id"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <span className={styles.shown}>
          {plural(rows.length, 'run')}
          {list.hiddenByText > 0 && ` · ${list.hiddenByText} hidden by the filter`}
        </span>
        {(list.hiddenOther > 0 || showOther) && (
          <label className={styles.other}>
            <input type="checkbox" checked={showOther} onChange={toggleOther} />
            {showOther ? 'Show other traffic' : `Show other traffic (${list.hiddenOther} hidden)`}
          </label>
        )}
      </div>
      {rows.length === 0 ? (
        <div className={styles.waiting}>
          {list.hiddenByText > 0 ? (
            <>
              <p>No run matches “{text}”.</p>
              <Button onClick={() => setText('')}>Clear filter · {list.hiddenByText} hidden</Button>
            </>
          ) : (
            <>
              <p>Only plain web traffic so far, which is hidden at first: no agent, model call, tool, chain or retriever.</p>
              <Button onClick={toggleOther}>Show other traffic · {list.hiddenOther} hidden</Button>
            </>
          )}
        </div>
      ) : (
        <div ref={scroller} className={styles.scroller}>
          {news > 0 && (
            <button type="button" className={styles.news} onClick={showNews}>
              {plural(news, 'new run')} ↑
            </button>
          )}
          <table aria-label="Runs" aria-rowcount={rows.length + 1} className={styles.table}>
            <colgroup>
              {COLUMNS.map(({ title, width }) => (
                <col key={title} style={{ width }} />
              ))}
            </colgroup>
            <thead>
              <tr aria-rowindex={1}>
                {COLUMNS.map(({ title, numeric }) => (
                  <th key={title} scope="col" data-numeric={numeric}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {above > 0 && <tr style={{ height: above }} />}
              {items.map((item) => {
                const run = rows[item.index]
                return run === undefined ? null : <RunRow key={run.id} run={run} index={item.index} nowMs={now} />
              })}
              {below > 0 && <tr style={{ height: below }} />}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

/** New rows wait behind a button while the reader is not at the top, so that nothing moves under the pointer. */
function useHeldBack<Row extends { readonly id: string }>(all: readonly Row[], scroller: React.RefObject<HTMLDivElement | null>) {
  const shown = useRef<ReadonlySet<string> | undefined>(undefined)
  const [, redraw] = useState(0)
  const atTop = (scroller.current?.scrollTop ?? 0) < ROW_HEIGHT
  if (shown.current === undefined || atTop) shown.current = new Set(all.map((row) => row.id))
  const known = shown.current
  // Rows that were there before a filter changed are not news: only what begins above the newest known one is.
  const first = all.findIndex((row) => known.has(row.id))
  const news = Math.max(0, first)
  return {
    rows: news === 0 ? all : all.slice(news),
    news,
    showNews: () => {
      shown.current = undefined
      scroller.current?.scrollTo({ top: 0 })
      redraw((count) => count + 1)
    },
  }
}
