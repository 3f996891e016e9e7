import { parseQuery, type QueryProblem, type RunSort } from '@graphmind-ai/schema'
import { type Kysely, sql } from 'kysely'
import { failed, ok, type Problem, type Result } from '../../problem.ts'
import type { Tables } from '../tables.ts'
import { readCursor, writeCursor } from './run-cursor.ts'
import { runConditions } from './run-filter.ts'
import type { LiveRuns } from './run-info.ts'
import { runOrder } from './run-order.ts'
import type { RunListRow } from './runs.ts'

export const DEFAULT_RUNS_LIMIT = 500
export const MAX_RUNS_LIMIT = 1000
export const NEWEST_FIRST: RunSort = { column: 'started', direction: 'descending' }

export interface RunsQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  /** In the filter language of the schema. */
  readonly query?: string | undefined
  readonly sort?: RunSort
  /** Epoch ms. */
  readonly nowMs: number
  readonly live: LiveRuns
}

export interface RunPage {
  readonly rows: readonly RunListRow[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  /** How many runs the list has, and how many of them the query keeps; on the first page of a query. */
  readonly counts?: { readonly all: number; readonly matching: number }
}

/** A query that could not be understood, with the places of what is wrong in it. */
export interface QueryRefusal extends Problem {
  readonly problems?: readonly QueryProblem[]
}

/**
 * A page of the runs list. Pages hang together by the last row's place, so that runs which come in meanwhile neither repeat a row nor hide
 * one. Deleted runs and those joined to another are not in the list.
 */
export async function listRuns(
  database: Kysely<Tables>,
  { limit, cursor, query = '', sort = NEWEST_FIRST, nowMs, live }: RunsQuery,
): Promise<{ readonly ok: true; readonly value: RunPage } | { readonly ok: false; readonly problem: QueryRefusal }> {
  const { terms, problems } = parseQuery(query)
  if (problems.length > 0) {
    return { ok: false, problem: { code: 'bad-query', message: problems.map(({ message }) => message).join(' '), problems } }
  }
  const identity = `${sort.direction} ${sort.column} ${query}`
  const from = cursor === undefined ? undefined : readCursor(cursor, identity)
  if (from?.ok === false) return from
  const context = { nowMs: from?.value.nowMs ?? nowMs, live }
  const listed = database.selectFrom('runs').where('deleted_at', 'is', null).where('merged_into', 'is', null)
  const matching = runConditions(terms, context).reduce((kept, condition) => kept.where(condition), listed)
  const order = runOrder(sort, context)
  let page = matching
    .selectAll()
    .select(order.value.as('sort_value'))
    .limit(limit + 1)
  for (const by of order.by) page = page.orderBy(by)
  if (from !== undefined) page = page.where(order.after(from.value.place))
  const found = await page.execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  const nextCursor = hasMore ? writeCursor({ place: { value: last.sort_value, key: last.key }, nowMs: context.nowMs }, identity) : null
  if (terms.length === 0 || from !== undefined) return ok({ rows, nextCursor })
  const all = sql<number>`count(*)`.as('count')
  const counts = {
    all: (await listed.select(all).executeTakeFirstOrThrow()).count,
    matching: (await matching.select(all).executeTakeFirstOrThrow()).count,
  }
  return ok({ rows, nextCursor, counts })
}

/** `limit` of a list, from 1 to `max`. */
export function readPageLimit(value: unknown, fallback: number, max: number): Result<number> {
  if (value === undefined || value === '') return ok(fallback)
  const limit = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0
  return limit >= 1 && limit <= max
    ? ok(limit)
    : failed('bad-limit', `limit takes a number from 1 to ${max}. Ask for more pages with cursor.`)
}
