import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SearchIndex } from '../search/search-index.ts'

// About a millisecond of work for rows of 2 KB, so that a slice can end close to its time.
const ROWS_A_STEP = 64

/** Tables whose rows hang on a run's key and may be many: emptied a few rows at a time. */
const LARGE_TABLES = ['events', 'spans', 'span_blocks', 'event_pages', 'span_pages'] as const
const SMALL_TABLES = ['resources', 'scopes'] as const

/** Empties the tables of runs that are gone for good, in steps that each commit by themselves. */
export class Purger {
  readonly #next: StatementSync
  readonly #steps: readonly ((run: number, runId: string, lastLog: number) => number)[]
  readonly #done: StatementSync
  readonly #waiting: StatementSync

  constructor(database: DatabaseSync, search: SearchIndex) {
    this.#next = database.prepare('SELECT run, run_id, last_log FROM purges LIMIT 1')
    this.#done = database.prepare('DELETE FROM purges WHERE run = ?')
    this.#waiting = database.prepare(
      `SELECT (SELECT coalesce(sum(event_count), 0) FROM purges) +
       (SELECT coalesce(sum(event_count), 0) FROM runs WHERE deleted_at IS NOT NULL) AS events`,
    )
    const large = LARGE_TABLES.map((table) => {
      const statement = database.prepare(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE run = ? LIMIT ${ROWS_A_STEP})`,
      )
      return (run: number) => Number(statement.run(run).changes)
    })
    const small = SMALL_TABLES.map((table) => {
      const statement = database.prepare(`DELETE FROM ${table} WHERE run = ?`)
      return (run: number) => Number(statement.run(run).changes)
    })
    const logs = database.prepare(
      `DELETE FROM logs WHERE rowid IN (SELECT rowid FROM logs WHERE run_id = ? AND rowid <= ? LIMIT ${ROWS_A_STEP})`,
    )
    // Records that came after the run was gone belong to the run that begins anew.
    this.#steps = [(run) => search.removeSome(run), ...large, ...small, (_run, runId, lastLog) => Number(logs.run(runId, lastLog).changes)]
  }

  /** Events that are deleted and still in the file. */
  waitingEvents(): number {
    return Number(this.#waiting.get()?.['events'])
  }

  /** Removes some rows; false when there is nothing left to remove. */
  step(): boolean {
    const purge = this.#next.get()
    if (purge === undefined) return false
    const run = Number(purge['run'])
    const removed = this.#steps.some((remove) => remove(run, String(purge['run_id']), Number(purge['last_log'])) > 0)
    if (!removed) this.#done.run(run)
    return true
  }
}
