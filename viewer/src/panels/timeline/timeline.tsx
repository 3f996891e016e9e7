import { ChevronDown } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { OpenRun } from '../../link/viewer-state.ts'
import { findCalls } from '../../model/find-calls.ts'
import { count, plural } from '../../model/format.ts'
import { pathToRoot } from '../../model/rows.ts'
import { timeAxis } from '../../model/time-axis.ts'
import { treeMove } from '../../model/tree-move.ts'
import { listRows, type RowFolds, type TreeRow } from '../../model/tree-rows.ts'
import { Button } from '../../ui/button.tsx'
import { useRowHeight } from '../../ui/density.ts'
import { GRID_CELL, GRID_ROW } from '../../ui/grid-roles.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useOutlook } from '../../ui/use-outlook.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { useRows } from '../../ui/use-rows.ts'
import { pulseMs, useRunPulse } from '../../ui/use-run-pulse.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { Overview } from './overview.tsx'
import { Ruler } from './ruler.tsx'
import { shareOf } from './share.ts'
import styles from './timeline.module.css'
import { rowId, TimelineRowView } from './timeline-row.tsx'
import { TimelineTools } from './timeline-tools.tsx'
import { useFollow } from './use-follow.ts'
import { useRangeInAddress } from './use-range-in-address.ts'
import { useTimeView } from './use-time-view.ts'
import { useWidth } from './use-width.ts'
import { useZoomAtPointer } from './use-zoom-at-pointer.ts'

const ROW_HEIGHT = 26
/** Lines that Page Down and Page Up go. */
const PAGE_LINES = 15
/** More like calls than this, one after the other, are one line until opened. */
const MOST_ALIKE = 5
const NONE: ReadonlySet<string> = new Set()

/** The run along time: one line per call in the order of the tree. */
export default function Timeline() {
  const run = useFacts((state) => state.run)
  const abandoned = useOutlook() === 'abandoned'
  const open = run !== undefined && run.picture.status === 'running' && !abandoned
  const everyMs = pulseMs(run)
  const now = useRunNow(everyMs ?? 100, open)
  const news = useRunPulse()
  // The clock of a large run that goes on is a pulse already, and the axis is not made anew for both.
  const pulse = open && everyMs !== undefined ? now : news
  // Time goes on and calls come in between the keys: what a person does is drawn first.
  return <Grid run={useDeferredValue(run)} pulse={useDeferredValue(pulse)} now={useDeferredValue(now)} open={open} />
}

interface GridProps {
  readonly run: OpenRun | undefined
  /** Another one whenever the axis is to be made and hits are to be looked for anew. */
  readonly pulse: number
  /** Epoch ms. */
  readonly now: number
  readonly open: boolean
}

const Grid = memo(function Grid({ run, pulse, now, open }: GridProps) {
  const { workbench } = useViewer()
  const { instanceId: selected, select, find: text, onlyFound: onlyHits, range, go } = useSelection()
  const setText = useCallback((find: string) => go({ find }), [go])
  const setOnlyHits = useCallback((onlyFound: boolean) => go({ onlyFound }), [go])
  const [folded, setFolded] = useState(NONE)
  const [opened, setOpened] = useState(NONE)
  const [activeKey, setActiveKey] = useState<string>()
  const [clockTime, setClockTime] = useState(false)
  const root = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)

  const picture = run?.picture
  const axis = useMemo(() => (picture === undefined || pulse < 0 ? undefined : timeAxis(picture, now)), [picture, pulse, now])
  const structure = run?.structure
  const allRows = useRows(
    picture,
    structure,
    useMemo((): RowFolds => ({ folded, opened, mostAlike: MOST_ALIKE }), [folded, opened]),
  )
  const hits = useMemo(() => (picture === undefined || pulse < 0 ? [] : findCalls(picture, text)), [picture, pulse, text])
  const hitSet = useMemo(() => new Set(hits), [hits])
  const filtering = onlyHits && text.trim() !== ''
  const rows = useMemo(() => (filtering ? hits.map(flatRow) : allRows), [filtering, hits, allRows])

  const view = useTimeView(axis, range)
  useRangeInAddress(view, axis, range, go)
  const track = useWidth(scroller)
  const height = useRowHeight(ROW_HEIGHT)
  const zoomAtPointer = useZoomAtPointer(scroller, view)
  const inPage = useRowWindow({ scroller, count: rows.length, height, overscan: 4 })
  const follow = useFollow(scroller, rows.length, open && run?.asOf === undefined && run?.phase === 'ready')

  const indexOf = (key: string | undefined) =>
    key === undefined
      ? -1
      : rows.findIndex((row) => row.key === key || (row.type === 'group' && !row.expanded && row.instanceIds.includes(key)))
  const activeIndex = indexOf(activeKey !== undefined && rows.some((row) => row.key === activeKey) ? activeKey : selected)
  const active = rows[activeIndex]

  // Selecting elsewhere brings the line into view; new lines never scroll anything.
  const scrollTo = useRef<(key: string) => void>(() => undefined)
  scrollTo.current = (key) => {
    const index = indexOf(key)
    if (index >= 0) inPage.scrollTo(index)
  }
  const told = rows.length > 0 && run?.phase === 'ready'
  useEffect(() => {
    setActiveKey(undefined)
    if (selected !== undefined && told) scrollTo.current(selected)
  }, [selected, told])

  const toggle = useCallback((row: TreeRow, expand = !row.expanded) => {
    if (row.type === 'group') setOpened((before) => changed(before, row.key, expand))
    else setFolded((before) => changed(before, row.key, !expand))
  }, [])
  const goTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined) return
    follow.leave()
    setActiveKey(row.key)
    inPage.scrollTo(rows.indexOf(row))
    if (row.type === 'call') select(row.instanceId)
  }
  /** Opens whatever hides the call, and selects it. */
  const reveal = (id: string) => {
    if (picture === undefined) return
    const path = new Set(pathToRoot(picture, id).map((ancestor) => ancestor.id))
    setFolded((before) => new Set([...before].filter((key) => !path.has(key))))
    const everything = listRows(picture, { folded: NONE, opened: NONE, mostAlike: MOST_ALIKE }).rows
    const hiding = everything.flatMap((row) => (row.type === 'group' && row.instanceIds.some((call) => path.has(call)) ? [row.key] : []))
    setOpened((before) => new Set([...before, ...hiding]))
    select(id)
  }
  const cycle = (step: 1 | -1) => {
    const at = selected === undefined ? -1 : hits.indexOf(selected)
    const next = hits[(at + step + hits.length) % Math.max(1, hits.length)]
    if (next !== undefined) reveal(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const move = treeMove(event.key, rows, activeIndex, (row) => row.expandable)
    if (move?.type === 'go') goTo(move.to)
    else if (move?.type === 'fold' && active !== undefined) toggle(active, !move.fold)
    else if (event.key === 'PageDown') goTo(activeIndex + PAGE_LINES)
    else if (event.key === 'PageUp') goTo(activeIndex - PAGE_LINES)
    else if (event.key === 'Enter' && active?.expandable === true) toggle(active)
    else if (move === undefined) return
    event.preventDefault()
  }

  const keys = useRef({ view, axis, picture, selected })
  keys.current = { view, axis, picture, selected }
  useEffect(() => {
    const section = root.current
    workbench.setState({
      timeline: {
        fit: () => keys.current.view.all(),
        frameSelection: () => {
          const { picture: run, axis: shown, selected: id } = keys.current
          const instance = id === undefined ? undefined : run?.instances.get(id)
          if (instance === undefined || shown === undefined) return
          const from = shown.toAxis(instance.startedAt)
          const to = shown.toAxis(instance.endedAt ?? Date.now())
          const margin = Math.max(0.5, (to - from) * 0.1)
          keys.current.view.show(from - margin, to + margin)
        },
        zoomIn: () => zoomAtPointer(0.5),
        zoomOut: () => zoomAtPointer(2),
        pan: (part) => keys.current.view.pan(part),
        find: () => search.current?.focus(),
        active: () => section?.contains(document.activeElement) === true || section?.matches(':hover') === true,
      },
    })
    return () => workbench.setState({ timeline: undefined })
  }, [workbench, zoomAtPointer])

  if (picture === undefined || axis === undefined) return null
  const window = { from: view.from, span: view.span }
  return (
    <section ref={root} className={styles.timeline} aria-label="Timeline">
      <TimelineTools
        search={search}
        text={text}
        setText={setText}
        hits={hits.length}
        hitAt={selected === undefined ? -1 : hits.indexOf(selected)}
        cycle={cycle}
        leave={() => scroller.current?.focus()}
        onlyHits={onlyHits}
        setOnlyHits={setOnlyHits}
        clockTime={clockTime}
        setClockTime={setClockTime}
        view={view}
      />
      <Overview picture={picture} axis={axis} view={view} nowMs={now} />
      <div className={styles.rulerLine}>
        <span className={styles.names} aria-hidden="true">
          {plural(picture.instances.size, 'step')}
        </span>
        <Ruler axis={axis} view={view} clockTime={clockTime} width={track * 0.66} />
      </div>
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Timeline"
        aria-rowcount={rows.length}
        aria-activedescendant={active !== undefined && inPage.has(activeIndex) ? rowId(active.key) : undefined}
        tabIndex={0}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-key]') : null
          const row = rows.find((candidate) => candidate.key === line?.dataset['key'])
          if (row === undefined) return
          setActiveKey(row.key)
          if (row.type === 'call') select(row.instanceId)
          else if (row.type === 'group') toggle(row)
        }}
      >
        {rows.length === 0 ? (
          <div {...GRID_ROW} className={styles.empty}>
            <div {...GRID_CELL}>
              {filtering
                ? 'Nothing matches. Switch off “Only matches” to see everything.'
                : run?.phase === 'ready'
                  ? 'Nothing has started yet. Each step shows up here when it starts.'
                  : 'Loading the run…'}
            </div>
          </div>
        ) : (
          <div role="presentation" className={styles.rows} style={{ height: inPage.total, '--row': `${height}px` } as CSSProperties}>
            <div role="presentation" className={styles.bands}>
              {axis.folds.map((fold) => (
                <span
                  key={fold.from}
                  className={styles.band}
                  data-held={fold.held}
                  style={{
                    left: `${shareOf(fold.at, window)}%`,
                    width: `${shareOf(fold.at + fold.width, window) - shareOf(fold.at, window)}%`,
                  }}
                />
              ))}
              {open && <span className={styles.now} style={{ left: `${shareOf(axis.toAxis(now), window)}%` }} />}
            </div>
            {inPage.items.map((item) => {
              const row = rows[item.index]
              return row === undefined ? null : (
                <TimelineRowView
                  key={row.key}
                  row={row}
                  rowIndex={item.index + 1}
                  top={item.start}
                  active={item.index === activeIndex}
                  selected={row.type === 'call' && row.instanceId === selected}
                  hit={row.type === 'call' && hitSet.has(row.instanceId)}
                  axis={axis}
                  from={view.from}
                  span={view.span}
                  toggle={toggle}
                />
              )
            })}
          </div>
        )}
      </div>
      {follow.missed !== undefined && (
        <Button onClick={follow.resume} title="Go to the newest step and follow">
          Live <ChevronDown size={13} aria-hidden="true" /> {follow.missed > 0 ? `${count(follow.missed)} new` : ''}
        </Button>
      )}
    </section>
  )
})

function flatRow(instanceId: string): TreeRow {
  return {
    type: 'call',
    key: instanceId,
    instanceId,
    parent: undefined,
    position: 1,
    level: 1,
    expanded: false,
    expandable: false,
  }
}

function changed(before: ReadonlySet<string>, key: string, wanted: boolean): ReadonlySet<string> {
  const next = new Set(before)
  if (wanted) next.add(key)
  else next.delete(key)
  return next
}
