import { treeOf } from '@graphmind-ai/schema'
import {
  type CSSProperties,
  type Dispatch,
  type KeyboardEvent,
  memo,
  type SetStateAction,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { count, duration, plural, ticking } from '../../model/format.ts'
import { instanceState, STATE_WORDS, touchedWords } from '../../model/states.ts'
import { timingOf } from '../../model/timing.ts'
import { treeMove } from '../../model/tree-move.ts'
import { type CallRow, type HeadingRow, idsBelow, type RowFolds, type TreeRow } from '../../model/tree-rows.ts'
import { cx } from '../../ui/cx.ts'
import { useRowHeight } from '../../ui/density.ts'
import { HeldTime } from '../../ui/held-time.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { ORPHANS_TITLE, ORPHANS_WHY, StepFold, StepLabel, stepLabelWords } from '../../ui/step-label.tsx'
import { useRunNow } from '../../ui/use-now.ts'
import { useOutlook } from '../../ui/use-outlook.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { useRows } from '../../ui/use-rows.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useWorkbench } from '../../ui/viewer-context.tsx'
import { BreakpointToggle } from '../breakpoints/breakpoint-toggle.tsx'
import styles from './outline.module.css'

const ROW_HEIGHT = 26
/** Px a level is moved in. */
const INDENT = 14
const NONE: ReadonlySet<string> = new Set()

/** The run as a tree of everything that ran, in order of start. */
export function Outline() {
  // Which lines there are may come a moment later than what they say: a key never waits for a long list.
  const picture = useDeferredValue(useFacts((state) => state.run?.picture))
  const structure = useDeferredValue(useFacts((state) => state.run?.structure))
  const phase = useFacts((state) => state.run?.phase)
  const [folded, setFolded] = useState(NONE)
  const rows = useRows(
    picture,
    structure,
    useMemo((): RowFolds => ({ folded, opened: NONE, mostAlike: Number.POSITIVE_INFINITY }), [folded]),
  )
  return (
    <section className={styles.panel} aria-labelledby="outline-title">
      <h2 id="outline-title">
        Run outline {picture !== undefined && picture.instances.size > 0 && <span>{plural(picture.instances.size, 'step')}</span>}
      </h2>
      {rows.length === 0 ? (
        <p className={styles.empty}>
          {phase === 'ready' ? 'Nothing has started yet. Each step shows up here when it starts.' : 'Loading the run…'}
        </p>
      ) : (
        <Tree rows={rows} setFolded={setFolded} />
      )}
    </section>
  )
}

interface TreeProps {
  readonly rows: readonly TreeRow[]
  readonly setFolded: Dispatch<SetStateAction<ReadonlySet<string>>>
}

const Tree = memo(function Tree({ rows, setFolded }: TreeProps) {
  const { instanceId: selected, select } = useSelection()
  const scroller = useRef<HTMLDivElement>(null)
  const height = useRowHeight(ROW_HEIGHT)
  const inPage = useRowWindow({ scroller, count: rows.length, height, overscan: 6 })
  const at = rows.findIndex((row) => row.key === selected)
  const active = rows[at]

  // Selecting elsewhere brings the row into view; new rows never scroll anything.
  const scrollTo = useRef<(index: number) => void>(() => undefined)
  scrollTo.current = inPage.scrollTo
  const index = useRef(at)
  index.current = at
  const told = rows.length > 0 && at >= 0
  useEffect(() => {
    if (selected !== undefined && told) scrollTo.current(index.current)
  }, [selected, told])

  const fold = useCallback(
    (instanceId: string, fold: boolean) =>
      setFolded((folded) => {
        const next = new Set(folded)
        if (fold) next.add(instanceId)
        else next.delete(instanceId)
        return next
      }),
    [setFolded],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const move = treeMove(event.key, rows, at, (row) => row.expandable)
    if (move === undefined) return
    if (move.type === 'go') {
      const to = Math.max(0, Math.min(rows.length - 1, move.to))
      // A heading is nothing to select.
      const beyond = rows[to]?.type !== 'heading' ? to : to > at || to === 0 ? to + 1 : to - 1
      select(rows[beyond]?.key)
    }
    if (move.type === 'fold' && active !== undefined) fold(active.key, move.fold)
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Run outline"
      aria-activedescendant={active !== undefined && inPage.has(at) ? rowId(active.key) : undefined}
      tabIndex={0}
      className={styles.tree}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-instance]') : null
        if (row?.dataset['instance'] !== undefined) select(row.dataset['instance'])
      }}
    >
      <div role="presentation" className={styles.lines} style={{ height: inPage.total, '--row': `${height}px` } as CSSProperties}>
        {inPage.items.map((item) => {
          const row = rows[item.index]
          if (row?.type === 'heading') return <OrphansRow key={row.key} row={row} top={item.start} />
          return row?.type !== 'call' ? null : <Row key={row.key} row={row} top={item.start} selected={row.key === selected} fold={fold} />
        })}
      </div>
    </div>
  )
})

function rowId(instanceId: string): string {
  return `outline-${instanceId}`
}

function OrphansRow({ row, top }: { row: HeadingRow; top: number }) {
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-selected={false}
      aria-expanded={true}
      className={cx(styles.row, styles.heading)}
      style={{ transform: `translateY(${top}px)` }}
      title={ORPHANS_WHY}
    >
      {ORPHANS_TITLE} <span>{count(row.count)}</span>
    </div>
  )
}

interface RowProps {
  readonly row: CallRow
  readonly top: number
  readonly selected: boolean
  readonly fold: (instanceId: string, fold: boolean) => void
}

const Row = memo(function Row({ row, top, selected, fold }: RowProps) {
  const picture = useFacts((state) => state.run?.picture)
  const instance = useFacts((state) => state.run?.picture.instances.get(row.key))
  const lit = useWorkbench((state) => state.lit?.has(row.key) === true)
  const outlook = useOutlook()
  const abandoned = outlook === 'abandoned'
  const now = useRunNow(100, instance?.status === 'running' && !abandoned)
  if (picture === undefined || instance === undefined) return null
  const state = instanceState(picture, instance, outlook)
  const { workMs, heldMs, open } = timingOf(picture, instance, now, abandoned)
  const time = instance.status === 'paused' || workMs === undefined ? '' : open ? ticking(workMs) : duration(workMs)
  // An ancestor's own line stays short: the holds are told where they were.
  const held = instance.pauseIds.length > 0 && instance.status !== 'paused' ? heldMs : 0
  const heldWords = held < 1 ? '' : `+ ${duration(held)} held`
  const seen = [stepLabelWords(instance), time, heldWords].filter(Boolean).join(' ')
  return (
    <div
      id={rowId(row.key)}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.position}
      // As of when the row was last drawn: each sibling that comes would draw them all.
      aria-setsize={idsBelow(treeOf(picture), row.parent).length}
      aria-selected={selected}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-label={[seen, instance.kind, STATE_WORDS[state].toLowerCase(), touchedWords(instance)].filter(Boolean).join(', ')}
      className={cx(styles.row, selected && styles.selected)}
      data-state={state}
      style={{ transform: `translateY(${top}px)` }}
      data-lit={lit}
      data-instance={row.key}
    >
      <span className={styles.breakpoint}>
        <BreakpointToggle kind={instance.kind} name={instance.name} ungated={instance.ungated} inList />
      </span>
      <StepFold
        level={row.level}
        indent={INDENT}
        expanded={row.expandable ? row.expanded : undefined}
        toggle={() => fold(row.key, row.expanded)}
      />
      <StepLabel instance={instance} />
      <span className={styles.time}>
        {time} <HeldTime ms={held} />
      </span>
      <StateMark state={state} size={13} />
    </div>
  )
})
