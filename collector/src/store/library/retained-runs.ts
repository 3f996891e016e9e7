import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RetainedRun } from './retention.ts'

/** All listed runs, newest first by when something of them last arrived. */
export class RetainedRuns {
  readonly #all: StatementSync

  constructor(database: DatabaseSync) {
    this.#all = database.prepare(
      `SELECT key, id, coalesce(title, name) AS name, started_at, changed_at, category, source, event_count,
       (pinned = 1 OR status = 'running' OR waiting > 0) AS protected FROM runs
       WHERE deleted_at IS NULL AND merged_into IS NULL ORDER BY changed_at DESC, key DESC`,
    )
  }

  *newestFirst(heldIds: ReadonlySet<string>): Generator<RetainedRun> {
    for (const row of this.#all.iterate()) {
      const id = String(row['id'])
      yield {
        key: Number(row['key']),
        id,
        name: String(row['name']),
        startedAt: Number(row['started_at']),
        changedAt: Number(row['changed_at']),
        category: String(row['category']),
        source: String(row['source']),
        isProtected: row['protected'] === 1 || heldIds.has(id),
        eventCount: Number(row['event_count']),
      }
    }
  }
}
