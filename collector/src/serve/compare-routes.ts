import { Router } from 'express'
import type { Kysely } from 'kysely'
import { noSuchRun } from '../no-such-run.ts'
import { compareRuns } from '../store/reads/comparison.ts'
import type { Liveness } from '../store/reads/run-info.ts'
import type { RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuseProblem } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'

export interface CompareRoutesOptions {
  readonly database: Kysely<Tables>
  readonly find: RunFinder
  readonly liveness: Liveness
  readonly maxEvents?: number
}

/** `GET /api/compare?left=&right=`: two runs aligned, with their payloads compared and not sent. */
export function compareRoutes({ database, find, liveness, maxEvents }: CompareRoutesOptions): Router {
  const router = Router()
  router.get('/compare', async (request, response) => {
    const runs: RunListRow[] = []
    for (const side of ['left', 'right']) {
      const runId = readText(request.query[side])
      if (runId === undefined) {
        return refuseProblem(response, 400, { code: 'missing-run', message: `Name the ${side} run: /api/compare?left=RUN&right=RUN.` })
      }
      const run = await find(runId)
      if (run === undefined) return refuseProblem(response, 404, noSuchRun(runId).problem)
      runs.push(run)
    }
    const [left, right] = runs
    if (left === undefined || right === undefined) return
    const compared = await compareRuns(database, left, right, liveness, maxEvents)
    if (compared.ok) response.json(compared.value)
    else refuseProblem(response, 413, compared.problem)
  })
  return router
}
