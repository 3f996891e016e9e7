import { NODE_KINDS } from '@graphmind-ai/schema'
import { Router } from 'express'
import type { Kysely } from 'kysely'
import { failed, ok, type Result } from '../problem.ts'
import { readPageLimit } from '../store/reads/run-list.ts'
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT, search } from '../store/reads/search.ts'
import { readSearch } from '../store/search/search-terms.ts'
import { SEARCH_FIELDS } from '../store/search/searched-text.ts'
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
  router.get('/search', async (request, response) => {
    const refuse = ({ problem }: ReturnType<typeof failed>, status = 400) => refuseProblem(response, status, problem)
    const { query } = request
    const terms = readSearch(readText(query['q']) ?? '')
    if (!terms.ok) return refuse(terms)
    const limit = readPageLimit(query['limit'], DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT)
    if (!limit.ok) return refuse(limit)
    const kinds = readWords('kind', query['kind'], NODE_KINDS)
    if (!kinds.ok) return refuse(kinds)
    const fields = readWords('in', query['in'], SEARCH_FIELDS)
    if (!fields.ok) return refuse(fields)
    const runId = readText(query['runId'])
    const run = runId === undefined ? undefined : await find(runId)
    if (runId !== undefined && run === undefined) return refuse(failed('no-such-run', `There is no run ${runId}.`), 404)
    const page = await search(database, {
      terms: terms.value,
      run: run?.key,
      kinds: kinds.value,
      fields: fields.value,
      limit: limit.value,
      cursor: readText(query['cursor']),
    })
    if (page.ok) response.json(page.value)
    else refuse(page)
  })
  return router
}

/** Words parted by commas, each one of those known; none when absent. */
function readWords<Word extends string>(name: string, value: unknown, known: readonly Word[]): Result<readonly Word[]> {
  const words: Word[] = []
  for (const written of (readText(value) ?? '').split(',').filter(Boolean)) {
    const word = known.find((one) => one === written)
    if (word === undefined) return failed(`bad-${name}`, `${name} takes ${known.join(', ')}, parted by commas; not "${written}".`)
    words.push(word)
  }
  return ok(words)
}
