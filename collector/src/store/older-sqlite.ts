import type { DatabaseSync } from 'node:sqlite'

// What `node:sqlite` of Node 22.15 lacks; 22.16 has it.

/** `database.isTransaction`. */
export function isInTransaction(database: Pick<DatabaseSync, 'exec'> & { readonly isTransaction?: boolean }): boolean {
  if (database.isTransaction !== undefined) return database.isTransaction
  try {
    // Inside a transaction there can't be another one.
    database.exec('BEGIN; COMMIT')
    return false
  } catch {
    return true
  }
}

/** `database.location()`: the file, undefined for a database in memory. */
export function fileOf(database: DatabaseSync): string | undefined {
  const file = database.prepare('PRAGMA database_list').get()?.['file']
  return typeof file === 'string' && file !== '' ? file : undefined
}

/** The option `timeout`: how long to wait for a lock, ms. */
export function waitForLocks(database: DatabaseSync, ms: number): void {
  database.exec(`PRAGMA busy_timeout = ${ms}`)
}
