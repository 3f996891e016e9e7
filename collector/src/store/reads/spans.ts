import type { Kysely } from 'kysely'
import type { StoredSpan } from '../../otlp/span-reading.ts'
import type { PageMemory } from '../pages/page-memory.ts'
import type { SpanRow } from '../pages/span-page.ts'
import type { Tables } from '../tables.ts'
import { atOneMoment, COPY, pagedCopies, pagedSpans } from './pages.ts'

export const DEFAULT_SPANS_LIMIT = 1000
export const MAX_SPANS_LIMIT = 10_000

/**
 * The run's raw spans in order of arrival, the better copy of each (one that ended, then ours), as the JSON text of `{spans, resources,
 * scopes}`: `resource` and `scope` of a span are indexes into the lists. Spans are stored as text and go out as text.
 */
export async function readSpans(database: Kysely<Tables>, run: number, limit: number): Promise<string> {
  const rows = await atOneMoment(database, (moment) => allCopies(moment, run, limit * 2))
  const best = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const known = best.get(row.span_id)
    if (known === undefined || !(isFinal(known.facts) && !isFinal(row.facts))) best.set(row.span_id, row)
  }
  const resources = new Numbered()
  const scopes = new Numbered()
  const spans = [...best.values()].slice(0, limit).map(({ raw, resource, scope }) => {
    return `${raw.slice(0, -1)},"resource":${resources.indexOf(resource)},"scope":${scopes.indexOf(scope)}}`
  })
  const [ofResources, ofScopes] = [
    await bodies(database, 'resources', run, resources.hashes),
    await bodies(database, 'scopes', run, scopes.hashes),
  ]
  return `{"spans":[${spans.join(',')}],"resources":[${ofResources.join(',')}],"scopes":[${ofScopes.join(',')}]}`
}

/** The better copy of one span with what it was sent in, and whether it had ended; undefined when there is none. */
export async function readSpan(
  database: Kysely<Tables>,
  run: number,
  spanId: string,
  memory: PageMemory,
): Promise<{ readonly span: StoredSpan; readonly final: boolean } | undefined> {
  const rows = await atOneMoment(database, async (moment) => {
    const stored = await moment.selectFrom('spans').select(COPY).where('run', '=', run).where('span_id', '=', spanId).execute()
    const paged = await pagedCopies(moment, run, spanId, memory)
    return [...paged, ...stored].sort((one, other) => other.copy - one.copy)
  })
  const row = rows.find(({ facts }) => isFinal(facts)) ?? rows[0]
  if (row === undefined) return undefined
  const [resource = '{}'] = await bodies(database, 'resources', run, [row.resource])
  const [scope = '{}'] = await bodies(database, 'scopes', run, [row.scope])
  return { span: { ...JSON.parse(row.raw), resource: JSON.parse(resource), scope: JSON.parse(scope) }, final: isFinal(row.facts) }
}

/** All copies of the run's spans in order of arrival, ours last of two; at least `limit` of them, if there are so many. */
async function allCopies(database: Kysely<Tables>, run: number, limit: number): Promise<readonly SpanRow[]> {
  const stored = await database
    .selectFrom('spans')
    .select(COPY)
    .where('run', '=', run)
    .orderBy('ordinal')
    .orderBy('copy')
    .limit(limit)
    .execute()
  const paged: SpanRow[] = []
  for await (const page of pagedSpans(database, run)) {
    paged.push(...page)
    if (paged.length >= limit) break
  }
  return [...paged, ...stored].sort((one, other) => one.ordinal - other.ordinal || one.copy - other.copy)
}

class Numbered {
  readonly hashes: string[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(hash: string): number {
    const known = this.#indexes.get(hash)
    if (known !== undefined) return known
    const index = this.hashes.push(hash) - 1
    this.#indexes.set(hash, index)
    return index
  }
}

async function bodies(
  database: Kysely<Tables>,
  table: 'resources' | 'scopes',
  run: number,
  hashes: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.selectFrom(table).select(['hash', 'body']).where('run', '=', run).execute()
  const byHash = new Map(rows.map(({ hash, body }) => [hash, body]))
  return hashes.map((hash) => byHash.get(hash) ?? '{}')
}

/** Whether a copy is of a span that had ended, by its facts. */
export function isFinal(facts: string): boolean {
  return (JSON.parse(facts) as { readonly final?: boolean }).final === true
}
