import { Router } from 'express'
import type { Kysely } from 'kysely'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { readPageLimit } from '../store/reads/run-list.ts'
import type { RunListRow } from '../store/reads/runs.ts'
import { DEFAULT_SESSIONS_LIMIT, listSessions, MAX_SESSIONS_LIMIT, placeInSession } from '../store/reads/sessions.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuseProblem } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'
import { withRun } from './with-run.ts'

export interface SessionListRoutesOptions {
  readonly database: Kysely<Tables>
  readonly find: RunFinder
  readonly liveness: Liveness
}

/** Runs of one conversation: all conversations, and a run's neighbours in its own. */
export function sessionListRoutes({ database, find, liveness }: SessionListRoutesOptions): Router {
  const router = Router()

  router.get('/sessions', async (request, response) => {
    const limit = readPageLimit(request.query['limit'], DEFAULT_SESSIONS_LIMIT, MAX_SESSIONS_LIMIT)
    if (!limit.ok) return refuseProblem(response, 400, limit.problem)
    const page = await listSessions(database, { limit: limit.value, cursor: readText(request.query['cursor']) })
    if (page.ok) response.json(page.value)
    else refuseProblem(response, 400, page.problem)
  })

  router.get(
    '/runs/:runId/session',
    withRun(find, async (run, _request, response) => {
      const { position, count, previous, next } = await placeInSession(database, run)
      const infoOf = (row: RunListRow | undefined) => (row === undefined ? null : runInfoOf(row, liveness))
      response.json({ sessionId: run.session_id, position, count, previous: infoOf(previous), next: infoOf(next) })
    }),
  )
  return router
}
