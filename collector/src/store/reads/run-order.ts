import type { RunSort, RunSortColumn } from '@graphmind-ai/schema'
import { type RawBuilder, sql } from 'kysely'
import { type QueryContext, shownLink, shownName, shownState, workMs } from './run-filter.ts'

export type SortValue = string | number | null

/** A place in the list: the sort value and key of the row before it. */
export interface RunPlace {
  readonly value: SortValue
  readonly key: number
}

/** How the list is ordered, in SQL. Runs without a value come last in both directions; equal ones by age. */
export interface RunOrder {
  readonly value: RawBuilder<SortValue>
  readonly by: readonly RawBuilder<unknown>[]
  after(place: RunPlace): RawBuilder<boolean>
}

const MAY_BE_MISSING: ReadonlySet<RunSortColumn> = new Set(['steps', 'tokens', 'cost', 'session'])
// What asks for attention comes first.
const STATES = ['paused', 'running', 'error', 'aborted', 'abandoned', 'ok'] as const

/** The order of a sorted list, and how it goes on behind a given run. */
export function runOrder({ column, direction }: RunSort, context: QueryContext): RunOrder {
  const value = sortValue(column, context)
  const mayBeMissing = MAY_BE_MISSING.has(column)
  const way = sql.raw(direction === 'ascending' ? 'ASC' : 'DESC')
  const beyond = sql.raw(direction === 'ascending' ? '>' : '<')
  const key = sql.ref('key')
  return {
    value,
    by: [...(mayBeMissing ? [sql`${value} IS NULL`] : []), sql`${value} ${way}`, sql`${key} ${way}`],
    after(place) {
      if (place.value === null) return sql<boolean>`(${value} IS NULL AND ${key} ${beyond} ${place.key})`
      const further = sql<boolean>`(${value}, ${key}) ${beyond} (${place.value}, ${place.key})`
      return mayBeMissing ? sql<boolean>`(${further} OR ${value} IS NULL)` : further
    },
  }
}

function sortValue(column: RunSortColumn, context: QueryContext): RawBuilder<SortValue> {
  switch (column) {
    case 'started':
      return sql`started_at`
    case 'duration':
      return workMs(context.nowMs)
    case 'name':
      return sql`lower(${shownName})`
    case 'app':
      return sql`lower(app)`
    case 'state':
      return sql`CASE ${shownState(context)} ${sql.join(
        STATES.map((state, rank) => sql`WHEN ${state} THEN ${rank}`),
        sql` `,
      )} END`
    case 'link':
      return shownLink(context)
    case 'nodes':
      return sql`node_count`
    case 'steps':
      return sql`steps`
    case 'errors':
      return sql`error_count`
    case 'tokens':
      return sql`tokens`
    case 'cost':
      return sql`cost_usd`
    case 'model':
      return sql`lower(models)`
    case 'source':
      return sql`source`
    case 'session':
      return sql`session_id`
    case 'pinned':
      return sql`pinned`
  }
}
