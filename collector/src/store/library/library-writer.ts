import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunRow } from '../writer.ts'
import type { RunMarks } from './run-marks.ts'

/** How long a deleted run can be brought back. */
export const UNDO_MS = 10 * 60_000

/** A deleted run whose rows may go now. */
export interface DueRun {
  readonly key: number
  readonly id: string
}

/** What people do to runs as wholes: mark, delete, bring back. Synchronous; the caller owns the transaction. */
export class LibraryWriter {
  readonly #mark: StatementSync
  readonly #setDeleted: StatementSync
  readonly #dueForPurge: StatementSync
  readonly #beginPurge: StatementSync
  readonly #freeJoined: StatementSync
  readonly #removeRow: StatementSync
  readonly #deletedIds: StatementSync

  constructor(database: DatabaseSync) {
    this.#mark = database.prepare('UPDATE runs SET title = ?, note = ?, tags = ?, pinned = ? WHERE key = ?')
    this.#setDeleted = database.prepare('UPDATE runs SET deleted_at = ? WHERE key = ?')
    this.#dueForPurge = database.prepare('SELECT key, id FROM runs WHERE deleted_at <= ? AND waiting = 0 ORDER BY deleted_at LIMIT ?')
    this.#beginPurge = database.prepare(
      `INSERT INTO purges (run, run_id, last_log, event_count)
       SELECT key, id, (SELECT coalesce(max(rowid), 0) FROM logs WHERE run_id = runs.id), event_count FROM runs WHERE key = ?`,
    )
    this.#freeJoined = database.prepare('UPDATE runs SET merged_into = NULL, deleted_at = 0 WHERE merged_into = ?')
    this.#removeRow = database.prepare('DELETE FROM runs WHERE key = ?')
    this.#deletedIds = database.prepare('SELECT id FROM runs WHERE deleted_at IS NOT NULL')
  }

  /** Changes the row given and the stored one. */
  mark(row: RunRow, { name, note, tags, pinned }: RunMarks): void {
    if (name !== undefined) row.title = name
    if (note !== undefined) row.note = note
    if (tags !== undefined) row.tags = JSON.stringify(tags)
    if (pinned !== undefined) row.pinned = pinned ? 1 : 0
    this.#mark.run(row.title, row.note, row.tags, row.pinned, row.key)
  }

  /** `deletedAt`: epoch ms, 0 for a run that is not to come back, null for one that is back. */
  setDeleted(row: RunRow, deletedAt: number | null): void {
    row.deleted_at = deletedAt
    this.#setDeleted.run(deletedAt, row.key)
  }

  deletedIds(): readonly string[] {
    return this.#deletedIds.all().map((row) => String(row['id']))
  }

  /** Deleted runs whose time to be brought back is over. */
  dueForPurge(nowMs: number, limit: number): readonly DueRun[] {
    return this.#dueForPurge.all(nowMs - UNDO_MS, limit).map((row) => ({ key: Number(row['key']), id: String(row['id']) }))
  }

  /**
   * Takes the run out of the list for good; what hangs on its key is removed later, in pieces (`Purger`). From now on the id is free: spans
   * that come late begin a run anew.
   */
  beginPurge(key: number, id: string): void {
    this.#beginPurge.run(key)
    this.#removeRow.run(key)
    // The spans of a joined trace are in this run and in its own hidden one.
    this.#freeJoined.run(id)
  }
}
