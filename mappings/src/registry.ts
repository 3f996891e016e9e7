import type { MappedSpan } from './mapped-span.ts'
import type { SpanView } from './span-view.ts'

/** What a span means. Total: a span no dialect claims is a custom node. */
export function mapSpan(span: SpanView): MappedSpan {
  return { dialect: 'generic', role: 'node', kind: 'custom', nodeId: `custom:${span.name}`, name: span.name }
}
