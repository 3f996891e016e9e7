import type { Kysely } from 'kysely'
import type { OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import type { Tables } from '../store/tables.ts'

/** Spans in a row that share resource and scope; each as its OTLP/JSON text. */
export interface SpanGroup {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
  readonly spans: string[]
}

const PAGE = 200

/** The run's raw spans in order of arrival, a page of groups at a time. Of two copies of a span the better one: one that ended, then ours. */
export async function* spanGroups(database: Kysely<Tables>, run: number): AsyncGenerator<readonly SpanGroup[]> {
  const chosen = await bestCopies(database, run)
  const resources = new Map((await bodies(database, 'resources', run)).map(([hash, body]) => [hash, JSON.parse(body) as OtlpResource]))
  const scopes = new Map((await bodies(database, 'scopes', run)).map(([hash, body]) => [hash, JSON.parse(body) as OtlpScope]))
  for (let at = 0; at < chosen.length; at += PAGE) {
    const groups: SpanGroup[] = []
    let last: { readonly key: string; readonly group: SpanGroup } | undefined
    for (const row of await page(database, run, chosen.slice(at, at + PAGE))) {
      const key = `${row.resource} ${row.scope}`
      if (last?.key !== key) {
        const resource = resources.get(row.resource) ?? { attributes: [] }
        last = { key, group: { resource, scope: scopes.get(row.scope) ?? { name: '' }, spans: [] } }
        groups.push(last.group)
      }
      last.group.spans.push(row.raw)
    }
    yield groups
  }
}

interface Copy {
  readonly spanId: string
  readonly copy: number
}

// Ids alone are small; the spans themselves are read a page at a time by their key.
async function bestCopies(database: Kysely<Tables>, run: number): Promise<readonly Copy[]> {
  const rows = await database
    .selectFrom('spans')
    .select(['span_id', 'copy'])
    .select((select) => select.fn<number>('json_extract', ['facts', select.val('$.final')]).as('final'))
    .where('run', '=', run)
    .orderBy('ordinal')
    .orderBy('copy')
    .execute()
  const best = new Map<string, { readonly copy: number; readonly final: number }>()
  for (const { span_id, copy, final } of rows) {
    const known = best.get(span_id)
    if (known === undefined || final >= known.final) best.set(span_id, { copy, final })
  }
  return [...best].map(([spanId, { copy }]) => ({ spanId, copy }))
}

async function page(database: Kysely<Tables>, run: number, copies: readonly Copy[]) {
  const rows = await database
    .selectFrom('spans')
    .select(['span_id', 'copy', 'resource', 'scope', 'raw'])
    .where('run', '=', run)
    .where(
      'span_id',
      'in',
      copies.map(({ spanId }) => spanId),
    )
    .execute()
  const byId = new Map(rows.map((row) => [`${row.span_id} ${row.copy}`, row]))
  return copies.flatMap(({ spanId, copy }) => byId.get(`${spanId} ${copy}`) ?? [])
}

async function bodies(database: Kysely<Tables>, table: 'resources' | 'scopes', run: number): Promise<(readonly [string, string])[]> {
  const rows = await database.selectFrom(table).select(['hash', 'body']).where('run', '=', run).execute()
  return rows.map(({ hash, body }) => [hash, body] as const)
}
