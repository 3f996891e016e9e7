import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { waitForLocks } from './older-sqlite.ts'
import { kyselyDatabase } from './sqlite-adapter.ts'
import type { Tables } from './tables.ts'

const BUSY_TIMEOUT_MS = 5000

/** Opens a reading connection beside the writer, for Kysely. The writer must have created the file. */
export function openReader(path: string): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: readingDialect(path) })
}

/** A connection of its own that only reads, for Kysely. */
export function readingDialect(path: string): SqliteDialect {
  const database = new DatabaseSync(path, { readOnly: true })
  waitForLocks(database, BUSY_TIMEOUT_MS)
  // SQLite's own knows only the letters A to Z.
  database.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  return new SqliteDialect({ database: kyselyDatabase(database) })
}
