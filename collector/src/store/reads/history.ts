import type { HistoryPage, HistoryWish, Payloads, StoredSheet } from '@graphmind-ai/hub'
import type { Kysely } from 'kysely'
import { unpack } from '../pack.ts'
import { type BareRow, SHEET, WHOLE_SHEET } from '../pages/stored-page.ts'
import { sheetJson } from '../pages/write-sheet.ts'
import { EVENTS_A_PAGE } from '../run-packer.ts'
import type { Tables } from '../tables.ts'
import { EVENTS_AT_ONCE, type EventRange, readBareEvents, readEvents, storedEvent } from './events.ts'
import { atOneMoment } from './pages.ts'

/** A page is 20 KB as a sheet, and what went through the calls beside it. */
const SHEETS_AT_ONCE = 8
/** A browser reads so much in 20 ms. What is larger goes out as events, which frames of 256 KB hold. */
export const MAX_SHEET_BYTES = 2 * 1024 * 1024

/**
 * The run's events up to `range.lastSeq`, in order, each with the seq before it; with or without what went through the calls. Where sheets
 * are wished for, pages that follow each other go out as they are kept.
 */
export async function* historyPages(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly key: number },
  wish: HistoryWish,
  range: EventRange,
): AsyncGenerator<HistoryPage> {
  for await (const part of storedParts(database, run.key, wish, range)) {
    if ('sheet' in part) yield part
    else if (wish.sheets) yield* sheetOrEvents(run.id, part.rows, part.after)
    else yield* eventsOf(run.id, part.rows, part.after)
  }
}

/** Events as they are kept: a sheet that can be told as it is, or those that are no such sheet, with the seq before them. */
export type StoredPart = { readonly sheet: StoredSheet } | { readonly rows: readonly BareRow[]; readonly after: number | null }

/** The run's events up to `range.lastSeq`, in order. Of a sheet and of what is read at once there may be more than `limit`. */
export async function* storedParts(
  database: Kysely<Tables>,
  run: number,
  { afterSeq, payloads, sheets: wantsSheets }: HistoryWish,
  range: Pick<EventRange, 'lastSeq' | 'before'>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<StoredPart> {
  const { lastSeq } = range
  if (lastSeq === null) return
  const rowsAtOnce = Math.min(limit, EVENTS_AT_ONCE)
  const sheetsAtOnce = Math.min(Math.ceil(limit / EVENTS_A_PAGE), SHEETS_AT_ONCE)
  const read = payloads === 'none' ? readBareEvents : readEvents
  let cursor = afterSeq ?? Number.MIN_SAFE_INTEGER
  let after = range.before
  while (cursor < lastSeq) {
    const { sheets, upTo } = wantsSheets
      ? await sheetsAfter(database, run, cursor, lastSeq, payloads, sheetsAtOnce)
      : { sheets: [], upTo: lastSeq }
    for (const sheet of sheets) {
      yield { sheet: { ...sheet, after } }
      after = sheet.lastSeq
      cursor = sheet.lastSeq
    }
    if (sheets.length > 0) continue
    const rows = await read(database, run, { afterSeq: cursor, upTo, limit: rowsAtOnce })
    yield { rows, after }
    after = rows.at(-1)?.seq ?? after
    cursor = rows.length < rowsAtOnce ? upTo : (rows.at(-1)?.seq ?? upTo)
  }
}

function* eventsOf(runId: string, rows: readonly BareRow[], afterSeq: number | null): Generator<HistoryPage> {
  let after = afterSeq
  const events = rows.map((row) => {
    const event = storedEvent(runId, row, after)
    after = row.seq
    return event
  })
  if (events.length > 0) yield { events }
}

/** Events that are not in a page yet make a sheet as well, which costs less than a text for each of them. */
function* sheetOrEvents(runId: string, rows: readonly BareRow[], after: number | null): Generator<HistoryPage> {
  const [first, last] = [rows[0], rows.at(-1)]
  const json = first === undefined || last === undefined ? undefined : sheetJson(rows)
  if (first === undefined || last === undefined || json === undefined || json.length > MAX_SHEET_BYTES) yield* eventsOf(runId, rows, after)
  else yield { sheet: { after, firstSeq: first.seq, lastSeq: last.seq, json: Buffer.from(json) } }
}

interface NextSheets {
  /** With nothing stored between them. */
  readonly sheets: readonly Omit<StoredSheet, 'after'>[]
  /** Where there are none: the seq up to which events have to be read one by one before there may be. */
  readonly upTo: number
}

function sheetsAfter(
  database: Kysely<Tables>,
  run: number,
  cursor: number,
  lastSeq: number,
  payloads: Payloads,
  atOnce: number,
): Promise<NextSheets> {
  return atOneMoment(database, async (moment) => {
    const columns = ['first_seq', 'last_seq', 'form', 'heads'] as const
    const pages = await moment
      .selectFrom('event_pages')
      .select(payloads === 'none' ? columns : ([...columns, 'contents'] as const))
      .where('run', '=', run)
      .where('last_seq', '>', cursor)
      .where('first_seq', '<=', lastSeq)
      .orderBy('first_seq')
      // One more, to see that it does not begin before the last one ends.
      .limit(atOnce + 1)
      .execute()
    const [first] = pages
    if (first === undefined) return { sheets: [], upTo: lastSeq }
    const row = await moment
      .selectFrom('events')
      .select('seq')
      .where('run', '=', run)
      .where('seq', '>', cursor)
      .where('seq', '<=', lastSeq)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    const sheets: Omit<StoredSheet, 'after'>[] = []
    let end = cursor
    let bytes = 0
    for (const [index, { first_seq, last_seq, form, heads, contents }] of pages.slice(0, atOnce).entries()) {
      const isPlain = form === SHEET || (form === WHOLE_SHEET && payloads === 'all')
      const next = Math.min(row?.seq ?? Number.POSITIVE_INFINITY, pages[index + 1]?.first_seq ?? Number.POSITIVE_INFINITY)
      if (!isPlain || first_seq <= end || last_seq > lastSeq || next <= last_seq) break
      const json = unpacked(heads, contents)
      if (json.byteLength > MAX_SHEET_BYTES) break
      sheets.push({ firstSeq: first_seq, lastSeq: last_seq, json })
      end = last_seq
      bytes += json.byteLength
      if (bytes > MAX_SHEET_BYTES) break
    }
    const isRowNext = row !== undefined && row.seq < first.first_seq
    return { sheets, upTo: Math.min(isRowNext ? first.first_seq - 1 : first.last_seq, lastSeq) }
  })
}

const CONTENTS_FROM = Buffer.from(',"contents":[')
const CONTENTS_TO = Buffer.from(']')

function unpacked(heads: Uint8Array, contents: Uint8Array | undefined): Uint8Array {
  return contents === undefined ? unpack(heads) : Buffer.concat([unpack(heads), CONTENTS_FROM, unpack(contents), CONTENTS_TO])
}
