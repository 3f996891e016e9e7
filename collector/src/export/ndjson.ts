import { envelopeJson } from '../store/reads/events.ts'
import type { ExportFormat } from './format.ts'
import { maskStreams } from './secret-streams.ts'

const PAGE = 500

/** One wire envelope a line, with its `origin`, so that importing it where the run is already known doubles nothing. */
export const ndjson: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',

  async *write(database, run, mask) {
    const maskStream = mask === undefined ? undefined : await maskStreams(database, run.key, mask)
    for (let after = -1; ; ) {
      const rows = await database
        .selectFrom('events')
        .select(['seq', 'ts', 'type', 'origin', 'payload', 'unknown_fields'])
        .where('run', '=', run.key)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(PAGE)
        .execute()
      for (const row of rows) {
        const line = envelopeJson(run.id, row, row.origin)
        yield `${mask === undefined ? line : mask.json(row.type === 'node.token' ? (maskStream?.(line) ?? line) : line)}\n`
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      after = last.seq
    }
  },
}
