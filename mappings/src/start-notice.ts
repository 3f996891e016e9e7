import { textOf } from './read/attribute.ts'
import type { SpanView } from './span-view.ts'

/**
 * Logfire announces a span at its start by a span of its own: the parent named there is the announced span, and the real parent stands
 * in an attribute. Gives the announced span, still open; undefined for every other span.
 */
export function startNoticeOf(span: SpanView): SpanView | undefined {
  if (textOf(span.attributes, 'logfire.span_type') !== 'pending_span' || span.parentSpanId === undefined) return undefined
  const parent = textOf(span.attributes, 'logfire.pending_parent_id')?.toLowerCase()
  const hasParent = parent !== undefined && /^[0-9a-f]{16}$/.test(parent) && !/^0+$/.test(parent)
  return {
    ...span,
    spanId: span.parentSpanId,
    parentSpanId: hasParent ? parent : undefined,
    parentIsRemote: false,
    endNanos: undefined,
    attributes: { ...span.attributes, 'logfire.span_type': 'span' },
  }
}
