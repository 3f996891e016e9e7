import { type SpanView, startNoticeOf } from '@graphmind-ai/mappings'
import { type DecodedSpan, decodedSpan } from './decode.ts'
import type { OtlpSpan } from './otlp-json.ts'

/** The spans and, as start copies beside them, those that Logfire's pending spans announce. */
export function withAnnounced(spans: readonly DecodedSpan[]): readonly DecodedSpan[] {
  return spans.flatMap((span) => {
    const { view, raw, resource, scope } = span
    const announced = announcedSpan(view, raw)
    const context = { resource: view.resource, scope: view.scope }
    return announced === undefined ? [span] : [span, decodedSpan(announced, { context, resource, scope })]
  })
}

function announcedSpan(view: SpanView, raw: OtlpSpan): OtlpSpan | undefined {
  const notice = startNoticeOf(view)
  if (notice === undefined) return undefined
  const { parentSpanId: _pending, flags: _flags, ...rest } = raw
  return {
    ...rest,
    spanId: notice.spanId,
    ...(notice.parentSpanId === undefined ? {} : { parentSpanId: notice.parentSpanId }),
    endTimeUnixNano: '0',
    attributes: raw.attributes.map((entry) =>
      entry.key === 'logfire.span_type' ? { key: entry.key, value: { stringValue: 'span' } } : entry,
    ),
  }
}
