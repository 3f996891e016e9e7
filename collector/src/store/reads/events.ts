import type { StoredEvent } from '@graphmind-ai/hub'
import { type Envelope, PROTOCOL_VERSION } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export const DEFAULT_EVENTS_LIMIT = 1000
export const MAX_EVENTS_LIMIT = 5000

export interface EventColumns {
  readonly seq: number
  readonly ts: number
  readonly type: string
  readonly payload: string
  readonly unknown_fields?: string | null
}

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
export function readEvents(
  database: Kysely<Tables>,
  run: number,
  { afterSeq, upTo, limit }: { readonly afterSeq: number | undefined; readonly upTo?: number; readonly limit: number },
): Promise<EventColumns[]> {
  let query = database
    .selectFrom('events')
    .select(['seq', 'ts', 'type', 'payload', 'unknown_fields'])
    .where('run', '=', run)
    .orderBy('seq')
    .limit(limit)
  if (afterSeq !== undefined) query = query.where('seq', '>', afterSeq)
  if (upTo !== undefined) query = query.where('seq', '<=', upTo)
  return query.execute()
}

export interface EventRange {
  readonly count: number
  readonly lastSeq: number | null
  /** The stored seq at or before `afterSeq`. */
  readonly before: number | null
}

/** How many events lie beyond `afterSeq`, and the seqs around them. */
export async function eventRange(database: Kysely<Tables>, run: number, afterSeq: number | undefined): Promise<EventRange> {
  const seq = (row: { seq: number | null } | undefined) => row?.seq ?? null
  const max = database
    .selectFrom('events')
    .where('run', '=', run)
    .select((select) => select.fn.max<number | null>('seq').as('seq'))
  let counted = database
    .selectFrom('events')
    .where('run', '=', run)
    .select((select) => select.fn.countAll<number>().as('count'))
  if (afterSeq !== undefined) counted = counted.where('seq', '>', afterSeq)
  const { count } = await counted.executeTakeFirstOrThrow()
  const lastSeq = seq(await max.executeTakeFirst())
  const before = afterSeq === undefined ? null : seq(await max.where('seq', '<=', afterSeq).executeTakeFirst())
  return { count, lastSeq, before }
}

/** The run's events up to `range.lastSeq`, a page at a time, each with the seq before it. */
export async function* eventPages(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly key: number },
  afterSeq: number | undefined,
  range: EventRange,
): AsyncGenerator<readonly StoredEvent[]> {
  if (range.lastSeq === null) return
  const PAGE = 500
  let cursor = afterSeq
  let after = range.before
  for (;;) {
    const rows = await readEvents(database, run.key, { afterSeq: cursor, upTo: range.lastSeq, limit: PAGE })
    const page: StoredEvent[] = []
    for (const row of rows) {
      page.push(storedEvent(run.id, row, after))
      after = row.seq
      cursor = row.seq
    }
    if (page.length > 0) yield page
    if (rows.length < PAGE) return
  }
}
