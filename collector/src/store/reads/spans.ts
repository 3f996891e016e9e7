import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export const DEFAULT_SPANS_LIMIT = 1000
export const MAX_SPANS_LIMIT = 10_000

export interface SpanPage {
  /** OTLP/JSON spans; `resource` and `scope` are indexes into the lists beside. */
  readonly spans: readonly object[]
  readonly resources: readonly unknown[]
  readonly scopes: readonly unknown[]
}

/** The run's raw spans in order of arrival, the better copy of each: one that ended, then ours. */
export async function readSpans(database: Kysely<Tables>, run: number, limit: number): Promise<SpanPage> {
  const rows = await database
    .selectFrom('spans')
    .select(['span_id', 'copy', 'resource', 'scope', 'raw', 'facts'])
    .where('run', '=', run)
    .orderBy('ordinal')
    .orderBy('copy')
    .limit(limit * 2)
    .execute()
  const best = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const known = best.get(row.span_id)
    if (known === undefined || !(isFinal(known.facts) && !isFinal(row.facts))) best.set(row.span_id, row)
  }
  const resources = new Numbered()
  const scopes = new Numbered()
  const spans = [...best.values()].slice(0, limit).map((row) => ({
    ...(JSON.parse(row.raw) as object),
    resource: resources.indexOf(row.resource),
    scope: scopes.indexOf(row.scope),
  }))
  return {
    spans,
    resources: await bodies(database, 'resources', run, resources.hashes),
    scopes: await bodies(database, 'scopes', run, scopes.hashes),
  }
}

/** The better copy of one span, or undefined. */
export async function readSpan(database: Kysely<Tables>, run: number, spanId: string): Promise<object | undefined> {
  const rows = await database
    .selectFrom('spans')
    .select(['raw', 'facts'])
    .where('run', '=', run)
    .where('span_id', '=', spanId)
    .orderBy('copy', 'desc')
    .execute()
  const row = rows.find(({ facts }) => isFinal(facts)) ?? rows[0]
  return row === undefined ? undefined : JSON.parse(row.raw)
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
): Promise<readonly unknown[]> {
  const rows = await database.selectFrom(table).select(['hash', 'body']).where('run', '=', run).execute()
  const byHash = new Map(rows.map(({ hash, body }) => [hash, body]))
  return hashes.map((hash) => JSON.parse(byHash.get(hash) ?? '{}'))
}

function isFinal(facts: string): boolean {
  return (JSON.parse(facts) as { readonly final?: boolean }).final === true
}
