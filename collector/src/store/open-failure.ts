import { failed, messageOf } from '../problem.ts'
import { CORRUPT, FULL, isBusy, NOT_A_DATABASE, resultCode } from './result-code.ts'

/** Why a database file could not be opened, and what to do about it. */
export function openFailure(path: string, error: unknown): ReturnType<typeof failed> {
  if (isBusy(error))
    return failed('database-busy', `Another program has the database ${path} locked. Close it, or name another file with --db.`)
  switch (resultCode(error)) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return failed(
        'database-damaged',
        `The file ${path} is damaged, or no database at all (${messageOf(error)}). Nothing in it was changed. Move it away to begin anew, or name another file with --db.`,
      )
    case FULL:
      return failed('database-full', `There is no room on the disk of the database ${path}. Make some, or name another file with --db.`)
    default:
      return failed(
        'database-open',
        `Can't open the database ${path}: ${messageOf(error)}. Check the path and its permissions, or name another file with --db.`,
      )
  }
}
