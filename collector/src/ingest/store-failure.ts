/** True for a refusal of SQLite, which concerns the whole transaction and may pass: a full disk, a locked file. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}
