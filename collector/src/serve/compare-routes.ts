import { alignRuns, type ComparedInstance, emptyRun, foldEnvelope, type InstancePicture, type RunPicture } from '@graphmind-ai/schema'
import { Router } from 'express'
import type { Kysely } from 'kysely'
import { failed } from '../problem.ts'
import { allEvents, envelopeOf } from '../store/reads/events.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import type { RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuseProblem } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'

/** Events of both runs together: a hundred thousand are folded and aligned in a second or two, and both pictures are in memory meanwhile. */
export const MAX_COMPARED_EVENTS = 100_000

export interface CompareRoutesOptions {
  readonly database: Kysely<Tables>
  readonly find: RunFinder
  readonly liveness: Liveness
  readonly maxEvents?: number
}

/** `GET /api/compare?left=&right=`: two runs aligned, with their payloads compared and not sent. */
export function compareRoutes({ database, find, liveness, maxEvents = MAX_COMPARED_EVENTS }: CompareRoutesOptions): Router {
  const router = Router()
  router.get('/compare', async (request, response) => {
    const runs: RunListRow[] = []
    for (const side of ['left', 'right']) {
      const runId = readText(request.query[side])
      if (runId === undefined) {
        return refuseProblem(response, 400, { code: 'missing-run', message: `Name the ${side} run: /api/compare?left=RUN&right=RUN.` })
      }
      const run = await find(runId)
      if (run === undefined) return refuseProblem(response, 404, { code: 'no-such-run', message: `There is no run ${runId}.` })
      runs.push(run)
    }
    const [left, right] = runs
    if (left === undefined || right === undefined) return
    if (left.event_count + right.event_count > maxEvents) return refuseProblem(response, 413, tooLarge(left, right, maxEvents).problem)
    const { rows, ...comparison } = alignRuns(await pictureOf(database, left), await pictureOf(database, right))
    response.json({
      left: { run: runInfoOf(left, liveness), totals: comparison.left },
      right: { run: runInfoOf(right, liveness), totals: comparison.right },
      delta: comparison.delta,
      counts: comparison.counts,
      isSame: comparison.isSame,
      rows: rows.map(rowOf),
    })
  })
  return router
}

function tooLarge(left: RunListRow, right: RunListRow, maxEvents: number): ReturnType<typeof failed> {
  const events = left.event_count + right.event_count
  return failed(
    'runs-too-large',
    `These runs have ${events} events together; at most ${maxEvents} can be compared here. Export both and compare what matters.`,
  )
}

async function pictureOf(database: Kysely<Tables>, run: RunListRow): Promise<RunPicture> {
  const picture = emptyRun(run.id)
  for await (const row of allEvents(database, run.key)) foldEnvelope(picture, envelopeOf(run.id, row))
  return picture
}

function rowOf({ left, right, ...row }: ComparedInstance): object {
  return { ...row, ...(left === undefined ? {} : { left: briefOf(left) }), ...(right === undefined ? {} : { right: briefOf(right) }) }
}

function briefOf({ id, nodeId, kind, name, status, startedAt, durationMs, heldMs, model, usage }: InstancePicture): object {
  return { id, nodeId, kind, name, status, startedAt, durationMs, heldMs, model, usage }
}
