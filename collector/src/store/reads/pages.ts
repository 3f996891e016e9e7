import type { Kysely } from 'kysely'
import { readBarePage, readEventPage, readWanted } from '../pages/event-page.ts'
import { namesInHeads, namesOfSpans, type PageMemory, type PageNames } from '../pages/page-memory.ts'
import { readSpanPage, type SpanRow } from '../pages/span-page.ts'
import type { BareRow, EventRow, StoredPage, WantedEvents } from '../pages/stored-page.ts'
import type { Tables } from '../tables.ts'

export interface SeqRange {
  readonly afterSeq: number | undefined
  readonly upTo?: number | undefined
  readonly limit: number
}

/** Events of the range that lie in pages, ascending, up to the limit. */
export async function pagedEvents(database: Kysely<Tables>, run: number, range: SeqRange): Promise<readonly EventRow[]> {
  const found = await pagesOf(database, run, range, true)
  return within(
    found.flatMap((page) => readEventPage(page)),
    range,
  )
}

/** The same without what went through the calls, which is not even read. */
export async function pagedBareEvents(database: Kysely<Tables>, run: number, range: SeqRange): Promise<readonly BareRow[]> {
  const found = await pagesOf(database, run, range, false)
  return within(
    found.flatMap((page) => readBarePage(page)),
    range,
  )
}

/** Pages looked through at once: some of a long run, not all of it in memory. */
const PAGES_AT_ONCE = 16

/** Those of the run's events in pages that are wanted, ascending. */
export async function pagedWanted(
  database: Kysely<Tables>,
  run: number,
  wanted: WantedEvents,
  memory: PageMemory,
): Promise<readonly EventRow[]> {
  const found: EventRow[] = []
  const named = [...wanted.instances, ...wanted.types]
  for (const keys of await keysOfPages(database, run, memory.events, named)) {
    const pages = database.selectFrom('event_pages').select(['form', 'heads', 'contents', 'marks']).where('key', 'in', keys)
    for (const page of await pages.execute()) found.push(...readWanted(page, wanted))
    await anotherTurn()
  }
  return found.sort((one, other) => one.seq - other.seq)
}

/** The run's events in pages that have a field of this name, or whose page has one, without what went through the calls. */
export async function pagedNaming(database: Kysely<Tables>, run: number, field: string, memory: PageMemory): Promise<readonly BareRow[]> {
  const found: BareRow[] = []
  for (const keys of await keysOfPages(database, run, memory.events, [field])) {
    const pages = database.selectFrom('event_pages').select(['key', 'form', 'heads', 'marks']).where('key', 'in', keys)
    for (const page of await pages.execute()) {
      const inHeads = namesInHeads(page)
      if (inHeads !== undefined) memory.events.remember(page.key, inHeads)
      if (memory.events.mayName(page.key, [field])) found.push(...readBarePage(page))
    }
    await anotherTurn()
  }
  return found
}

/** SQLite answers at once, so that without this nothing else has its turn until a long run is looked through. */
const anotherTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Of the pages that may name one of these. */
async function keysOfPages(
  database: Kysely<Tables>,
  run: number,
  memory: PageNames,
  named: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const pages = await database.selectFrom('event_pages').select('key').where('run', '=', run).orderBy('first_seq').execute()
  const keys = pages.map(({ key }) => key).filter((key) => memory.mayName(key, named))
  return Array.from({ length: Math.ceil(keys.length / PAGES_AT_ONCE) }, (_unused, at) =>
    keys.slice(at * PAGES_AT_ONCE, (at + 1) * PAGES_AT_ONCE),
  )
}

/** The seqs in the pages that begin at or before `afterSeq` and end beyond it. */
export async function seqsOfCutPages(database: Kysely<Tables>, run: number, afterSeq: number): Promise<readonly number[]> {
  const pages = await database
    .selectFrom('event_pages')
    .select(['form', 'heads', 'marks'])
    .where('run', '=', run)
    .where('first_seq', '<=', afterSeq)
    .where('last_seq', '>', afterSeq)
    .execute()
  return pages.flatMap((page) => readBarePage(page)).map(({ seq }) => seq)
}

const NO_BYTES = new Uint8Array()

async function pagesOf(
  database: Kysely<Tables>,
  run: number,
  { afterSeq, upTo, limit }: SeqRange,
  withContents: boolean,
): Promise<readonly StoredPage[]> {
  let query = database
    .selectFrom('event_pages')
    .select(['key', 'first_seq', 'last_seq', 'events'])
    .where('run', '=', run)
    .orderBy('first_seq')
  if (afterSeq !== undefined) query = query.where('last_seq', '>', afterSeq)
  if (upTo !== undefined) query = query.where('first_seq', '<=', upTo)
  const wanted: number[] = []
  let count = 0
  let reachedSeq = Number.NEGATIVE_INFINITY
  for (const { key, first_seq, last_seq, events } of await query.execute()) {
    // A late event's page may begin before the one before it ends.
    if (count >= limit && first_seq > reachedSeq) break
    wanted.push(key)
    reachedSeq = Math.max(reachedSeq, last_seq)
    if (afterSeq === undefined || first_seq > afterSeq) count += events
  }
  if (wanted.length === 0) return []
  const columns = database.selectFrom('event_pages').where('key', 'in', wanted).orderBy('first_seq')
  if (withContents) return columns.select(['form', 'heads', 'contents', 'marks']).execute()
  return (await columns.select(['form', 'heads', 'marks']).execute()).map((page) => ({ ...page, contents: NO_BYTES }))
}

function within<Row extends { readonly seq: number }>(rows: readonly Row[], { afterSeq, upTo, limit }: SeqRange): readonly Row[] {
  return rows
    .filter(({ seq }) => (afterSeq === undefined || seq > afterSeq) && (upTo === undefined || seq <= upTo))
    .sort((one, other) => one.seq - other.seq)
    .slice(0, limit)
}

/** The copies of spans that lie in pages, in order of arrival, a page at a time. */
export async function* pagedSpans(database: Kysely<Tables>, run: number): AsyncGenerator<readonly SpanRow[]> {
  for await (const { body } of spanPages(database, run, () => true)) yield readSpanPage(body)
}

/** The copies of one span that lie in pages. */
export async function pagedCopies(
  database: Kysely<Tables>,
  run: number,
  spanId: string,
  { spans: memory }: PageMemory,
): Promise<readonly SpanRow[]> {
  const copies: SpanRow[] = []
  const mayHold = (key: number) => memory.mayName(key, [spanId])
  for await (const { key, body } of spanPages(database, run, mayHold)) {
    memory.remember(key, namesOfSpans(body))
    if (mayHold(key)) copies.push(...readSpanPage(body).filter(({ span_id }) => span_id === spanId))
  }
  return copies
}

async function* spanPages(
  database: Kysely<Tables>,
  run: number,
  isWanted: (key: number) => boolean,
): AsyncGenerator<{ readonly key: number; readonly body: Uint8Array }> {
  const pages = await database.selectFrom('span_pages').select('key').where('run', '=', run).orderBy('first_ordinal').execute()
  const keys = pages.map(({ key }) => key).filter(isWanted)
  for (const [index, key] of keys.entries()) {
    if (index % PAGES_AT_ONCE === PAGES_AT_ONCE - 1) await anotherTurn()
    const page = await database.selectFrom('span_pages').select(['key', 'body']).where('key', '=', key).executeTakeFirst()
    if (page !== undefined) yield page
  }
}

/** Reads rows and pages as they are at one moment: a run may be packed or unpacked at any time. */
export function atOneMoment<Value>(database: Kysely<Tables>, read: (moment: Kysely<Tables>) => Promise<Value>): Promise<Value> {
  return database.transaction().execute(read)
}

/** All that an event row has but its run. */
export const EVENT = ['seq', 'ts', 'type', 'instance_id', 'origin', 'payload', 'unknown_fields'] as const
/** All that a copy's row has but its run. */
export const COPY = ['span_id', 'copy', 'ordinal', 'resource', 'scope', 'facts', 'raw'] as const

/** Events in rows and those in pages together, ascending. */
export function inOrder<Row extends { readonly seq: number }>(rows: readonly Row[], paged: readonly Row[]): readonly Row[] {
  if (paged.length === 0) return rows
  return [...paged, ...rows].sort((one, other) => one.seq - other.seq)
}
