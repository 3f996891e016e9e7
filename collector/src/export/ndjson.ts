import { envelopeJson } from '../store/reads/events.ts'
import type { ExportFormat } from './format.ts'

const PAGE = 500

/** One wire envelope a line, with its `origin`, so that importing it where the run is already known doubles nothing. */
export const ndjson: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',

  async *write(database, run) {
    for (let after = -1; ; ) {
      const rows = await database
        .selectFrom('events')
        .select(['seq', 'ts', 'type', 'origin', 'payload', 'unknown_fields'])
        .where('run', '=', run.key)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(PAGE)
        .execute()
      for (const row of rows) yield `${envelopeJson(run.id, row, row.origin)}\n`
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      after = last.seq
    }
  },
}
