import { openStore } from '../../ingest/open-store.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { findServer, headersFor, type RunningServer } from '../../store/database-lock.ts'

/** Has what waits of a run derived, so that it can be read whole: by the server that owns the database, else by this process. */
export async function deriveRun(path: string, runId: string): Promise<Result<void>> {
  const server = await findServer(path)
  if (server !== undefined) return askServer(server, runId)
  const store = await openStore(path)
  if (!store.ok) return store
  const { ingest, close } = store.value
  try {
    return ok(await ingest.derive(runId))
  } catch (error) {
    return failed('store', messageOf(error))
  } finally {
    await close()
  }
}

/** A server derives what is asked for. */
async function askServer(server: RunningServer, runId: string): Promise<Result<void>> {
  const { url } = server
  try {
    const answer = await fetch(`${url}/api/runs/${encodeURIComponent(runId)}`, { headers: headersFor(server) })
    return answer.ok ? ok(undefined) : failed('store', `The server at ${url} answered ${answer.status}.`)
  } catch (error) {
    return failed('store', `The server at ${url} could not be asked: ${messageOf(error)}.`)
  }
}
