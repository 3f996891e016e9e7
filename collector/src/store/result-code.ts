// SQLite's own result codes (sqlite.org/rescode.html).
const BUSY = 5
const LOCKED = 6
export const READ_ONLY = 8
export const IO_ERROR = 10
export const CORRUPT = 11
export const FULL = 13
export const CANT_OPEN = 14
export const NOT_A_DATABASE = 26

/** The primary result code; SQLite puts details into the bits above it. Undefined for an error that is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

/** Another connection holds a lock that was asked for. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}
