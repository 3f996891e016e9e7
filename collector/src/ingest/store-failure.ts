import { messageOf } from '../problem.ts'
import { CANT_OPEN, CORRUPT, FULL, IO_ERROR, isBusy, NOT_A_DATABASE, READ_ONLY, resultCode } from '../store/result-code.ts'

/** True for a refusal of SQLite, which concerns the whole transaction: a full disk, a locked file. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

/** True for a refusal that is over once somebody has freed the file or the disk: the same work will do then. */
export function mayPass(error: unknown): boolean {
  const code = resultCode(error)
  return isBusy(error) || (code !== undefined && [FULL, READ_ONLY, IO_ERROR, CANT_OPEN].includes(code))
}

/** What a store that refuses says to those who wait for it, and what to do. */
export function failureWords(error: unknown, path: string): string {
  if (isBusy(error)) return `Another program has the database ${path} locked. Close it: nothing has to be restarted.`
  switch (resultCode(error)) {
    case FULL:
      return `The disk of the database ${path} is full. Make room on it: nothing has to be restarted.`
    case READ_ONLY:
    case IO_ERROR:
    case CANT_OPEN:
      return `The database ${path} can't be written (${messageOf(error)}). Check its disk and permissions: nothing has to be restarted.`
    case CORRUPT:
    case NOT_A_DATABASE:
      return `The database ${path} is damaged (${messageOf(error)}). Export the runs that can still be read, stop graphmind, and move the file away to begin anew.`
    default:
      return `The store could not take it (${messageOf(error)}). Send it again.`
  }
}
