import { importFile } from '../../import/import-file.ts'
import { openStore } from '../../ingest/open-store.ts'
import { messageOf, ok, type Result } from '../../problem.ts'
import { openReader } from '../../store/database.ts'
import { NOT_LIVE, runInfoOf } from '../../store/reads/run-info.ts'
import { runsById } from '../../store/reads/runs.ts'
import type { Importer } from './importer.ts'

/** Imports into a database that no server has open, with the same ingest thread as the server's. */
export async function openImporter(path: string): Promise<Result<Importer>> {
  const store = await openStore(path)
  if (!store.ok) return store
  const { ingest } = store.value
  const database = openReader(path)
  return ok({
    async importFile(file, bytes, listener) {
      try {
        const imported = await importFile(file, bytes, ingest.import(), ({ spans, events, logs, packing }) =>
          listener.stored(spans + events + logs, packing),
        )
        if (!imported.ok) return imported
        const { runIds, skipped, skippedCount } = imported.value
        for await (const page of runsById(database, runIds)) for (const row of page) listener.run(runInfoOf(row, NOT_LIVE))
        return ok({
          skipped: skipped.map(({ line, reason }) => ({ file, line, reason })),
          skippedCount,
        })
      } catch (error) {
        return { ok: false, problem: { code: 'import', message: `${file} could not be imported: ${messageOf(error)}.` } }
      }
    },
    async close() {
      await database.destroy()
      // Rows that were packed have left their pages free.
      await store.value.close({ shrink: true })
    },
  })
}
