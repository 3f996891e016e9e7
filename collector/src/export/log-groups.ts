import { type Kysely, sql } from 'kysely'
import type { StoredLog } from '../otlp/decode-logs.ts'
import type { OtlpLogRecord, OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import type { Tables } from '../store/tables.ts'
import type { ExportedRun } from './format.ts'
import { inGroups } from './groups.ts'

/** Log records in a row that share resource and scope. */
export interface LogGroup {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
  readonly records: readonly OtlpLogRecord[]
}

const PAGE = 200

/** The log records that tell of the run and of the traces that were joined to it, in order of arrival, a page of groups at a time. */
export async function* logGroups(database: Kysely<Tables>, run: ExportedRun): AsyncGenerator<readonly LogGroup[]> {
  const found = await database
    .selectFrom('logs')
    .select(sql<number>`rowid`.as('id'))
    .where((where) =>
      where.or([
        where('run_id', '=', run.id),
        where('run_id', 'in', where.selectFrom('runs').select('id').where('merged_into', '=', run.id)),
      ]),
    )
    .orderBy(sql`rowid`)
    .execute()
  const ids = found.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += PAGE) {
    const rows = await database
      .selectFrom('logs')
      .select('record')
      .where(sql<number>`rowid`, 'in', ids.slice(at, at + PAGE))
      .orderBy(sql`rowid`)
      .execute()
    yield grouped(rows.map(({ record }) => JSON.parse(record) as StoredLog))
  }
}

function grouped(logs: readonly StoredLog[]): readonly LogGroup[] {
  const found = inGroups(
    logs,
    ({ resource, scope }) => JSON.stringify([resource, scope]),
    ({ record }) => JSON.stringify(record).length,
  )
  return found.map((group) => ({ resource: group[0].resource, scope: group[0].scope, records: group.map(({ record }) => record) }))
}
