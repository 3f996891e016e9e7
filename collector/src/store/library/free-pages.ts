import type { DatabaseSync, StatementSync } from 'node:sqlite'

// 1 MB at our page size: what is free below that is soon used again, and giving it back would cost twice.
export const KEPT_FREE_PAGES = 64
const PAGES_A_STEP = 32

/** Gives the pages of removed rows back to the file system, some at a time. */
export class FreePages {
  readonly #database: DatabaseSync
  readonly #free: StatementSync
  readonly #pages: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#free = database.prepare('PRAGMA freelist_count')
    this.#pages = database.prepare('PRAGMA page_count')
  }

  /** Bytes of the file that hold something. */
  usedBytes(): number {
    const size = Number(this.#database.prepare('PRAGMA page_size').get()?.['page_size'])
    return (this.#count(this.#pages, 'page_count') - this.#count(this.#free, 'freelist_count')) * size
  }

  /** False when there is not enough to give back, or the file is one that keeps what it has. */
  step(): boolean {
    const before = this.#count(this.#free, 'freelist_count')
    if (before <= KEPT_FREE_PAGES) return false
    this.#database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`)
    // The file itself gets shorter at a checkpoint; this one waits for nobody.
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    return this.#count(this.#free, 'freelist_count') < before
  }

  #count(statement: StatementSync, column: string): number {
    return Number(statement.get()?.[column] ?? 0)
  }
}
