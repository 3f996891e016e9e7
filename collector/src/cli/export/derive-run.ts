import { IngestThread } from '../../ingest/ingest-thread.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { findServer, lockForCommand } from '../../store/database-lock.ts'

/** Has what waits of a run derived, so that it can be read whole: by the server that owns the database, else by this process. */
export async function deriveRun(path: string, runId: string): Promise<Result<void>> {
  const server = await findServer(path)
  if (server !== undefined) return askServer(server, runId)
  const lock = lockForCommand(path)
  if (!lock.ok) return lock
  const thread = await IngestThread.start(path, () => undefined)
  try {
    if (!thread.ok) return thread
    return ok(await thread.value.derive(runId))
  } catch (error) {
    return failed('store', messageOf(error))
  } finally {
    if (thread.ok) await thread.value.close()
    lock.value()
  }
}

/** A server derives what is asked for. */
async function askServer(url: string, runId: string): Promise<Result<void>> {
  try {
    const answer = await fetch(`${url}/api/runs/${encodeURIComponent(runId)}`)
    return answer.ok ? ok(undefined) : failed('store', `The server at ${url} answered ${answer.status}.`)
  } catch (error) {
    return failed('store', `The server at ${url} could not be asked: ${messageOf(error)}.`)
  }
}
