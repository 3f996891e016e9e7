import { openStore } from '../../ingest/open-store.ts'
import { isUnsearchable, searchProgress } from '../../store/reads/search.ts'
import { waitingRunIds } from '../../store/reads/waiting.ts'
import type { Console } from '../console.ts'
import type { Records } from '../runs/records.ts'

/**
 * Has everything that is stored read and indexed, so that a search finds it. A server does that by itself when it has time; where there
 * is none it is done here, once. While another command writes to the database what is there has to do.
 */
export async function fillIndex({ database, path, server }: Records, draw: Console['draw']): Promise<void> {
  if (server !== undefined) return
  const runIds = await waitingRunIds(database)
  const { waiting } = await searchProgress(database)
  if (runIds.length === 0 && waiting === 0 && !(await isUnsearchable(database))) return
  const store = await openStore(path)
  if (!store.ok) return
  draw?.('Reading what is stored into the search index; this is done once …')
  try {
    for (const runId of runIds) await store.value.ingest.derive(runId)
  } finally {
    // Closing tidily fills the index.
    await store.value.close({ tidy: true })
    draw?.('')
  }
}
