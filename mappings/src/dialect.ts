import type { MappedSpan } from './mapped-span.ts'
import type { SpanView } from './span-view.ts'

/** One attribute vocabulary. Pure and synchronous, never throws on odd values. */
export interface Dialect {
  readonly name: string
  /** True when this vocabulary speaks for the span; asked in registry order, the first claim wins (span-dialects, "Recognising"). */
  claims(span: SpanView): boolean
  map(span: SpanView): MappedSpan
  /** Attribute keys that are metadata, not content: what the redaction allow-list lets pass. A key ending in `*` is a prefix. */
  readonly metadataKeys: readonly string[]
}
