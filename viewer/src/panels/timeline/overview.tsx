import type { RunPicture } from '@graphmind-ai/schema'
import { useMemo } from 'react'
import { OVERVIEW_COLUMNS, OVERVIEW_LANES, overviewPaths } from '../../model/overview.ts'
import type { TimeAxis } from '../../model/time-axis.ts'
import styles from './timeline.module.css'
import { useBrush } from './use-brush.ts'
import type { TimeView } from './use-time-view.ts'

interface OverviewProps {
  readonly picture: RunPicture
  readonly axis: TimeAxis
  readonly view: TimeView
  readonly nowMs: number
}

/** The whole run in one strip; a stretch drawn on it is shown below. Keys do the same, so it is hidden from screen readers. */
export function Overview({ picture, axis, view, nowMs }: OverviewProps) {
  // The axis is made anew whenever the run changed.
  const paths = useMemo(() => overviewPaths(picture, axis, nowMs), [picture, axis, nowMs])
  const brush = useBrush({
    onRange: ({ from, to }) => view.show(from * axis.length, to * axis.length),
    onClick: (at) => view.show(at * axis.length - view.span / 2, at * axis.length + view.span / 2),
    onDoubleClick: view.all,
  })
  const shown = brush.range ?? { from: view.from / axis.length, to: (view.from + view.span) / axis.length }
  return (
    <div
      className={styles.overview}
      aria-hidden="true"
      title="The whole run. Drag to show a part of it, double-click to show all."
      {...brush.handlers}
    >
      <svg aria-hidden="true" viewBox={`0 0 ${OVERVIEW_COLUMNS} ${OVERVIEW_LANES}`} preserveAspectRatio="none">
        <path d={paths.ran} className={styles.overviewRan} />
        <path d={paths.failed} className={styles.overviewFailed} />
        <path d={paths.held} className={styles.overviewHeld} />
      </svg>
      {(view.zoomed || brush.range !== undefined) && (
        <>
          <span className={styles.shade} style={{ left: 0, width: `${shown.from * 100}%` }} />
          <span className={styles.shade} style={{ left: `${shown.to * 100}%`, right: 0 }} />
          <span className={styles.frame} style={{ left: `${shown.from * 100}%`, width: `${(shown.to - shown.from) * 100}%` }} />
        </>
      )}
    </div>
  )
}
