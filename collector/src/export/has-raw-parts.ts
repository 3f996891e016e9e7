import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { ExportedRun } from './format.ts'
import { logGroups } from './log-groups.ts'

/** Whether anything of the run came as spans or log records. */
export async function hasRawParts(database: Kysely<Tables>, run: ExportedRun): Promise<boolean> {
  const row = await database.selectFrom('runs').select('span_count').where('key', '=', run.key).executeTakeFirst()
  if ((row?.span_count ?? 0) > 0) return true
  for await (const groups of logGroups(database, run)) if (groups.length > 0) return true
  return false
}
