import { alignRuns, type ComparedInstance, type InstancePicture, type RunComparison, type RunInfo } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import { failed, ok, type Result } from '../../problem.ts'
import type { Tables } from '../tables.ts'
import { readPicture } from './picture.ts'
import { type Liveness, runInfoOf } from './run-info.ts'
import type { RunListRow } from './runs.ts'

/** Events of both runs together: a hundred thousand are folded and aligned in a second or two, and both pictures are in memory meanwhile. */
const MAX_COMPARED_EVENTS = 100_000

export type ComparedBrief = Pick<
  InstancePicture,
  'id' | 'nodeId' | 'kind' | 'name' | 'status' | 'startedAt' | 'durationMs' | 'heldMs' | 'model' | 'usage'
>

/** One row of two runs side by side, without payloads. */
export type ComparedRow = {
  readonly verdict: ComparedInstance['verdict']
  readonly depth: number
  readonly changes?: readonly string[]
  readonly delta?: RunComparison['delta']
  readonly left?: ComparedBrief
  readonly right?: ComparedBrief
}

interface ComparedSide {
  readonly run: RunInfo
  readonly totals: RunComparison['left']
}

/** Two runs side by side as `GET /api/compare` answers. */
export interface ComparedRuns extends Pick<RunComparison, 'delta' | 'counts' | 'isSame'> {
  readonly left: ComparedSide
  readonly right: ComparedSide
  readonly rows: readonly ComparedRow[]
}

/** Aligns two runs with their payloads compared and not given. A problem when they are too large together. */
export async function compareRuns(
  database: Kysely<Tables>,
  left: RunListRow,
  right: RunListRow,
  liveness: Liveness,
  maxEvents = MAX_COMPARED_EVENTS,
): Promise<Result<ComparedRuns>> {
  const events = left.event_count + right.event_count
  if (events > maxEvents) {
    return failed(
      'runs-too-large',
      `These runs have ${events} events together; at most ${maxEvents} can be compared here. Export both and compare what matters.`,
    )
  }
  const { rows, ...comparison } = alignRuns(await readPicture(database, left), await readPicture(database, right))
  return ok({
    left: { run: runInfoOf(left, liveness), totals: comparison.left },
    right: { run: runInfoOf(right, liveness), totals: comparison.right },
    delta: comparison.delta,
    counts: comparison.counts,
    isSame: comparison.isSame,
    rows: rows.map(rowOf),
  })
}

function rowOf({ left, right, ...row }: ComparedInstance): ComparedRow {
  return { ...row, ...(left === undefined ? {} : { left: briefOf(left) }), ...(right === undefined ? {} : { right: briefOf(right) }) }
}

function briefOf({ id, nodeId, kind, name, status, startedAt, durationMs, heldMs, model, usage }: InstancePicture): ComparedBrief {
  return {
    ...{ id, nodeId, kind, name, status, startedAt },
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(heldMs === undefined ? {} : { heldMs }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  }
}
