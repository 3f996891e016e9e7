import { type Request, type Response, Router } from 'express'
import type { Kysely } from 'kysely'
import type { Problem } from '../problem.ts'
import { DEFAULT_EVENTS_LIMIT, envelopeOf, eventRange, MAX_EVENTS_LIMIT, readEvents } from '../store/reads/events.ts'
import { readInstance } from '../store/reads/instance.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { DEFAULT_RUNS_LIMIT, findRun, listRuns, MAX_RUNS_LIMIT, type RunListRow } from '../store/reads/runs.ts'
import { DEFAULT_SPANS_LIMIT, MAX_SPANS_LIMIT, readSpan, readSpans } from '../store/reads/spans.ts'
import type { Tables } from '../store/tables.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { IngestStats } from './ingest-stats.ts'
import { type PauseRoutesOptions, pauseRoutes } from './pause-routes.ts'
import { readLimit, readSeq, readText } from './query.ts'

export interface ApiOptions {
  readonly database: Kysely<Tables>
  readonly liveness: Liveness
  readonly debugger: PauseRoutesOptions['debugger']
  readonly onRunUpdate: PauseRoutesOptions['onRunUpdate']
  readonly stats: IngestStats
  readonly budget: ByteBudget
  readonly deleteRun: (runId: string) => Promise<Problem | undefined>
}

/** `/api/*`: reading runs, and deleting one (contract `cli.md`, design 8). */
export function apiRoutes({ database, liveness, debugger: debug, onRunUpdate, stats, budget, deleteRun }: ApiOptions): Router {
  const router = Router()

  router.get('/runs', async (request, response) => {
    const page = await listRuns(database, {
      limit: readLimit(request.query['limit'], DEFAULT_RUNS_LIMIT, MAX_RUNS_LIMIT),
      cursor: readText(request.query['cursor']),
      text: readText(request.query['q']),
    })
    if (!page.ok) return refuse(response, 400, page.problem.message)
    const { rows, nextCursor } = page.value
    response.json({ runs: rows.map((row) => runInfoOf(row, liveness)), nextCursor })
  })

  router.get(
    '/runs/:runId',
    withRun(database, (run, _request, response) => {
      response.json(runInfoOf(run, liveness))
    }),
  )

  router.get(
    '/runs/:runId/events',
    withRun(database, async (run, request, response) => {
      const afterSeq = readSeq(request.query['afterSeq'])
      const limit = readLimit(request.query['limit'], DEFAULT_EVENTS_LIMIT, MAX_EVENTS_LIMIT)
      const { count: total } = await eventRange(database, run.key, undefined)
      const rows = await readEvents(database, run.key, { afterSeq, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const nextAfterSeq = rows.length > limit ? (page.at(-1)?.seq ?? null) : null
      response.json({ runId: run.id, total, events: page.map((row) => envelopeOf(run.id, row)), nextAfterSeq })
    }),
  )

  router.get(
    '/runs/:runId/spans',
    withRun(database, async (run, request, response) => {
      response.json(await readSpans(database, run.key, readLimit(request.query['limit'], DEFAULT_SPANS_LIMIT, MAX_SPANS_LIMIT)))
    }),
  )

  router.get(
    '/runs/:runId/instances/:instanceId',
    withRun(database, async (run, request, response) => {
      const instanceId = String(request.params['instanceId'])
      const instance = await readInstance(database, run, instanceId)
      if (instance === undefined) return refuse(response, 404, `Run ${run.id} has no instance ${instanceId}.`)
      const span = await readSpan(database, run.key, instanceId)
      const { input, output, errors } = instance
      response.json({ runId: run.id, instanceId: instance.id, input, output, error: errors[0] ?? null, instance, span: span ?? null })
    }),
  )

  router.delete('/runs/:runId', async (request, response) => {
    const problem = await deleteRun(request.params.runId)
    if (problem === undefined) response.status(204).end()
    else refuse(response, problem.code === 'no-such-run' ? 404 : 503, problem.message)
  })

  router.use(pauseRoutes({ database, debugger: debug, onRunUpdate, budget }))
  router.get('/ingest/stats', (_request, response) => {
    response.json({ signals: stats.read(), waitingBytes: budget.used })
  })

  router.use((request, response) => refuse(response, 404, `There is no ${request.method} /api${request.path}.`))
  return router
}

type RunHandler = (run: RunListRow, request: Request, response: Response) => void | Promise<void>

function withRun(database: Kysely<Tables>, handle: RunHandler) {
  return async (request: Request, response: Response) => {
    const runId = String(request.params['runId'])
    const run = await findRun(database, runId)
    if (run === undefined) refuse(response, 404, `There is no run ${runId}.`)
    else await handle(run, request, response)
  }
}

function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ error })
}
