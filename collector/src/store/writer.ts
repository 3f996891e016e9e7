import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Selectable } from 'kysely'
import { isInTransaction } from './older-sqlite.ts'
import type { EventsTable, RunsTable, SpansTable } from './tables.ts'

export type RunRow = Selectable<RunsTable>
type Row = Record<string, unknown>

/** Not SQLite's own choice of a key: that one may still hang on the rows of a run that is being removed. */
export const NEXT_RUN_KEY = '1 + max((SELECT coalesce(max(key), 0) FROM runs), (SELECT coalesce(max(run), 0) FROM purges))'

/** All writing statements, prepared once on the writing connection. Synchronous; the caller owns the transaction. */
export class StoreWriter {
  readonly #database: DatabaseSync
  readonly #insertEvent: StatementSync
  readonly #upsertSpan: StatementSync
  readonly #insertResource: StatementSync
  readonly #insertScope: StatementSync
  readonly #insertRun: StatementSync
  readonly #updateRun: StatementSync
  readonly #markSession: StatementSync
  readonly #mergeRun: StatementSync
  readonly #runById: StatementSync
  readonly #lastSeq: StatementSync
  readonly #seqBefore: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    // Written out: a query builder in this thread, for four statements, takes more than a megabyte for as long as the program runs.
    this.#insertEvent = database.prepare(
      `INSERT INTO events (run, seq, ts, type, instance_id, origin, payload, unknown_fields) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    )
    this.#upsertSpan = database.prepare(
      `INSERT INTO spans (run, span_id, copy, ordinal, resource, scope, facts, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run, span_id, copy) DO UPDATE SET
       resource = excluded.resource, scope = excluded.scope, facts = excluded.facts, raw = excluded.raw`,
    )
    this.#insertResource = database.prepare('INSERT INTO resources (run, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    this.#insertScope = database.prepare('INSERT INTO scopes (run, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    this.#insertRun = database.prepare(
      `INSERT INTO runs (key, id, app, name, started_at, status, schema_version, source, category, event_count, error_count, span_count, node_count, models, changed_at, steps)
       VALUES (${NEXT_RUN_KEY},
       ?, '', '', ?, 'running', ?, 'live', 'other', 0, 0, 0, 0, '[]', ?, 0)`,
    )
    this.#updateRun = database.prepare(
      `UPDATE runs SET app = ?, name = ?, started_at = ?, finished_at = ?, status = ?, source = ?, category = ?, event_count = ?, error_count = ?,
       span_count = ?, node_count = ?, kinds = ?, node_names = ?, usage = ?, models = ?, session_id = ?, changed_at = ?,
       steps = ?, held_ms = ?, held_since = ? WHERE key = ?`,
    )
    this.#markSession = database.prepare('UPDATE runs SET had_session = 1, hide = ? WHERE key = ?')
    this.#mergeRun = database.prepare('UPDATE runs SET merged_into = ? WHERE key = ?')
    this.#runById = database.prepare('SELECT * FROM runs WHERE id = ?')
    this.#lastSeq = database.prepare('SELECT max(seq) AS seq FROM events WHERE run = ?')
    this.#seqBefore = database.prepare('SELECT max(seq) AS seq FROM events WHERE run = ? AND seq < ?')
  }

  /** Runs `work` in one transaction; a throw rolls everything back and passes on. */
  transaction<Value>(work: () => Value): Value {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      this.#database.exec('COMMIT')
      return value
    } catch (error) {
      if (isInTransaction(this.#database)) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Runs `work` so that a throw undoes only its own writes. */
  savepoint<Value>(work: () => Value): Value {
    this.#database.exec('SAVEPOINT part')
    try {
      const value = work()
      this.#database.exec('RELEASE part')
      return value
    } catch (error) {
      // A full disk may have rolled the whole transaction back already.
      if (isInTransaction(this.#database)) this.#database.exec('ROLLBACK TO part; RELEASE part')
      throw error
    }
  }

  get inTransaction(): boolean {
    return isInTransaction(this.#database)
  }

  /** False when an event of this seq or origin is there already. */
  insertEvent(event: EventsTable): boolean {
    const { run, seq, ts, type, instance_id, origin, payload, unknown_fields } = event
    return this.#insertEvent.run(run, seq, ts, type, instance_id, origin, payload, unknown_fields).changes !== 0
  }

  upsertSpan(span: SpansTable): void {
    this.#upsertSpan.run(span.run, span.span_id, span.copy, span.ordinal, span.resource, span.scope, span.facts, span.raw)
  }

  insertResource(run: number, hash: string, body: string): void {
    this.#insertResource.run(run, hash, body)
  }

  insertScope(run: number, hash: string, body: string): void {
    this.#insertScope.run(run, hash, body)
  }

  insertRun(id: string, startedAt: number, schemaVersion: number): RunRow {
    this.#insertRun.run(id, startedAt, schemaVersion, startedAt)
    // Asked for and not returned by the insert, which would build a table of it first.
    const row = this.runById(id)
    if (row === undefined) throw new Error(`run ${id} is not there after its insert`)
    return row
  }

  updateRun(row: RunRow): void {
    this.#updateRun.run(
      row.app,
      row.name,
      row.started_at,
      row.finished_at,
      row.status,
      row.source,
      row.category,
      row.event_count,
      row.error_count,
      row.span_count,
      row.node_count,
      row.kinds,
      row.node_names,
      row.usage,
      row.models,
      row.session_id,
      row.changed_at,
      row.steps,
      row.held_ms,
      row.held_since,
      row.key,
    )
  }

  /** A session spoke for the run; `hide` is the JSON list of its redaction switches. */
  markSession(run: number, hide: string): void {
    this.#markSession.run(hide, run)
  }

  mergeRun(run: number, into: string | null): void {
    this.#mergeRun.run(into, run)
  }

  runById(id: string): RunRow | undefined {
    return rowOf(this.#runById.get(id))
  }

  lastSeq(run: number): number | null {
    return seqOf(this.#lastSeq.get(run))
  }

  seqBefore(run: number, seq: number): number | null {
    return seqOf(this.#seqBefore.get(run, seq))
  }
}

function rowOf(row: Row | undefined): RunRow | undefined {
  return row === undefined ? undefined : ({ ...row } as unknown as RunRow)
}

function seqOf(row: Row | undefined): number | null {
  const seq = row?.['seq']
  return typeof seq === 'number' ? seq : null
}
