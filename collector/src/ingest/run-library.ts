import { noSuchRun } from '../no-such-run.ts'
import { failed, ok, type Result } from '../problem.ts'
import { type DueRun, type LibraryWriter, UNDO_MS } from '../store/library/library-writer.ts'
import type { RunMarks } from '../store/library/run-marks.ts'
import type { RunRow, StoreWriter } from '../store/writer.ts'
import type { RunCache } from './run-cache.ts'

/** What became of a run that was deleted. Epoch ms; null when it can't be brought back. */
export interface Deleted {
  readonly restorableUntil: number | null
}

interface Checkpoint {
  readonly changed: ReadonlyMap<string, RunRow>
  readonly removed: ReadonlySet<string>
}

/** Marks, deletes and restores runs in the open transaction, also those in the worker's memory; remembers until its end what to announce. */
export class RunLibrary {
  readonly #writer: StoreWriter
  readonly #library: LibraryWriter
  readonly #runs: RunCache
  readonly #nowMs: () => number
  readonly #changed = new Map<string, RunRow>()
  readonly #removed = new Set<string>()

  constructor(writer: StoreWriter, library: LibraryWriter, runs: RunCache, nowMs: () => number) {
    this.#writer = writer
    this.#library = library
    this.#runs = runs
    this.#nowMs = nowMs
  }

  mark(runId: string, marks: RunMarks): Result<RunRow> {
    const row = this.#find(runId)
    if (row === undefined || row.deleted_at !== null) return noSuchRun(runId)
    this.#library.mark(row, marks)
    this.#changed.set(runId, row)
    return ok({ ...row })
  }

  /** A run that is running can't be deleted: what comes next would bring it back. Without a server none is, whatever its row says. */
  delete(runId: string, { forever, evenRunning = false }: { readonly forever: boolean; readonly evenRunning?: boolean }): Result<Deleted> {
    const row = this.#find(runId)
    if (row === undefined || (row.deleted_at !== null && !forever)) return noSuchRun(runId)
    if (row.status === 'running' && !evenRunning) {
      return failed('run-running', `Run ${runId} is still running. Let it end, or stop its program, and delete it then.`)
    }
    const deletedAt = forever ? 0 : this.#nowMs()
    this.#library.setDeleted(row, deletedAt)
    this.#gone(runId)
    return ok({ restorableUntil: forever ? null : deletedAt + UNDO_MS })
  }

  /** Deletes without a way back. */
  expire(runIds: Iterable<string>): void {
    for (const runId of runIds) {
      const row = this.#find(runId)
      if (row === undefined) continue
      this.#library.setDeleted(row, 0)
      this.#gone(runId)
    }
  }

  restore(runId: string): Result<RunRow> {
    const row = this.#find(runId)
    if (row === undefined || row.deleted_at === 0) return failed('no-such-run', `Run ${runId} is gone for good, or never was.`)
    this.revive(row)
    return ok({ ...row })
  }

  /** Something new came for the run, so it is shown. */
  revive(row: RunRow): void {
    if (row.deleted_at === null) return
    this.#library.setDeleted(row, null)
    this.#removed.delete(row.id)
    this.#changed.set(row.id, row)
  }

  /** Whoever imports a run that was deleted wants to see it. */
  reviveAmong(runIds: ReadonlySet<string>): void {
    for (const runId of this.#library.deletedIds()) {
      const row = runIds.has(runId) ? this.#find(runId) : undefined
      if (row !== undefined) this.revive(row)
    }
  }

  /** The run's row was written beside this memory; it is announced as it is now. */
  rewritten(runId: string): void {
    this.#runs.drop(runId)
    const row = this.#writer.runById(runId)
    if (row !== undefined && row.deleted_at === null && row.merged_into === null) this.#changed.set(runId, row)
  }

  /** Up to `limit` deleted runs whose time to be brought back is over. */
  due(limit: number): readonly DueRun[] {
    return this.#library.dueForPurge(this.#nowMs(), limit)
  }

  /** Takes deleted runs out of the list for good. */
  beginPurge(due: readonly DueRun[]): void {
    for (const { key, id } of due) {
      this.#library.beginPurge(key, id)
      this.#runs.drop(id)
    }
  }

  /** What to announce of this transaction: rows that changed, and ids of runs that left the list. */
  get changes(): { readonly rows: readonly RunRow[]; readonly removed: readonly string[] } {
    return { rows: [...this.#changed.values()], removed: [...this.#removed] }
  }

  checkpoint(): Checkpoint {
    return { changed: new Map(this.#changed), removed: new Set(this.#removed) }
  }

  /** Forgets what came after the checkpoint. */
  rollBack({ changed, removed }: Checkpoint): void {
    this.clear(true)
    for (const [runId, row] of changed) this.#changed.set(runId, row)
    for (const runId of removed) this.#removed.add(runId)
  }

  /** The transaction is over; `failed` when nothing of it holds. */
  clear(failed: boolean): void {
    if (failed) for (const runId of [...this.#changed.keys(), ...this.#removed]) this.#runs.drop(runId)
    this.#changed.clear()
    this.#removed.clear()
  }

  #gone(runId: string): void {
    this.#changed.delete(runId)
    this.#removed.add(runId)
  }

  #find(runId: string): RunRow | undefined {
    return this.#runs.peek(runId)?.row ?? this.#writer.runById(runId)
  }
}
