import { pack, unpack } from '../pack.ts'
import type { SpansTable } from '../tables.ts'

export type SpanRow = Omit<SpansTable, 'run'>

type Head = readonly [spanId: string, copy: number, ordinal: number, resource: string, scope: string]

/** Copies of spans as they are kept together. */
export function writeSpanPage(rows: readonly SpanRow[]): Uint8Array {
  const lines = rows.map(({ span_id, copy, ordinal, resource, scope, facts, raw }) => {
    return `${JSON.stringify([span_id, copy, ordinal, resource, scope] satisfies Head)}\t${facts}\t${raw}`
  })
  return pack(Buffer.from(lines.join('\n')))
}

/** The copies of spans that were packed into this page. */
export function readSpanPage(page: Uint8Array): readonly SpanRow[] {
  return Buffer.from(unpack(page))
    .toString('utf8')
    .split('\n')
    .map((line) => {
      // JSON text holds no tabs.
      const [head = '[]', facts = '', raw = ''] = line.split('\t')
      const [span_id, copy, ordinal, resource, scope] = JSON.parse(head) as Head
      return { span_id, copy, ordinal, resource, scope, facts, raw }
    })
}
