import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SCHEMA_VERSION } from '../migrate.ts'
import { fileOf } from '../older-sqlite.ts'

/** A store that has not changed for so long is quiet. */
export const CHECKPOINT_QUIET_MS = 1_000
/** Half of what SQLite lets the journal grow to before it empties it by itself, inside of the commit that reaches it. */
const LARGE_JOURNAL_BYTES = 8 * 1024 * 1024

/**
 * Moves what was committed from the journal into the file. That waits for the disk (5 to 13 ms here), and so does every span that arrives
 * meanwhile: it is done while it is quiet, or, where it never is, between commits.
 */
export class Checkpoints {
  readonly #database: DatabaseSync
  readonly #journal: string | undefined
  readonly #nowMs: () => number
  readonly #changes: StatementSync
  #changesDone = 0
  #changesSeen = 0
  #changedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: DatabaseSync, nowMs: () => number) {
    const path = fileOf(database)
    this.#database = database
    this.#journal = path === undefined ? undefined : `${path}-wal`
    this.#nowMs = nowMs
    this.#changes = database.prepare('SELECT total_changes() AS changes')
  }

  /** True when the journal was large, and is not any more. */
  shorten(): boolean {
    const changes = this.#changed()
    if (changes === this.#changesDone || this.#journalBytes() < LARGE_JOURNAL_BYTES) return false
    this.#move(changes)
    return true
  }

  /** Leaves nothing in the journal, if it is quiet; true when it is not, and something is left. */
  settle(): boolean {
    const nowMs = this.#nowMs()
    const changes = this.#changed()
    if (changes === this.#changesDone) return false
    if (changes !== this.#changesSeen) {
      this.#changesSeen = changes
      this.#changedAtMs = nowMs
    }
    if (nowMs - this.#changedAtMs < CHECKPOINT_QUIET_MS) return true
    this.#move(changes)
    return false
  }

  /** Waits for no reader: what one still looks at is left for the next time. */
  #move(changes: number): void {
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    // The first commit into an emptied journal waits for the disk as well. This one, which changes nothing, is nobody's.
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    this.#changesDone = changes
  }

  #changed(): number {
    return Number(this.#changes.get()?.['changes'] ?? 0)
  }

  #journalBytes(): number {
    if (this.#journal === undefined) return 0
    return statSync(this.#journal, { throwIfNoEntry: false })?.size ?? 0
  }
}
