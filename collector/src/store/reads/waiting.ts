import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Spans of all runs that are stored and not derived yet. */
export async function waitingSpans(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT coalesce(sum(waiting), 0) AS count FROM runs WHERE waiting > 0`.execute(database)
  return rows[0]?.count ?? 0
}
