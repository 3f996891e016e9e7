import type { RunInfo } from '@graphmind-ai/schema'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { runAddress } from '../../model/address.ts'
import { wordsOf } from '../../model/filter-words.ts'
import { count, plural } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import { recall, remember } from '../../ui/remembered.ts'
import { useAddressText } from '../../ui/use-address-text.ts'
import { useScreen } from '../../ui/use-screen.ts'
import type { RunEdit } from '../../ui/workbench.ts'
import { FilterLine } from './filter-line.tsx'
import { MarksDialog } from './marks-dialog.tsx'
import { NarrowSort } from './narrow-sort.tsx'
import styles from './runs.module.css'
import { RunsEmpty } from './runs-empty.tsx'
import { RunsTable, type TableHandle } from './runs-table.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useRunPages } from './use-run-pages.ts'
import { useRunsAddress } from './use-runs-address.ts'
import { useRunsScreen } from './use-runs-screen.ts'
import { useSelectedRuns } from './use-selected-runs.ts'

const NO_RUNS: readonly RunInfo[] = []

/** The runs: filtered, sorted, marked, and opened. */
export function RunsList() {
  const [, navigate] = useLocation()
  const isNarrow = useScreen() === 'narrow'
  const address = useRunsAddress()
  const { filter, sort, go } = address
  const [remembered, setRemembered] = useState(() => recall('show-other', (stored) => stored === 'on', false))
  const showOther = address.showOther ?? remembered
  const [text, setText] = useAddressText(filter, (written) => go({ filter: written }))
  const [current, setCurrent] = useState<string>()
  const [editing, setEditing] = useState<{ readonly runs: readonly RunInfo[]; readonly what: RunEdit }>()
  const list = useRunPages({ filter, sort, showOther }, current)
  const rows = list.shown?.rows ?? NO_RUNS
  const words = useMemo(() => wordsOf(rows), [rows])
  const field = useRef<HTMLInputElement>(null)
  const table = useRef<TableHandle>(null)
  const { selected, chosen, select, selectAll, selectNone } = useSelectedRuns(rows)
  const currentRun = rows.find((run) => run.id === current)

  useRunsScreen({
    field,
    move: (step) => table.current?.move(step),
    open: () => currentRun !== undefined && navigate(runAddress(currentRun.id)),
    runs: {
      chosen: () => (chosen.length > 0 ? chosen : currentRun === undefined ? [] : [currentRun]),
      toggle: () => currentRun !== undefined && select(currentRun, false),
      selectAll,
      selectNone,
      edit: (what) => setEditing({ what, runs: chosen.length > 0 ? chosen : currentRun === undefined ? [] : [currentRun] }),
    },
  })
  useKeptPlace(rows, current, setCurrent, table)

  const setShowOther = (next: boolean) => {
    remember('show-other', next ? 'on' : 'off')
    setRemembered(next)
    go({ showOther: undefined })
  }
  const showNews = useCallback(() => {
    if (sort === '-started') list.takeNews()
    else void list.readAgain()
  }, [sort, list.takeNews, list.readAgain])
  const { pages, problems, problem, isReading } = list
  const total = pages?.nextCursor === undefined ? rows.length : (pages.counts?.matching ?? rows.length)
  const hidden = pages?.counts === undefined ? 0 : pages.counts.all - pages.counts.matching - pages.hiddenOther
  const closeMarks = () => {
    setEditing(undefined)
    // Once the dialog no longer keeps the focus.
    requestAnimationFrame(() => table.current?.focusCurrent())
  }
  const endRename = useCallback(() => {
    setEditing(undefined)
    table.current?.focusCurrent()
  }, [])
  const onSort = useCallback((next: string) => go({ sort: next }), [go])
  const edit = useCallback((run: RunInfo, what: RunEdit) => setEditing({ runs: [run], what }), [])
  return (
    <>
      <div className={styles.tools}>
        <FilterLine
          text={text}
          onChange={setText}
          problems={text === filter ? problems : []}
          words={words}
          onDone={() => table.current?.focusCurrent()}
          inputRef={field}
        />
        {isNarrow && <NarrowSort sort={sort} onSort={onSort} />}
      </div>
      <div className={styles.tools}>
        {chosen.length > 0 ? (
          <SelectionBar runs={chosen} clear={selectNone} />
        ) : (
          <SavedFilters
            filter={filter}
            sort={sort}
            isSound={problems.length === 0}
            show={(next, order) => go({ filter: next, sort: order })}
          />
        )}
        <p role="status" className={styles.shown}>
          {pages === undefined ? '' : `${plural(total, 'run')}${hidden > 0 ? ` · ${count(hidden)} hidden by the filter` : ''}`}
        </p>
        {((pages?.hiddenOther ?? 0) > 0 || showOther) && (
          <label className={styles.other}>
            <input type="checkbox" checked={showOther} onChange={({ target }) => setShowOther(target.checked)} />
            {showOther ? 'Show other traffic' : `Show other traffic (${count(pages?.hiddenOther)} hidden)`}
          </label>
        )}
      </div>
      {problem !== undefined && pages !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem} <Button onClick={() => void list.readAgain()}>Read again</Button>
        </p>
      )}
      {rows.length === 0 ? (
        <RunsEmpty
          isReading={pages === undefined && problem === undefined && problems.length === 0}
          isUnderstood={problems.length === 0}
          problem={pages === undefined ? problem : undefined}
          filter={filter}
          hidden={hidden}
          hiddenOther={pages?.hiddenOther ?? 0}
          readAgain={() => void list.readAgain()}
          clearFilter={() => go({ filter: '' })}
          showOther={() => setShowOther(true)}
        />
      ) : (
        <RunsTable
          key={String(isNarrow)}
          rows={rows}
          news={list.shown?.news.length ?? 0}
          showNews={showNews}
          total={total}
          readNext={list.readNext}
          sort={sort}
          onSort={onSort}
          isNarrow={isNarrow}
          current={current}
          setCurrent={setCurrent}
          selected={selected}
          select={select}
          renamed={editing?.what === 'name' ? editing.runs[0]?.id : undefined}
          edit={edit}
          endRename={endRename}
          handle={table}
        />
      )}
      {isReading && pages !== undefined && <span className={styles.reading} role="progressbar" aria-label="Reading runs" />}
      {editing?.what === 'marks' && editing.runs.length > 0 && (
        <MarksDialog runs={editing.runs} known={words['tag'] ?? []} close={closeMarks} />
      )}
    </>
  )
}

/** When the row with the focus leaves the list, the one that takes its place gets it, so that keys go on from there. */
function useKeptPlace(
  rows: readonly RunInfo[],
  current: string | undefined,
  setCurrent: (runId: string) => void,
  table: React.RefObject<TableHandle | null>,
): void {
  const place = useRef(-1)
  useEffect(() => {
    const at = rows.findIndex((run) => run.id === current)
    if (at >= 0) {
      place.current = at
      return
    }
    const heir = rows[Math.min(place.current, rows.length - 1)]
    if (current === undefined || place.current < 0 || heir === undefined) return
    setCurrent(heir.id)
    if (document.activeElement === document.body) requestAnimationFrame(() => table.current?.focusCurrent())
  }, [rows, current, setCurrent, table])
}
