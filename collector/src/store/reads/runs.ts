import { type Kysely, sql } from 'kysely'
import { failed, ok, type Result } from '../../problem.ts'
import type { RunsTable, Tables } from '../tables.ts'

export const DEFAULT_RUNS_LIMIT = 500
export const MAX_RUNS_LIMIT = 1000

export interface RunsQuery {
  readonly limit: number
  readonly cursor: string | undefined
  /** Text looked for in name, id and app. */
  readonly text: string | undefined
}

export type RunListRow = Omit<RunsTable, 'key'> & { readonly key: number }

/** Runs, most recent first, a page at a time. `nextCursor` is null on the last page. */
export async function listRuns(
  database: Kysely<Tables>,
  { limit, cursor, text }: RunsQuery,
): Promise<Result<{ readonly rows: readonly RunListRow[]; readonly nextCursor: string | null }>> {
  let query = database
    .selectFrom('runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('key', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const match = /^(-?\d{1,16})-(\d{1,16})$/.exec(cursor)
    if (match === null) return failed('bad-cursor', 'cursor is not one that this server gave out. Take nextCursor of the page before.')
    query = query.where(sql<boolean>`(started_at, key) < (${Number(match[1])}, ${Number(match[2])})`)
  }
  if (text !== undefined && text !== '') {
    const pattern = `%${text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`
    const like = (column: 'name' | 'id' | 'app') => sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`
    query = query.where((where) => where.or([like('name'), like('id'), like('app')]))
  }
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return ok({ rows: page, nextCursor: rows.length > limit && last !== undefined ? `${last.started_at}-${last.key}` : null })
}

export function findRun(database: Kysely<Tables>, runId: string): Promise<RunListRow | undefined> {
  return database.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst()
}

const IDS_A_QUERY = 200

/** These runs in the order of their ids, a page at a time; ids that are no run, and runs joined to another of these, are left out. */
export async function* runsById(database: Kysely<Tables>, runIds: readonly string[]): AsyncGenerator<readonly RunListRow[]> {
  const wanted = new Set(runIds)
  for (let at = 0; at < runIds.length; at += IDS_A_QUERY) {
    const page = runIds.slice(at, at + IDS_A_QUERY)
    const rows = await database.selectFrom('runs').selectAll().where('id', 'in', page).execute()
    const listed = rows.filter(({ merged_into: host }) => host === null || !wanted.has(host))
    const byId = new Map(listed.map((row) => [row.id, row]))
    yield page.flatMap((id) => byId.get(id) ?? [])
  }
}
