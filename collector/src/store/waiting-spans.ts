import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import type { OtlpFormat } from '../otlp/decode.ts'
import type { TracePart } from '../otlp/trace-part.ts'
import { pack, unpack } from './pack.ts'
import { NEXT_RUN_KEY, type RunRow } from './writer.ts'

/** Spans of one run that came together and are not derived yet. */
export interface SpanBlock {
  readonly key: number
  readonly spanCount: number
  readonly format: OtlpFormat
  readonly bytes: Uint8Array
}

/** Spans that are stored and not derived yet, on the writing connection. */
export class WaitingSpans {
  readonly #run: StatementSync
  readonly #insert: StatementSync
  readonly #blocks: StatementSync
  readonly #remove: StatementSync
  readonly #derived: StatementSync
  readonly #newest: StatementSync
  readonly #count: StatementSync

  constructor(database: DatabaseSync) {
    // What a part says of its run is shown until the run's events say it better.
    this.#run = database.prepare(
      `INSERT INTO runs (key, id, app, name, started_at, finished_at, status, schema_version, source, category, event_count, error_count,
         span_count, node_count, models, changed_at, waiting)
       VALUES (${NEXT_RUN_KEY}, ?, ?, ?, ?, ?, ?, ${PROTOCOL_VERSION}, 'live', 'agent', 0, 0, 0, 0, '[]', ?, ?)
       ON CONFLICT (id) DO UPDATE SET waiting = waiting + excluded.waiting, changed_at = excluded.changed_at,
         app = iif(event_count > 0 OR app <> '', app, excluded.app),
         name = iif(event_count > 0 OR (name <> '' AND excluded.finished_at IS NULL), name, excluded.name),
         started_at = iif(event_count > 0, started_at, min(started_at, excluded.started_at)),
         finished_at = iif(event_count > 0 OR excluded.finished_at IS NULL, finished_at, excluded.finished_at),
         status = iif(event_count > 0 OR excluded.finished_at IS NULL, status, excluded.status)
       RETURNING *`,
    )
    this.#insert = database.prepare('INSERT INTO span_blocks (run, spans, format, body) VALUES (?, ?, ?, ?)')
    this.#blocks = database.prepare('SELECT key, spans, format, body FROM span_blocks WHERE run = ? ORDER BY key')
    this.#remove = database.prepare('DELETE FROM span_blocks WHERE key = ?')
    this.#derived = database.prepare('UPDATE runs SET waiting = max(0, waiting - ?) WHERE key = ?')
    this.#newest = database.prepare(
      'SELECT id FROM runs WHERE waiting > 0 AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY key DESC LIMIT 1',
    )
    this.#count = database.prepare(
      'SELECT coalesce(sum(waiting), 0) AS count FROM runs WHERE waiting > 0 AND id NOT IN (SELECT value FROM json_each(?))',
    )
  }

  /** Stores a part, and its run where there is none yet. Returns the run's row as it is now. */
  add({ traceId, format, bytes, spanCount, outline }: TracePart, nowMs: number): RunRow {
    const { app, name, startMs, end } = outline
    const status = end === undefined ? 'running' : end.failed ? 'error' : 'ok'
    const row = this.#run.get(traceId, app, name, startMs, end?.ms ?? null, status, Math.trunc(nowMs), spanCount)
    const run = { ...row } as unknown as RunRow
    this.#insert.run(run.key, spanCount, format, pack(bytes))
    return run
  }

  /** The run's oldest blocks, up to about this many spans; always one, if there is any. */
  oldest(run: number, maxSpans: number): readonly SpanBlock[] {
    const blocks: SpanBlock[] = []
    let spans = 0
    for (const row of this.#blocks.iterate(run)) {
      const spanCount = Number(row['spans'])
      if (blocks.length > 0 && spans + spanCount > maxSpans) break
      spans += spanCount
      const bytes = unpack(row['body'] as Uint8Array)
      blocks.push({ key: Number(row['key']), spanCount, format: row['format'] as OtlpFormat, bytes })
    }
    return blocks
  }

  /** These blocks of the run wait no longer. */
  derived(run: number, blocks: readonly SpanBlock[]): void {
    let spans = 0
    for (const { key, spanCount } of blocks) {
      this.#remove.run(key)
      spans += spanCount
    }
    this.#derived.run(spans, run)
  }

  /** The run that came last of those with waiting spans, but for these. */
  newestRun(except: ReadonlySet<string>): string | undefined {
    const id = this.#newest.get(JSON.stringify([...except]))?.['id']
    return id === undefined ? undefined : String(id)
  }

  /** All waiting spans but those of these runs, as the runs count them. */
  count(except: ReadonlySet<string>): number {
    return Number(this.#count.get(JSON.stringify([...except]))?.['count'] ?? 0)
  }
}
