import { Router } from 'express'
import type { Kysely } from 'kysely'
import { PageMemory } from '../store/pages/page-memory.ts'
import { eventTexts } from '../store/reads/event-texts.ts'
import { DEFAULT_EVENTS_LIMIT, eventRange, MAX_EVENTS_LIMIT } from '../store/reads/events.ts'
import { readInstance } from '../store/reads/instance.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { DEFAULT_SPANS_LIMIT, MAX_SPANS_LIMIT, readSpan, readSpans } from '../store/reads/spans.ts'
import { waitingSpans } from '../store/reads/waiting.ts'
import type { Tables } from '../store/tables.ts'
import type { ByteBudget } from './byte-budget.ts'
import { compareRoutes } from './compare-routes.ts'
import type { IngestStats } from './ingest-stats.ts'
import { type LibraryRoutesOptions, libraryRoutes } from './library-routes.ts'
import { type PauseRoutesOptions, pauseRoutes } from './pause-routes.ts'
import { readLimit, readSeq, readText } from './query.ts'
import { refuse } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'
import { runListRoutes } from './run-list-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { sessionListRoutes } from './session-list-routes.ts'
import { withRun } from './with-run.ts'

const COMMA = Buffer.from(',')

export interface ApiOptions {
  readonly database: Kysely<Tables>
  readonly find: RunFinder
  readonly liveness: Liveness
  readonly debugger: PauseRoutesOptions['debugger']
  readonly onRunUpdate: PauseRoutesOptions['onRunUpdate']
  readonly stats: IngestStats
  readonly budget: ByteBudget
  readonly changeLibrary: LibraryRoutesOptions['changeLibrary']
}

/** `/api/*`: reading runs, and deleting one (contract `cli.md`, design 8). */
export function apiRoutes({ database, find, liveness, debugger: debug, onRunUpdate, stats, budget, changeLibrary }: ApiOptions): Router {
  const router = Router()
  const memory = new PageMemory()

  router.use(runListRoutes({ database, liveness }))
  router.use(sessionListRoutes({ database, find, liveness }))
  router.use(searchRoutes({ database, find }))
  router.use(compareRoutes({ database, find, liveness }))

  router.get(
    '/runs/:runId',
    withRun(find, (run, _request, response) => {
      response.json(runInfoOf(run, liveness))
    }),
  )

  router.get(
    '/runs/:runId/events',
    withRun(find, async (run, request, response) => {
      const afterSeq = readSeq(request.query['afterSeq'])
      const limit = readLimit(request.query['limit'], DEFAULT_EVENTS_LIMIT, MAX_EVENTS_LIMIT)
      const range = await eventRange(database, run.key, undefined)
      const payloads = readText(request.query['payloads']) === 'none' ? 'none' : 'all'
      response.type('json')
      // What is stored as text goes out as text.
      const pieces: Uint8Array[] = [Buffer.from(`{"runId":${JSON.stringify(run.id)},"total":${range.count},"events":[`)]
      let lastSeq: number | undefined
      for await (const events of eventTexts(database, run, { afterSeq, payloads, limit }, range)) {
        if (lastSeq !== undefined) pieces.push(COMMA)
        pieces.push(events.json)
        lastSeq = events.lastSeq
      }
      const nextAfterSeq = lastSeq === undefined || lastSeq === range.lastSeq ? null : lastSeq
      pieces.push(Buffer.from(`],"nextAfterSeq":${nextAfterSeq}}`))
      response.end(Buffer.concat(pieces))
    }),
  )

  router.get(
    '/runs/:runId/spans',
    withRun(find, async (run, request, response) => {
      const limit = readLimit(request.query['limit'], DEFAULT_SPANS_LIMIT, MAX_SPANS_LIMIT)
      response.type('json').send(await readSpans(database, run.key, limit))
    }),
  )

  router.get(
    '/runs/:runId/instances/:instanceId',
    withRun(find, async (run, request, response) => {
      const instanceId = String(request.params['instanceId'])
      const instance = await readInstance(database, run, instanceId, memory)
      if (instance === undefined) return refuse(response, 404, `Run ${run.id} has no instance ${instanceId}.`)
      const sent = await readSpan(database, run.key, instanceId, memory)
      // The mappings are at work in the ingest thread; this one has need of them only when somebody looks at a span.
      const { readingOfStored } = await import('../otlp/span-reading.ts')
      const reading = sent === undefined ? null : readingOfStored(sent.span, sent.final)
      const { input, output, errors } = instance
      response.json({
        ...{ runId: run.id, instanceId: instance.id, input, output, error: errors[0] ?? null, instance },
        ...{ span: sent?.span ?? null, reading },
      })
    }),
  )

  router.use(libraryRoutes({ liveness, budget, changeLibrary }))
  router.use(pauseRoutes({ database, memory, find, debugger: debug, onRunUpdate, budget }))
  router.get('/ingest/stats', async (_request, response) => {
    response.json({ signals: stats.read(), waitingBytes: budget.used, waitingSpans: await waitingSpans(database) })
  })

  router.use((request, response) => refuse(response, 404, `There is no ${request.method} /api${request.path}.`))
  return router
}
