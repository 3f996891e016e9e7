import { RUN_SORT_COLUMNS, readRunSort } from '@graphmind-ai/schema'
import { Router } from 'express'
import type { Kysely } from 'kysely'
import { failed } from '../problem.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { DEFAULT_RUNS_LIMIT, listRuns, MAX_RUNS_LIMIT, NEWEST_FIRST, readPageLimit } from '../store/reads/run-list.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuseProblem } from './refuse.ts'

export interface RunListRoutesOptions {
  readonly database: Kysely<Tables>
  readonly liveness: Liveness
}

const NO_COLUMN = failed(
  'bad-sort',
  `sort takes one of ${RUN_SORT_COLUMNS.join(', ')}, with a minus before it for the largest first, like -started.`,
)

/** `GET /api/runs`: the list, filtered, sorted and in pages. */
export function runListRoutes({ database, liveness }: RunListRoutesOptions): Router {
  const router = Router()
  router.get('/runs', async (request, response) => {
    const limit = readPageLimit(request.query['limit'], DEFAULT_RUNS_LIMIT, MAX_RUNS_LIMIT)
    if (!limit.ok) return refuseProblem(response, 400, limit.problem)
    const wanted = readText(request.query['sort'])
    const sort = wanted === undefined ? NEWEST_FIRST : readRunSort(wanted)
    if (sort === undefined) return refuseProblem(response, 400, NO_COLUMN.problem)
    const page = await listRuns(database, {
      limit: limit.value,
      cursor: readText(request.query['cursor']),
      query: readText(request.query['q']),
      sort,
      nowMs: Date.now(),
      live: liveness,
    })
    if (!page.ok) return refuseProblem(response, 400, page.problem)
    const { rows, ...rest } = page.value
    response.json({ runs: rows.map((row) => runInfoOf(row, liveness)), ...rest })
  })
  return router
}
