import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { readEventPage } from './pages/event-page.ts'
import { readSpanPage, type SpanRow, writeSpanPage } from './pages/span-page.ts'
import type { EventRow, StoredPage } from './pages/stored-page.ts'
import { writeEventPage } from './pages/write-sheet.ts'

/** Events and spans in one page: inflated some 300 KB, read in a millisecond. */
export const EVENTS_A_PAGE = 256
const SPANS_A_PAGE = 128
/** What `runs.packed` says: nothing is in pages, everything is, or both hold some. */
export const ROWS = 0
export const PACKED = 1
const PARTLY = 2
// A run that goes on after its end is unpacked again, which costs the more the larger it is: the larger, the longer it must have been quiet.
const QUIET_MS = 2_000
const QUIET_MS_AN_EVENT = 2

/** Moves what a finished run consists of from rows into compressed pages, and back when it goes on. On the writing connection. */
export class RunPacker {
  readonly #next: StatementSync
  readonly #events: StatementSync
  readonly #removeEvents: StatementSync
  readonly #spanRowids: StatementSync
  readonly #span: StatementSync
  readonly #anySpan: StatementSync
  readonly #removeSpans: StatementSync
  readonly #addEventPage: StatementSync
  readonly #addSpanPage: StatementSync
  readonly #eventPages: StatementSync
  readonly #spanPages: StatementSync
  readonly #removePages: readonly StatementSync[]
  readonly #insertEvent: StatementSync
  readonly #insertSpan: StatementSync
  readonly #setPacked: StatementSync
  /**
   * The spans to pack next, in order of arrival: no index has that order, and sorting what is left for each page costs a large run minutes.
   * Only a hint: a row may be gone since, and what is not in it is found once it is at its end.
   */
  #plan: { readonly run: number; readonly rowids: readonly number[]; next: number } | undefined

  constructor(database: DatabaseSync) {
    this.#next = database.prepare(
      `SELECT id FROM runs WHERE packed <> ${PACKED} AND status <> 'running' AND waiting = 0 AND changed_at < ? - event_count * ${QUIET_MS_AN_EVENT} LIMIT 1`,
    )
    this.#events = database.prepare(
      `SELECT seq, ts, type, instance_id, origin, payload, unknown_fields FROM events WHERE run = ? ORDER BY seq LIMIT ${EVENTS_A_PAGE}`,
    )
    this.#removeEvents = database.prepare('DELETE FROM events WHERE run = ? AND seq <= ?')
    this.#spanRowids = database.prepare('SELECT rowid FROM spans WHERE run = ? ORDER BY ordinal, copy')
    this.#span = database.prepare('SELECT span_id, copy, ordinal, resource, scope, facts, raw FROM spans WHERE rowid = ? AND run = ?')
    this.#anySpan = database.prepare('SELECT 1 FROM spans WHERE run = ? LIMIT 1')
    this.#removeSpans = database.prepare('DELETE FROM spans WHERE run = ? AND span_id = ? AND copy = ?')
    this.#addEventPage = database.prepare(
      'INSERT INTO event_pages (run, first_seq, last_seq, events, form, heads, contents, marks) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#addSpanPage = database.prepare('INSERT INTO span_pages (run, first_ordinal, body) VALUES (?, ?, ?)')
    this.#eventPages = database.prepare('SELECT form, heads, contents, marks FROM event_pages WHERE run = ?')
    this.#spanPages = database.prepare('SELECT body FROM span_pages WHERE run = ?')
    this.#removePages = ['event_pages', 'span_pages'].map((table) => database.prepare(`DELETE FROM ${table} WHERE run = ?`))
    this.#insertEvent = database.prepare(
      // A row that came since stands.
      'INSERT OR IGNORE INTO events (run, seq, ts, type, instance_id, origin, payload, unknown_fields) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertSpan = database.prepare(
      'INSERT OR IGNORE INTO spans (run, span_id, copy, ordinal, resource, scope, facts, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#setPacked = database.prepare('UPDATE runs SET packed = ? WHERE key = ?')
  }

  /** A finished run that has been quiet for long enough. */
  next(nowMs: number): string | undefined {
    const id = this.#next.get(nowMs - QUIET_MS)?.['id']
    return id === undefined ? undefined : String(id)
  }

  /** Packs a page of each kind. False when the run is packed whole. */
  packSome(run: number): boolean {
    const events = this.#events.all(run) as unknown as readonly EventRow[]
    const [first, last] = [events[0], events.at(-1)]
    if (first !== undefined && last !== undefined) {
      const { form, heads, contents, marks } = writeEventPage(events)
      this.#addEventPage.run(run, first.seq, last.seq, events.length, form, heads, contents, marks)
      this.#removeEvents.run(run, last.seq)
    }
    const spans = this.#nextSpans(run)
    if (spans[0] !== undefined) this.#addSpanPage.run(run, spans[0].ordinal, writeSpanPage(spans))
    for (const { span_id, copy } of spans) this.#removeSpans.run(run, span_id, copy)
    const isMore = events.length === EVENTS_A_PAGE || this.#anySpan.get(run) !== undefined
    this.#setPacked.run(isMore ? PARTLY : PACKED, run)
    return isMore
  }

  #nextSpans(run: number): readonly SpanRow[] {
    if (this.#plan?.run !== run || this.#plan.next >= this.#plan.rowids.length) {
      this.#plan = { run, rowids: this.#spanRowids.all(run).map(({ rowid }) => Number(rowid)), next: 0 }
    }
    const plan = this.#plan
    const spans: SpanRow[] = []
    while (spans.length < SPANS_A_PAGE && plan.next < plan.rowids.length) {
      const span = this.#span.get(plan.rowids[plan.next++] ?? null, run)
      if (span !== undefined) spans.push(span as unknown as SpanRow)
    }
    return spans
  }

  pack(run: number): void {
    while (this.packSome(run));
  }

  /** Everything of the run is in rows afterwards. */
  unpack(run: number): void {
    for (const page of this.#eventPages.all(run)) {
      for (const { seq, ts, type, instance_id, origin, payload, unknown_fields } of readEventPage(page as unknown as StoredPage))
        this.#insertEvent.run(run, seq, ts, type, instance_id, origin, payload, unknown_fields)
    }
    for (const page of this.#spanPages.all(run))
      for (const { span_id, copy, ordinal, resource, scope, facts, raw } of readSpanPage(page['body'] as Uint8Array))
        this.#insertSpan.run(run, span_id, copy, ordinal, resource, scope, facts, raw)
    for (const statement of this.#removePages) statement.run(run)
    this.#setPacked.run(ROWS, run)
  }
}
