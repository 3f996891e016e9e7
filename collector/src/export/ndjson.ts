import { allEvents, envelopeJson } from '../store/reads/events.ts'
import type { ExportFormat } from './format.ts'
import { maskStreams } from './secret-streams.ts'

/** One wire envelope a line, with its `origin`, so that importing it where the run is already known doubles nothing. */
export const ndjson: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',

  async *write(database, run, mask) {
    const maskStream = mask === undefined ? undefined : await maskStreams(database, run.key, mask)
    for await (const row of allEvents(database, run.key)) {
      const line = envelopeJson(run.id, row, row.origin)
      yield `${mask === undefined ? line : mask.json(row.type === 'node.token' ? (maskStream?.(line) ?? line) : line)}\n`
    }
  },
}
