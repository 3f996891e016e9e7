import { readingOf, type SpanReading } from '@graphmind-ai/mappings'
import type { OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'
import { toSpanView, viewContext } from './span-view.ts'

/** A stored span with what it was sent in. */
export interface StoredSpan extends OtlpSpan {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
}

/**
 * Who speaks for a stored span by the mappings of today, and which of its attributes nothing reads; the `graphmind.*` of our own
 * processor are read before any mapping is asked. `final` false for a span that had not ended.
 */
export function readingOfStored(span: StoredSpan, final: boolean): SpanReading {
  const { dialect, unread } = readingOf(toSpanView(span, viewContext(span.resource, span.scope), !final))
  return { dialect, unread: unread.filter((key) => !key.startsWith('graphmind.')) }
}
