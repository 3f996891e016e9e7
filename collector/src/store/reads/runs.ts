import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { RunRow } from '../writer.ts'

export type RunListRow = RunRow

/** The run, unless it was deleted. */
export function findRun(database: Kysely<Tables>, runId: string): Promise<RunListRow | undefined> {
  return database.selectFrom('runs').selectAll().where('id', '=', runId).where('deleted_at', 'is', null).executeTakeFirst()
}

const IDS_A_QUERY = 200

/** These runs in the order of their ids, a page at a time; ids that are no run, and runs joined to another of these, are left out. */
export async function* runsById(database: Kysely<Tables>, runIds: readonly string[]): AsyncGenerator<readonly RunListRow[]> {
  const wanted = new Set(runIds)
  for (let at = 0; at < runIds.length; at += IDS_A_QUERY) {
    const page = runIds.slice(at, at + IDS_A_QUERY)
    const rows = await database.selectFrom('runs').selectAll().where('id', 'in', page).where('deleted_at', 'is', null).execute()
    const listed = rows.filter(({ merged_into: host }) => host === null || !wanted.has(host))
    const byId = new Map(listed.map((row) => [row.id, row]))
    yield page.flatMap((id) => byId.get(id) ?? [])
  }
}
