import type { StoredEvent } from '@graphmind-ai/hub'
import { type Envelope, PROTOCOL_VERSION } from '@graphmind-ai/schema'
import { type Kysely, sql } from 'kysely'
import { emptied, withoutContents } from '../pages/contents.ts'
import type { BareRow, EventRow } from '../pages/stored-page.ts'
import type { Tables } from '../tables.ts'
import { atOneMoment, EVENT, inOrder, pagedBareEvents, pagedEvents, type SeqRange, seqsOfCutPages } from './pages.ts'

export const DEFAULT_EVENTS_LIMIT = 1000
export const MAX_EVENTS_LIMIT = 5000
/** Events read at once where a run is read whole. */
export const EVENTS_AT_ONCE = 500

export interface EventColumns {
  readonly seq: number
  readonly ts: number
  readonly type: string
  readonly payload: string
  readonly unknown_fields?: string | null
}

/** A stored event in the form of the wire. */
export function envelopeOf(runId: string, row: EventColumns): Envelope {
  const unknown: { readonly [name: string]: unknown } = JSON.parse(row.unknown_fields ?? '{}')
  return { ...unknown, gm: PROTOCOL_VERSION, seq: row.seq, ts: row.ts, runId, type: row.type, payload: JSON.parse(row.payload) }
}

/** An event as it is kept: text, which only those parse that read it. */
export function storedEvent(runId: string, row: EventColumns, after: number | null): StoredEvent {
  return {
    seq: row.seq,
    after,
    get envelope() {
      return envelopeOf(runId, row)
    },
    get json() {
      return envelopeJson(runId, row)
    },
  }
}

/** The JSON text of an event with its payload as stored, and with its origin when that is told. */
export function envelopeJson(runId: string, row: EventColumns, origin?: string): string {
  const { seq, ts, type, payload, unknown_fields: unknown } = row
  // Both are JSON text already; the braces of the fields' object give way to ours, and it is stored only when it has fields.
  const others = unknown === undefined || unknown === null ? '' : `${unknown.slice(1, -1)},`
  const from = origin === undefined ? '' : `"origin":${JSON.stringify(origin)},`
  return `{${others}"gm":${PROTOCOL_VERSION},"seq":${seq},"ts":${ts},"runId":${JSON.stringify(runId)},"type":${JSON.stringify(type)},${from}"payload":${payload}}`
}

/** Up to `limit` events with seq above `afterSeq` and, when given, not above `upTo`; ascending. */
export function readEvents(database: Kysely<Tables>, run: number, range: SeqRange): Promise<readonly EventRow[]> {
  return atOneMoment(database, async (moment) => {
    const paged = await pagedEvents(moment, run, range)
    return inOrder(await eventRows(moment, run, range), paged).slice(0, range.limit)
  })
}

/** The same events without what went through the calls; of those that lie in pages it is not even inflated. */
export function readBareEvents(database: Kysely<Tables>, run: number, range: SeqRange): Promise<readonly BareRow[]> {
  return atOneMoment(database, async (moment) => {
    const paged = await pagedBareEvents(moment, run, range)
    return inOrder((await eventRows(moment, run, range)).map(bareEvent), paged).slice(0, range.limit)
  })
}

function eventRows(database: Kysely<Tables>, run: number, { afterSeq, upTo, limit }: SeqRange): Promise<EventRow[]> {
  let query = database.selectFrom('events').select(EVENT).where('run', '=', run).orderBy('seq').limit(limit)
  if (afterSeq !== undefined) query = query.where('seq', '>', afterSeq)
  if (upTo !== undefined) query = query.where('seq', '<=', upTo)
  return query.execute()
}

// Field by field: of thousands of events, copying each row whole takes longer than all else.
function bareEvent({ seq, ts, type, instance_id, payload, unknown_fields }: EventRow): BareRow {
  const bare = withoutContents(payload) ?? emptied({ seq, ts, type, payload })
  return { seq, ts, type, instance_id, payload: bare, unknown_fields }
}

/** All events of a run, ascending, read a page at a time. */
export async function* allEvents(database: Kysely<Tables>, run: number): AsyncGenerator<EventRow> {
  for (let afterSeq: number | undefined; ; ) {
    const rows = await readEvents(database, run, { afterSeq, limit: EVENTS_AT_ONCE })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < EVENTS_AT_ONCE) return
    afterSeq = last.seq
  }
}

export interface EventRange {
  readonly count: number
  readonly lastSeq: number | null
  /** The stored seq at or before `afterSeq`. */
  readonly before: number | null
}

/** How many events lie beyond `afterSeq`, and the seqs around them. */
export function eventRange(database: Kysely<Tables>, run: number, afterSeq: number | undefined): Promise<EventRange> {
  return atOneMoment(database, (moment) => rangeOf(moment, run, afterSeq))
}

async function rangeOf(database: Kysely<Tables>, run: number, afterSeq: number | undefined): Promise<EventRange> {
  const beyond = afterSeq ?? Number.MIN_SAFE_INTEGER
  const { rows } = await sql<{ count: number; last: number | null; before: number | null; cut: number }>`
    SELECT
      (SELECT count(*) FROM events WHERE run = ${run} AND seq > ${beyond})
        + (SELECT coalesce(sum(events), 0) FROM event_pages WHERE run = ${run} AND first_seq > ${beyond}) AS count,
      (SELECT max(seq) FROM (SELECT max(seq) AS seq FROM events WHERE run = ${run}
        UNION ALL SELECT max(last_seq) FROM event_pages WHERE run = ${run})) AS last,
      (SELECT max(seq) FROM (SELECT max(seq) AS seq FROM events WHERE run = ${run} AND seq <= ${beyond}
        UNION ALL SELECT max(last_seq) FROM event_pages WHERE run = ${run} AND last_seq <= ${beyond})) AS before,
      (SELECT count(*) FROM event_pages WHERE run = ${run} AND first_seq <= ${beyond} AND last_seq > ${beyond}) AS cut`.execute(database)
  const [range] = rows
  if (range === undefined) throw new Error('a query without FROM gave no row')
  const { count, last: lastSeq, before } = range
  if (range.cut === 0 || afterSeq === undefined) return { count, lastSeq, before }
  const seqs = await seqsOfCutPages(database, run, afterSeq)
  const below = seqs.filter((seq) => seq <= afterSeq)
  return { count: count + seqs.length - below.length, lastSeq, before: Math.max(before ?? Number.NEGATIVE_INFINITY, ...below) }
}
