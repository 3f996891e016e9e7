import { type Kysely, sql } from 'kysely'
import { failed, ok, type Result } from '../../problem.ts'
import { matchExpression, partsOfWords, type SearchTerm } from '../search/search-terms.ts'
import { FIELDS_AN_INSTANCE, SEARCH_FIELDS, type SearchField, searchedFields } from '../search/searched-text.ts'
import { type FoundText, findText } from '../search/snippet.ts'
import type { WordsTable } from '../search/words-table.ts'
import type { Tables } from '../tables.ts'
import { readEvents } from './events.ts'
import type { RunColumns } from './run-info.ts'

export const DEFAULT_SEARCH_LIMIT = 20
export const MAX_SEARCH_LIMIT = 100
// What the index finds and the text does not bear out is left out; this many are looked at for one page at most.
const MAX_LOOKED_AT = 500

// Written out: a bound number is a floating one, and so would be what it divides.
const FIELDS = sql.lit(FIELDS_AN_INSTANCE)

export interface SearchRequest {
  readonly terms: readonly SearchTerm[]
  /** Key of a run. */
  readonly run: number | undefined
  /** Node kinds. */
  readonly kinds: readonly string[]
  /** Fields to look in; all when empty. */
  readonly fields: readonly SearchField[]
  readonly limit: number
  readonly cursor: string | undefined
}

/** One field of one instance in which every term stands. */
export interface SearchHit extends FoundText {
  readonly runId: string
  readonly runName: string
  /** Epoch ms. */
  readonly runStartedAt: number
  readonly instanceId: string
  readonly nodeId: string | null
  readonly kind: string | null
  readonly name: string | null
  readonly field: SearchField
}

export interface SearchPage {
  readonly hits: readonly SearchHit[]
  readonly nextCursor: string | null
  /** Stored events of all listed runs, and how many of them are not in the index yet. */
  readonly index: { readonly events: number; readonly waiting: number }
}

interface DocumentRow extends Pick<RunColumns, 'id' | 'name' | 'title' | 'started_at'> {
  key: number
  run: number
  seq: number
  field: number
  instance_id: string
  alias_of: string | null
  node_id: string | null
  kind: string | null
  node_name: string | null
}

const NO_FULL_TEXT =
  'The search index is one that this Node.js can’t read: its SQLite has no FTS5. Search with Node.js 22.16 or newer, or stop the server that has the database and search again: then the index is made anew.'

/** Where this SQLite finds the words; undefined when it can't. */
async function wordsTableOf(database: Kysely<Tables>): Promise<WordsTable | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE name = 'search_plain' UNION SELECT name FROM pragma_module_list WHERE name = 'fts5'`.execute(
    database,
  )
  if (rows.some(({ name }) => name === 'search_plain')) return 'search_plain'
  return rows.length > 0 ? 'search_words' : undefined
}

/** True when a search would find no index that it could read. */
export async function isUnsearchable(database: Kysely<Tables>): Promise<boolean> {
  return (await wordsTableOf(database)) === undefined
}

/** Hits, the newest of the index first, a page at a time. */
export async function search(database: Kysely<Tables>, request: SearchRequest): Promise<Result<SearchPage>> {
  const { cursor, limit, terms } = request
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    return failed('bad-cursor', 'cursor is not one that this server gave out for this search. Take nextCursor of the page before.')
  }
  const table = await wordsTableOf(database)
  if (table === undefined) return failed('no-full-text', NO_FULL_TEXT)
  const hits: SearchHit[] = []
  let before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)
  let lookedAt = 0
  let isMore = true
  while (hits.length < limit && lookedAt < MAX_LOOKED_AT && isMore) {
    const documents = await documentsBefore(database, table, before, request)
    isMore = documents.length > limit
    for (const document of documents.slice(0, limit)) {
      before = document.key
      lookedAt += 1
      const found = await textOf(database, document, terms)
      if (found !== undefined) hits.push(hitOf(document, found))
      if (hits.length < limit) continue
      isMore ||= document !== documents.at(-1)
      break
    }
  }
  return ok({ hits, nextCursor: isMore ? String(before) : null, index: await searchProgress(database) })
}

function documentsBefore(
  database: Kysely<Tables>,
  table: WordsTable,
  before: number,
  { terms, run, kinds, fields, limit }: SearchRequest,
): Promise<readonly DocumentRow[]> {
  const numbers = fields.map((field) => SEARCH_FIELDS.indexOf(field))
  const row = sql.ref(`${table}.rowid`)
  const field = sql`${row} % ${FIELDS}`
  const seqs = SEARCH_FIELDS.map((name, number) => sql`WHEN ${number} THEN ${sql.ref(`${name}_seq`)}`)
  const seq = sql`CASE ${field} ${sql.join(seqs, sql` `)} END`
  const conditions = [
    ...(table === 'search_words'
      ? [sql`search_words MATCH ${matchExpression(terms)}`]
      : partsOfWords(terms).map((part) => sql`instr(' ' || words || ' ', ${part}) > 0`)),
    sql`${row} < ${before}`,
    sql`deleted_at IS NULL AND merged_into IS NULL`,
    ...(run === undefined ? [] : [sql`search_instances.run = ${run}`]),
    ...(kinds.length === 0 ? [] : [sql`search_instances.kind IN (${sql.join(kinds)})`]),
    ...(numbers.length === 0 ? [] : [sql`${field} IN (${sql.join(numbers)})`]),
  ]
  return sql<DocumentRow>`
    SELECT ${row} AS key, search_instances.run, ${seq} AS seq, ${field} AS field, instance_id, alias_of, node_id, search_instances.kind, search_instances.name AS node_name,
      runs.id, runs.name, title, started_at
    FROM ${sql.table(table)}
    JOIN search_instances ON search_instances.key = ${row} / ${FIELDS}
    JOIN runs ON runs.key = search_instances.run
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${row} DESC LIMIT ${limit + 1}`
    .execute(database)
    .then(({ rows }) => rows)
}

async function textOf(
  database: Kysely<Tables>,
  { run, seq, field }: DocumentRow,
  terms: readonly SearchTerm[],
): Promise<FoundText | undefined> {
  const [event] = await readEvents(database, run, { afterSeq: seq - 1, upTo: seq, limit: 1 })
  if (event === undefined) return undefined
  const payload = JSON.parse(event.payload) as { readonly [name: string]: unknown }
  const value = searchedFields(event.type, payload).find(([name]) => name === SEARCH_FIELDS[field])?.[1]
  return findText(value, terms)
}

function hitOf(document: DocumentRow, found: FoundText): SearchHit {
  return {
    runId: document.id,
    runName: document.title ?? document.name,
    runStartedAt: document.started_at,
    // An instance that belongs to another is shown as that one.
    instanceId: document.alias_of ?? document.instance_id,
    nodeId: document.node_id,
    kind: document.kind,
    name: document.node_name,
    field: SEARCH_FIELDS[document.field] ?? 'name',
    ...found,
  }
}

/** How far the index has got. */
export async function searchProgress(database: Kysely<Tables>): Promise<SearchPage['index']> {
  const { rows } = await sql<{ events: number; indexed: number }>`
    SELECT coalesce(sum(event_count), 0) AS events, coalesce(sum(min(event_count, coalesce(events, 0))), 0) AS indexed
    FROM runs LEFT JOIN search_progress ON run = runs.key WHERE deleted_at IS NULL AND merged_into IS NULL`.execute(database)
  const { events, indexed } = rows[0] ?? { events: 0, indexed: 0 }
  return { events, waiting: events - indexed }
}
