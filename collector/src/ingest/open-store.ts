import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result } from '../problem.ts'
import { ownDatabase } from '../store/database-lock.ts'
import { IngestThread } from './ingest-thread.ts'
import type { CloseOptions } from './messages.ts'

/** A database that this process owns, with the thread that writes to it. */
export interface OpenStore {
  /** Where readers find it. */
  readonly path: string
  readonly ingest: IngestThread
  /** Tells other commands that the server on this port has the database. */
  announce(port: number, token: string | undefined): void
  /** Stores what was accepted, ends the thread and gives the database free. */
  close(options?: CloseOptions): Promise<void>
}

/** Takes a database file, or `:memory:` for one that is gone at `close`; a problem when it can't be used or another process has it. */
export async function openStore(db: string): Promise<Result<OpenStore>> {
  const { path, remove } = placeOf(db)
  const owned = ownDatabase(path)
  if (!owned.ok) {
    remove()
    return owned
  }
  const { announce, release } = owned.value
  const thread = await IngestThread.start(path)
  if (!thread.ok) {
    release()
    remove()
    return thread
  }
  const ingest = thread.value
  return ok({
    path,
    ingest,
    announce,
    async close(options) {
      await ingest.close(options)
      release()
      remove()
    },
  })
}

function placeOf(db: string): { readonly path: string; readonly remove: () => void } {
  if (db !== ':memory:') return { path: db, remove: () => undefined }
  // Two connections in two threads can't share a database in memory.
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-'))
  return { path: join(folder, 'memory.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
