import type { DatabaseSync } from 'node:sqlite'
import { failed, ok, type Result } from '../problem.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { hasFts5, settleWordsTable } from './search/words-table.ts'

/** The shape that this version gives a database; a higher one is of a later GraphMind. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Whether this version may write to the database: a new one, or one of this or an earlier GraphMind. Changes nothing. */
export function checkSchema(database: DatabaseSync, path: string): Result<void> {
  const found = schemaVersion(database)
  if (found > SCHEMA_VERSION) {
    return failed(
      'database-newer',
      `The database ${path} was written by a newer GraphMind (database version ${found}, this one knows ${SCHEMA_VERSION}). Update GraphMind, or name another file with --db.`,
    )
  }
  if (found === 0 && hasForeignTables(database)) {
    return failed('database-foreign', `The file ${path} is a SQLite database of something else. Name another file with --db.`)
  }
  return ok(undefined)
}

/** Brings the database to this version's shape, each step in a transaction; without FTS5 all but its table, which gets a stand-in. */
export function migrate(database: DatabaseSync): void {
  const found = schemaVersion(database)
  const isFts = hasFts5(database)
  for (const migration of MIGRATIONS) {
    if (migration.number <= found) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const statement of migration.statements) if (isFts || !statement.includes('search_words')) database.exec(statement)
      database.exec(`PRAGMA user_version = ${migration.number}`)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
  settleWordsTable(database)
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

function hasForeignTables(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1").get() !== undefined
}
