import type { DatabaseSync, StatementSync } from 'node:sqlite'

const AT_MOST_EVERY_MS = 1_000

/**
 * Moves what was committed from the journal into the file while nobody waits. SQLite does it by itself at 1,000 pages, inside of the commit that
 * reaches them: there it would make a live span late.
 */
export class Checkpoints {
  readonly #database: DatabaseSync
  readonly #nowMs: () => number
  readonly #changes: StatementSync
  #changesDone = 0
  #doneAtMs = Number.NEGATIVE_INFINITY

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#database = database
    this.#nowMs = nowMs
    this.#changes = database.prepare('SELECT total_changes() AS changes')
  }

  /** Waits for no reader: what one still looks at is left for the next time. */
  step(): void {
    const nowMs = this.#nowMs()
    if (nowMs - this.#doneAtMs < AT_MOST_EVERY_MS) return
    const changes = Number(this.#changes.get()?.['changes'] ?? 0)
    if (changes === this.#changesDone) return
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    this.#changesDone = changes
    this.#doneAtMs = nowMs
  }
}
