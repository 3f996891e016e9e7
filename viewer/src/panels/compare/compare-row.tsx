import { Equal, type LucideIcon, Minus, PencilLine, Plus } from 'lucide-react'
import { memo } from 'react'
import type { ComparedCall, ComparedPair } from '../../link/read-comparison.ts'
import { changeWords, deltaWords, type Measure, type Place, tokenDelta, VERDICT_WORDS, type Verdict } from '../../model/compare-view.ts'
import { duration, exactDuration } from '../../model/format.ts'
import { cx } from '../../ui/cx.ts'
import { GRID_CELL, GRID_ROW } from '../../ui/grid-roles.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import { KindAndName } from '../../ui/step-label.tsx'
import styles from './compare.module.css'

export const COMPARE_COLUMNS: readonly { readonly title: string; readonly numeric: boolean }[] = [
  { title: 'Verdict', numeric: false },
  { title: 'Left', numeric: false },
  { title: 'Right', numeric: false },
  { title: 'Time', numeric: true },
  { title: 'Tokens', numeric: true },
  { title: 'Cost', numeric: true },
  { title: 'Differs in', numeric: false },
]

const INDENT = 12
/** Deeper calls are moved in no further, so that their names stay readable. */
const DEEPEST_INDENT = 12
const ICONS: Record<Verdict, LucideIcon> = { same: Equal, changed: PencilLine, 'left-only': Minus, 'right-only': Plus }

interface RowProps {
  readonly row: ComparedPair
  /** From 0. */
  readonly index: number
  readonly top: number
  readonly height: number
  readonly active: boolean
  readonly looked: boolean
  readonly place: (side: 'left' | 'right', call: ComparedCall) => Place
}

/** What belongs together in both runs, and what differs. */
export const ComparedRowView = memo(function ComparedRowView({ row, index, top, height, active, looked, place }: RowProps) {
  const { verdict } = row
  const Icon = ICONS[verdict]
  const aria = { 'aria-rowindex': index + 2, 'aria-level': row.depth + 1, 'aria-selected': looked }
  return (
    <div
      {...GRID_ROW}
      {...aria}
      id={rowId(index)}
      className={cx(styles.row, active && styles.active, looked && styles.looked)}
      data-row={index}
      data-verdict={verdict}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div {...GRID_CELL} className={styles.verdict} title={VERDICT_WORDS[verdict]}>
        <Icon size={13} aria-hidden="true" />
        <span>{VERDICT_WORDS[verdict]}</span>
      </div>
      <Side side="left" call={row.left} depth={row.depth} place={place} />
      <Side side="right" call={row.right} depth={row.depth} place={place} />
      {row.left === undefined || row.right === undefined ? (
        <>
          <div {...GRID_CELL} />
          <div {...GRID_CELL} />
          <div {...GRID_CELL} />
          <div {...GRID_CELL} />
        </>
      ) : (
        <>
          <DeltaCell measure="durationMs" delta={row.delta.durationMs} of={Math.max(row.left.durationMs ?? 0, row.right.durationMs ?? 0)} />
          <DeltaCell measure="inputTokens" delta={tokenDelta(row.delta)} of={0} />
          <DeltaCell measure="costUsd" delta={row.delta.costUsd} of={0} />
          <div {...GRID_CELL} className={styles.changes} title={changeWords(row.changes)}>
            {changeWords(row.changes)}
          </div>
        </>
      )}
    </div>
  )
})

function Side({
  side,
  call,
  depth,
  place,
}: Pick<RowProps, 'place'> & { side: 'left' | 'right'; call: ComparedCall | undefined; depth: number }) {
  if (call === undefined) {
    return (
      <div {...GRID_CELL} className={styles.absent} data-side={side}>
        <span className="visually-hidden">not in this run</span>
      </div>
    )
  }
  const { from, part } = place(side, call)
  return (
    <div {...GRID_CELL} className={styles.call} data-side={side}>
      <span style={{ width: Math.min(depth, DEEPEST_INDENT) * INDENT }} className={styles.indent} />
      <KindAndName kind={call.kind} name={call.name} />
      {call.model !== undefined && call.model !== call.name && <span className={styles.model}>{call.model} </span>}
      {call.status !== 'ok' && <StateMark state={call.status} labelled size={13} />}
      <span className={styles.track} aria-hidden="true">
        <span className={styles.bar} data-state={call.status} style={{ left: `${from * 100}%`, width: `${part * 100}%` }} />
      </span>
      <span className={styles.duration} title={exactDuration(call.durationMs)}>
        {duration(call.durationMs)}
      </span>
    </div>
  )
}

/** Empty when there is nothing to tell: a column of dashes hides the few figures. */
function DeltaCell({ measure, delta, of }: { measure: Measure; delta: number | undefined; of: number }) {
  const { text, words, tone } = deltaWords(measure, delta, of)
  return (
    <div {...GRID_CELL} className={styles.delta} data-tone={tone} title={words}>
      {delta === undefined || delta === 0 ? null : text}
    </div>
  )
}

export function rowId(index: number): string {
  return `compared-${index}`
}
