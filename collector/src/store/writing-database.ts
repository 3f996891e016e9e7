import { DatabaseSync } from 'node:sqlite'
import { ok, type Result } from '../problem.ts'
import { checkSchema, migrate } from './migrate.ts'
import { waitForLocks } from './older-sqlite.ts'
import { openFailure } from './open-failure.ts'
import { makePrivate } from './private-file.ts'

// A start can wait for a lock. The writer can't: everything else waits for it.
const BUSY_TIMEOUT_MS = 5000
const WRITER_BUSY_TIMEOUT_MS = 100

/** Opens the one writing connection, creating folder and file for this user alone, and brings the file to this version's shape. */
export function openWriter(path: string): Result<DatabaseSync> {
  let database: DatabaseSync | undefined
  try {
    // SQLite gives -wal and -shm the permissions of the database file.
    makePrivate(path)
    database = new DatabaseSync(path)
    waitForLocks(database, BUSY_TIMEOUT_MS)
    // First, so that nothing is written into a file that is not ours.
    const known = checkSchema(database, path)
    if (!known.ok) {
      database.close()
      return known
    }
    // Both have to be set before the first table, and the page size before WAL.
    database.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    // The journal is cut to what is in it when it begins anew, so that its size tells how much is to be moved into the file.
    database.exec('PRAGMA journal_size_limit = 0')
    migrate(database)
    // What a savepoint would put back is kept in memory: beyond 64 KB, four of our pages, SQLite would make a file outside of our folder for
    // it, in each commit. Not for migrations, whose sorting may be larger than memory.
    database.exec('PRAGMA temp_store = MEMORY')
    waitForLocks(database, WRITER_BUSY_TIMEOUT_MS)
    return ok(database)
  } catch (error) {
    if (database?.isOpen === true) database.close()
    return openFailure(path, error)
  }
}
