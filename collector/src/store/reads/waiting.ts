import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Spans of all runs that are stored and not derived yet. */
export async function waitingSpans(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT coalesce(sum(waiting), 0) AS count FROM runs WHERE waiting > 0`.execute(database)
  return rows[0]?.count ?? 0
}

/** The runs that have such spans, the newest first. */
export async function waitingRunIds(database: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await database.selectFrom('runs').select('id').where('waiting', '>', 0).orderBy('key', 'desc').execute()
  return rows.map(({ id }) => id)
}
