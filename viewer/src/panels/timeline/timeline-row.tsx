import type { RunPicture } from '@graphmind-ai/schema'
import { memo, type ReactNode } from 'react'
import { barOf } from '../../model/bars.ts'
import { count, duration, plural, ticking } from '../../model/format.ts'
import { instanceState, STATE_WORDS, touchedWords } from '../../model/states.ts'
import { endOf, type TimeAxis } from '../../model/time-axis.ts'
import { timingOf } from '../../model/timing.ts'
import type { GroupRow as Group, HeadingRow, TreeRow } from '../../model/tree-rows.ts'
import { cx } from '../../ui/cx.ts'
import { GRID_CELL, GRID_ROW } from '../../ui/grid-roles.ts'
import { HeldTime } from '../../ui/held-time.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { KindAndName, ORPHANS_TITLE, ORPHANS_WHY, StepFold, StepLabel, stepLabelWords } from '../../ui/step-label.tsx'
import { useRunNow } from '../../ui/use-now.ts'
import { useOutlook } from '../../ui/use-outlook.ts'
import { useFacts, useWorkbench } from '../../ui/viewer-context.tsx'
import { shareOf } from './share.ts'
import styles from './timeline.module.css'

const INDENT = 12
const NO_EVENTS: readonly never[] = []

interface RowProps {
  readonly row: TreeRow
  /** From 1, the heading being the first. */
  readonly rowIndex: number
  readonly top: number
  readonly active: boolean
  readonly selected: boolean
  readonly hit: boolean
  readonly axis: TimeAxis
  readonly from: number
  readonly span: number
  readonly toggle: (row: TreeRow) => void
}

/** One line: name on the left, bar on the right. */
export const TimelineRowView = memo(function TimelineRowView(props: RowProps) {
  const picture = useFacts((state) => state.run?.picture)
  const single = props.row.type === 'call' ? props.row.instanceId : undefined
  // Read for its identity too: an instance that changed is drawn again.
  const instance = useFacts((state) => (single === undefined ? undefined : state.run?.picture.instances.get(single)))
  if (picture === undefined) return null
  if (props.row.type === 'heading') return <OrphansRow {...props} row={props.row} />
  if (props.row.type === 'group') return <GroupRow {...props} row={props.row} picture={picture} />
  return instance === undefined ? null : <CallRow {...props} picture={picture} instance={instance} />
})

type Instance = NonNullable<ReturnType<RunPicture['instances']['get']>>

function CallRow({ picture, instance, ...props }: RowProps & { picture: RunPicture; instance: Instance }) {
  const { axis, from, span } = props
  const outlook = useOutlook()
  const abandoned = outlook === 'abandoned'
  const events = useFacts((state) => state.run?.log.get(instance.id)) ?? NO_EVENTS
  const open = !abandoned && (instance.status === 'running' || instance.status === 'paused')
  const now = useRunNow(100, open)
  const state = instanceState(picture, instance, outlook)
  const { workMs, heldMs } = timingOf(picture, instance, now, abandoned)
  const window = { from, span }
  const bar = barOf(picture, instance, events, now)
  const left = shareOf(axis.toAxis(bar.from), window)
  const right = shareOf(axis.toAxis(bar.to), window)
  const time = workMs === undefined ? '' : open && instance.status === 'running' ? ticking(workMs) : duration(workMs)
  const said = [
    `${instance.kind} ${stepLabelWords(instance)}`,
    STATE_WORDS[state].toLowerCase(),
    time,
    heldMs >= 1 ? `held ${duration(heldMs)}` : undefined,
    touchedWords(instance),
  ]
  const track = (
    <>
      <span className={styles.bar} data-state={state} style={{ left: `${left}%`, width: `${Math.max(0, right - left)}%` }} />
      {bar.held.map(([start, end]) => (
        <span
          key={start}
          className={styles.held}
          title={`Held for ${duration(end - start)}`}
          style={{
            left: `${shareOf(axis.toAxis(start), window)}%`,
            width: `${Math.max(0, shareOf(axis.toAxis(end), window) - shareOf(axis.toAxis(start), window))}%`,
          }}
        />
      ))}
      {bar.ticks.map((tick) => (
        <span
          key={`${tick.title} ${tick.at}`}
          className={styles.tick}
          data-tone={tick.tone}
          title={`${tick.title} at +${duration(tick.at - axis.start)}`}
          style={{ left: `${shareOf(axis.toAxis(tick.at), window)}%` }}
        />
      ))}
      {right > 0 && left < 100 && (
        <span className={styles.barText} data-on-bar={right > 80 && left < 45} style={placeOfText(left, right)}>
          {time} <HeldTime ms={heldMs} word />
          {bar.skewMs > 0 && (
            <span
              className={styles.skew}
              title="It says that it was outside the time of its caller: the clocks differ, or it went on by itself"
            >
              clock differs {duration(bar.skewMs)}
            </span>
          )}
        </span>
      )}
    </>
  )
  return (
    <Line {...props} state={state} label={said.filter(Boolean).join(', ')} track={track}>
      <StepLabel instance={instance} />
      <span className={styles.end}>
        <StateMark state={state} size={13} />
      </span>
    </Line>
  )
}

/** After the bar, before it, or on it, wherever there is room; left and right in %. */
function placeOfText(left: number, right: number): { left?: string; right?: string } {
  if (right <= 80) return { left: `${right}%` }
  return left >= 45 ? { right: `${100 - left}%` } : { left: `${Math.max(0, left)}%` }
}

/** How many small bars stand for a folded group; more could not be told apart. */
const MOST_SMALL_BARS = 300

function GroupRow({ picture, row, ...props }: RowProps & { picture: RunPicture; row: Group }) {
  // Whatever changes in the run may be one of these calls.
  useFacts((state) => state.run?.commit)
  const { axis, from, span } = props
  const window = { from, span }
  const now = useRunNow(500)
  const calls = row.instanceIds.map((id) => picture.instances.get(id)).filter((call) => call !== undefined)
  const counts = { running: 0, paused: 0, ok: 0, error: 0, aborted: 0 }
  for (const call of calls) counts[call.status] += 1
  const state =
    counts.paused > 0 ? 'paused' : counts.running > 0 ? 'running' : counts.error > 0 ? 'error' : counts.ok > 0 ? 'ok' : 'aborted'
  const each = Math.ceil(calls.length / MOST_SMALL_BARS)
  const parts = [counts.running > 0 && `${count(counts.running)} running`, counts.paused > 0 && `${count(counts.paused)} paused`]
  const words = [...parts, counts.error > 0 && `${count(counts.error)} failed`].filter(Boolean).join(', ')
  const track = calls
    .filter((_, at) => at % each === 0)
    .map((call) => {
      const left = shareOf(axis.toAxis(call.startedAt), window)
      const right = shareOf(axis.toAxis(endOf(call, now)), window)
      return (
        <span key={call.id} className={styles.smallBar} data-state={call.status} style={{ left: `${left}%`, width: `${right - left}%` }} />
      )
    })
  return (
    <Line
      {...props}
      row={row}
      track={track}
      state={state}
      label={`${row.kind} ${row.name}, ${calls.length} calls${words === '' ? '' : `, ${words}`}`}
    >
      <KindAndName kind={row.kind} name={row.name} />
      <span className={styles.times}>×{count(calls.length)}</span>
      <span className={styles.end}>
        <StateMark state={state} size={13} />
      </span>
    </Line>
  )
}

function OrphansRow({ row, ...props }: RowProps & { row: HeadingRow }) {
  return (
    <Line {...props} row={row} track={null} state="heading" label={`${ORPHANS_TITLE} ${plural(row.count, 'call')}`}>
      <span className={styles.heading} title={ORPHANS_WHY}>
        {ORPHANS_TITLE}
      </span>{' '}
      <span className={styles.times}>{count(row.count)}</span>
    </Line>
  )
}

interface LineProps extends RowProps {
  readonly state: string
  readonly label: string
  readonly track: ReactNode
  /** The parts of the name. */
  readonly children: ReactNode
}

function Line({ row, rowIndex, top, active, selected, hit, toggle, state, label, track, children }: LineProps) {
  const lit = useWorkbench((state) => row.type === 'call' && state.lit?.has(row.instanceId) === true)
  const aria = {
    'aria-rowindex': rowIndex,
    'aria-level': row.level,
    'aria-expanded': row.expandable ? row.expanded : undefined,
    'aria-selected': selected,
  }
  const named = { ...GRID_CELL, 'aria-label': label }
  return (
    <div
      {...GRID_ROW}
      {...aria}
      id={rowId(row.key)}
      className={cx(styles.row, selected && styles.selected, active && styles.active, hit && styles.hit)}
      data-state={state}
      data-lit={lit}
      data-key={row.key}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div {...named} className={styles.names}>
        <StepFold level={row.level} indent={INDENT} expanded={row.expandable ? row.expanded : undefined} toggle={() => toggle(row)} />
        {children}
      </div>
      <div {...GRID_CELL} className={styles.track} data-track="">
        {track}
      </div>
    </div>
  )
}

export function rowId(key: string): string {
  return `timeline-${key.replaceAll(' ', '-')}`
}
