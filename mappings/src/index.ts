export type { Dialect } from './dialect.ts'
export type { MappedNode, MappedPlumbing, MappedSpan } from './mapped-span.ts'
export { mapSpan } from './registry.ts'
export type { Attributes, AttributeValue, SpanEventView, SpanLinkView, SpanView } from './span-view.ts'
