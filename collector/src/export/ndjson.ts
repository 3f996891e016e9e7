import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import type { ExportFormat } from './format.ts'

const PAGE = 500

/** One wire envelope a line, with its `origin`, so that importing it where the run is already known doubles nothing. */
export const ndjson: ExportFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',

  async *write(database, run) {
    const runId = JSON.stringify(run.id)
    for (let after = -1; ; ) {
      const rows = await database
        .selectFrom('events')
        .select(['seq', 'ts', 'type', 'origin', 'payload', 'unknown_fields'])
        .where('run', '=', run.key)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(PAGE)
        .execute()
      for (const { seq, ts, type, origin, payload, unknown_fields: unknown } of rows) {
        // Both are JSON text already; the braces of the fields' object give way to ours.
        const others = unknown === null ? '' : `${unknown.slice(1, -1)},`
        yield `{${others}"gm":${PROTOCOL_VERSION},"seq":${seq},"ts":${ts},"runId":${runId},"type":${JSON.stringify(type)},"origin":${JSON.stringify(origin)},"payload":${payload}}\n`
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      after = last.seq
    }
  },
}
