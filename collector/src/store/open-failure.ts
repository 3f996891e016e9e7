import { failed, messageOf } from '../problem.ts'

// SQLite's own result codes (sqlite.org/rescode.html).
const BUSY = 5
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

/** Why a database file could not be opened, and what to do about it. */
export function openFailure(path: string, error: unknown): ReturnType<typeof failed> {
  switch (resultCode(error)) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return failed(
        'database-damaged',
        `The file ${path} is damaged, or no database at all (${messageOf(error)}). Nothing in it was changed. Move it away to begin anew, or name another file with --db.`,
      )
    case BUSY:
      return failed('database-busy', `Another program has the database ${path} locked. Close it, or name another file with --db.`)
    case FULL:
      return failed('database-full', `There is no room on the disk of the database ${path}. Make some, or name another file with --db.`)
    default:
      return failed(
        'database-open',
        `Can't open the database ${path}: ${messageOf(error)}. Check the path and its permissions, or name another file with --db.`,
      )
  }
}

/** Another connection holds a lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY
}

/** The primary result code; SQLite puts details into the bits above it. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}
