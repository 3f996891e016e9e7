import type { RunPicture } from '@graphmind-ai/schema'
import { pathToRoot } from './rows.ts'
import { endOf, type TimeAxis } from './time-axis.ts'

export const OVERVIEW_COLUMNS = 600
export const OVERVIEW_LANES = 7

/** The paths of the overview strip, in units of one column and one lane: what ran, what failed, what was held. */
export interface OverviewPaths {
  readonly ran: string
  readonly failed: string
  readonly held: string
}

const RAN = 1
const FAILED = 2
const HELD = 3

/** Draws every call into a raster of columns and lanes by depth, so that its size does not grow with the run. */
export function overviewPaths(picture: RunPicture, axis: TimeAxis, nowMs: number): OverviewPaths {
  const cells = new Uint8Array(OVERVIEW_COLUMNS * OVERVIEW_LANES)
  const columnOf = (at: number) =>
    Math.max(0, Math.min(OVERVIEW_COLUMNS - 1, Math.floor((axis.toAxis(at) / axis.length) * OVERVIEW_COLUMNS)))
  const fill = (lane: number, from: number, to: number, value: number) => {
    for (let column = columnOf(from); column <= columnOf(to); column += 1) {
      const at = lane * OVERVIEW_COLUMNS + column
      if ((cells[at] ?? 0) < value) cells[at] = value
    }
  }
  const depths = new Map<string, number>()
  for (const instance of picture.instances.values()) {
    const parentDepth = instance.parentInstanceId === undefined ? -1 : depths.get(instance.parentInstanceId)
    const depth = parentDepth === undefined ? pathToRoot(picture, instance.id).length - 1 : parentDepth + 1
    depths.set(instance.id, depth)
    const lane = Math.min(OVERVIEW_LANES - 1, depth)
    fill(lane, instance.startedAt, endOf(instance, nowMs), instance.status === 'error' ? FAILED : RAN)
    for (const id of instance.pauseIds) {
      const pause = picture.pauses.get(id)
      if (pause !== undefined) fill(lane, pause.since, pause.released?.at ?? nowMs, HELD)
    }
  }
  return { ran: pathOf(cells, RAN), failed: pathOf(cells, FAILED), held: pathOf(cells, HELD) }
}

function pathOf(cells: Uint8Array, value: number): string {
  const parts: string[] = []
  for (let lane = 0; lane < OVERVIEW_LANES; lane += 1) {
    for (let column = 0; column < OVERVIEW_COLUMNS; column += 1) {
      const from = column
      while (column < OVERVIEW_COLUMNS && cells[lane * OVERVIEW_COLUMNS + column] === value) column += 1
      if (column > from) parts.push(`M${from} ${lane + 0.15}h${column - from}v0.7h${from - column}z`)
    }
  }
  return parts.join('')
}
