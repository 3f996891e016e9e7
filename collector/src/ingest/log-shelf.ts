import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { LogView } from '@graphmind-ai/mappings'
import { type DecodedLog, viewOfStored } from '../otlp/decode-logs.ts'

const MAX_REMEMBERED = 2_000

/** The kept log records, on the writing connection: what of them is about which span, and the sessions that consist of nothing else. */
export class LogShelf {
  readonly #insert: StatementSync
  readonly #about: StatementSync
  readonly #session: StatementSync
  readonly #any: StatementSync
  readonly #all: StatementSync
  readonly #replace: StatementSync
  /** Whether a run has records; true may be too much after a rollback, which only costs a look. */
  readonly #has = new Map<string, boolean>()
  /** No run has any, as in most stores: asked once, so that new runs need not be asked for. */
  #isEmpty: boolean

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO logs (run_id, hash, about, session, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
    this.#about = database.prepare('SELECT record FROM logs WHERE run_id = ? AND about = ? ORDER BY rowid')
    this.#session = database.prepare('SELECT record FROM logs WHERE run_id = ? AND session = 1 ORDER BY rowid')
    this.#any = database.prepare('SELECT 1 FROM logs WHERE run_id = ? LIMIT 1')
    this.#isEmpty = database.prepare('SELECT 1 FROM logs LIMIT 1').get() === undefined
    this.#all = database.prepare('SELECT rowid AS id, hash, record FROM logs WHERE run_id = ?')
    this.#replace = database.prepare('UPDATE OR REPLACE logs SET hash = ?, record = ? WHERE rowid = ?')
  }

  /** False when the record is there already. `session` for one that belongs to no trace. */
  add(runId: string, log: DecodedLog, about: string, session: boolean): boolean {
    this.#isEmpty = false
    this.#remember(runId, true)
    return this.#insert.run(runId, log.hash, about, session ? 1 : 0, log.json).changes !== 0
  }

  has(runId: string): boolean {
    if (this.#isEmpty) return false
    const known = this.#has.get(runId)
    if (known !== undefined) return known
    const found = this.#any.get(runId) !== undefined
    this.#remember(runId, found)
    return found
  }

  /** Records about any of these subjects (`logKeysOf`), in order of time. */
  about(runId: string, subjects: readonly string[]): readonly LogView[] {
    if (!this.has(runId)) return []
    return viewsOf(subjects.flatMap((subject) => this.#about.all(runId, subject)))
  }

  /** The records of a session that has no trace. */
  ofSession(runId: string): readonly LogView[] {
    return this.has(runId) ? viewsOf(this.#session.all(runId)) : []
  }

  /** Puts what `change` makes of each of the run's records in its place. */
  rewrite(runId: string, change: (log: DecodedLog) => DecodedLog): void {
    if (!this.has(runId)) return
    for (const row of this.#all.all(runId)) {
      const json = String(row['record'])
      const log = change({ view: viewOfStored(JSON.parse(json)), hash: String(row['hash']), json })
      if (log.json !== json) this.#replace.run(log.hash, log.json, Number(row['id']))
    }
  }

  #remember(runId: string, has: boolean): void {
    if (this.#has.size >= MAX_REMEMBERED) this.#has.clear()
    this.#has.set(runId, has)
  }
}

function viewsOf(rows: readonly { readonly [column: string]: unknown }[]): readonly LogView[] {
  const views = rows.map((row) => viewOfStored(JSON.parse(String(row['record']))))
  return views.sort((one, other) => (one.timeNanos < other.timeNanos ? -1 : one.timeNanos > other.timeNanos ? 1 : 0))
}
