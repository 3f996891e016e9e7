import type { Kysely } from 'kysely'
import type { OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import type { SpanRow } from '../store/pages/span-page.ts'
import { atOneMoment, pagedSpans } from '../store/reads/pages.ts'
import { isFinal } from '../store/reads/spans.ts'
import type { Tables } from '../store/tables.ts'
import { inGroups } from './groups.ts'

/** Spans in a row that share resource and scope; each as its OTLP/JSON text. */
export interface SpanGroup {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
  readonly spans: readonly string[]
}

const PAGE = 200

/** The run's raw spans in order of arrival, a page of groups at a time. Of two copies of a span the better one: one that ended, then ours. */
export async function* spanGroups(database: Kysely<Tables>, run: number): AsyncGenerator<readonly SpanGroup[]> {
  const chosen = await atOneMoment(database, (moment) => bestCopies(moment, run))
  const resources = new Map((await bodies(database, 'resources', run)).map(([hash, body]) => [hash, JSON.parse(body) as OtlpResource]))
  const scopes = new Map((await bodies(database, 'scopes', run)).map(([hash, body]) => [hash, JSON.parse(body) as OtlpScope]))
  const grouped = (rows: readonly Kept[]): readonly SpanGroup[] => {
    const found = inGroups(
      rows,
      ({ resource, scope }) => `${resource} ${scope}`,
      ({ raw }) => raw.length,
    )
    return found.map((group) => ({
      resource: resources.get(group[0].resource) ?? { attributes: [] },
      scope: scopes.get(group[0].scope) ?? { name: '' },
      spans: group.map(({ raw }) => raw),
    }))
  }
  // A run may be packed or unpacked meanwhile: what was not met where it lay lies on the other side now.
  let left = chosen
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round++) {
    const missing = new Map(left.map((copy) => [copyKey(copy.spanId, copy.copy), copy]))
    for await (const rows of pagedSpans(database, run)) {
      const wanted = rows.filter(({ span_id, copy }) => missing.delete(copyKey(span_id, copy)))
      if (wanted.length > 0) yield grouped(wanted)
    }
    const inRows = [...missing.values()]
    for (let at = 0; at < inRows.length; at += PAGE) {
      const rows = await page(database, run, inRows.slice(at, at + PAGE))
      for (const { span_id, copy } of rows) missing.delete(copyKey(span_id, copy))
      if (rows.length > 0) yield grouped(rows)
    }
    left = [...missing.values()]
  }
}

const MAX_ROUNDS = 3
const copyKey = (spanId: string, copy: number) => `${spanId} ${copy}`

type Kept = Pick<SpanRow, 'resource' | 'scope' | 'raw'>

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
  const take = (spanId: string, copy: number, final: number) => {
    const known = best.get(spanId)
    if (known === undefined || final >= known.final) best.set(spanId, { copy, final })
  }
  for await (const paged of pagedSpans(database, run))
    for (const { span_id, copy, facts } of paged) take(span_id, copy, isFinal(facts) ? 1 : 0)
  for (const { span_id, copy, final } of rows) take(span_id, copy, final)
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
