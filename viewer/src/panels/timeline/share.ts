import type { TimeWindow } from './use-time-view.ts'

/** How far beyond the edge something is drawn at most, %: browsers lose precision with very large sizes. */
const BEYOND = 10

/** Where an axis position stands in what is shown, %, kept near the edges. */
export function shareOf(position: number, { from, span }: TimeWindow): number {
  return Math.max(-BEYOND, Math.min(100 + BEYOND, ((position - from) / span) * 100))
}
