import { clock, duration } from '../../model/format.ts'
import { type TimeAxis, ticks } from '../../model/time-axis.ts'
import { shareOf } from './share.ts'
import styles from './timeline.module.css'
import { useBrush } from './use-brush.ts'
import type { TimeView, TimeWindow } from './use-time-view.ts'

interface RulerProps {
  readonly axis: TimeAxis
  readonly view: TimeView
  readonly clockTime: boolean
  /** Px. */
  readonly width: number
}

/** Times along the top, since the start of the run or of the day; dragging over it shows that part. */
export function Ruler({ axis, view, clockTime, width }: RulerProps) {
  const brush = useBrush({
    onRange: ({ from, to }) => view.show(view.from + from * view.span, view.from + to * view.span),
    onDoubleClick: view.all,
  })
  const marks = ticks(view.from, view.span, width / (clockTime ? 110 : 76))
  return (
    <div className={styles.ruler} aria-hidden="true" title="Drag to show a part, double-click to show all" {...brush.handlers}>
      {marks.map((at) => (
        <span key={at} className={styles.mark} style={{ left: `${shareOf(at, view)}%` }}>
          {hasRoom(at, axis, view, width / (clockTime ? 90 : 52)) &&
            (clockTime ? clock(axis.toTime(at)) : duration(Math.round((axis.toTime(at) - axis.start) * 1000) / 1000))}
        </span>
      ))}
      {axis.folds.map((fold) => (
        <span
          key={fold.from}
          className={styles.foldMark}
          title={`${duration(fold.to - fold.from)} ${fold.held ? 'in which calls were held' : 'in which nothing ran'}`}
          style={placeOfFold(shareOf(fold.at + fold.width / 2, view))}
        >
          ⋯ {duration(fold.to - fold.from)}
        </span>
      ))}
      {brush.range !== undefined && (
        <span
          className={styles.frame}
          style={{ left: `${brush.range.from * 100}%`, width: `${(brush.range.to - brush.range.from) * 100}%` }}
        />
      )}
    </div>
  )
}

/** Whether a label fits between its mark and the right edge or the next fold; `most` labels fit side by side. */
function hasRoom(at: number, { folds }: TimeAxis, view: TimeWindow, most: number): boolean {
  const end = at + view.span / Math.max(1, most)
  return end <= view.from + view.span && folds.every((fold) => fold.at + fold.width / 2 < at || fold.at - view.span * 0.12 > end)
}

/** A label at the right edge ends there, so that all of it is to be read. */
function placeOfFold(share: number): { left: string } | { right: string; transform: string } {
  return share > 92 && share <= 102 ? { right: '0', transform: 'none' } : { left: `${share}%` }
}
