import { Router } from 'express'
import type { Kysely } from 'kysely'
import { noSuchRun } from '../no-such-run.ts'
import { search } from '../store/reads/search.ts'
import { readSearchWish } from '../store/search/search-request.ts'
import type { Tables } from '../store/tables.ts'
import { readText } from './query.ts'
import { refuseProblem } from './refuse.ts'
import type { RunFinder } from './run-finder.ts'

export interface SearchRoutesOptions {
  readonly database: Kysely<Tables>
  readonly find: RunFinder
}

/** `GET /api/search`: names, inputs, outputs and errors that hold every word. */
export function searchRoutes({ database, find }: SearchRoutesOptions): Router {
  const router = Router()
  router.get('/search', async ({ query }, response) => {
    const text = (name: string) => readText(query[name])
    const wish = readSearchWish({ query: text('q'), limit: text('limit'), kind: text('kind'), in: text('in'), cursor: text('cursor') })
    if (!wish.ok) return refuseProblem(response, 400, wish.problem)
    const runId = text('runId')
    const run = runId === undefined ? undefined : await find(runId)
    if (runId !== undefined && run === undefined) {
      return refuseProblem(response, 404, noSuchRun(runId).problem)
    }
    const page = await search(database, { ...wish.value, run: run?.key })
    if (page.ok) response.json(page.value)
    else refuseProblem(response, 400, page.problem)
  })
  return router
}
