import { Span, TraceRequest } from '../otlp/descriptor.ts'
import type { OtlpAnyValue, OtlpKeyValue, OtlpSpan } from '../otlp/otlp-json.ts'
import type { ExportFormat } from './format.ts'
import { type SpanGroup, spanGroups } from './span-groups.ts'

/** OTLP protobuf. Messages of this type may be written after each other: together they are one message. */
export const otlpProto: ExportFormat = {
  contentType: 'application/x-protobuf',
  extension: 'pb',

  async *write(database, run, mask) {
    const shown = (json: string) => mask?.json(json) ?? json
    for await (const groups of spanGroups(database, run.key)) {
      yield TraceRequest.encode(TraceRequest.fromObject({ resourceSpans: groups.map((group) => resourceSpans(group, shown)) })).finish()
    }
  },
}

function resourceSpans({ spans, ...group }: SpanGroup, shown: (json: string) => string): object {
  const { resource, scope }: Pick<SpanGroup, 'resource' | 'scope'> = JSON.parse(shown(JSON.stringify(group)))
  return {
    resource: { attributes: keyValues(resource.attributes), droppedAttributesCount: resource.droppedAttributesCount },
    scopeSpans: [
      {
        scope: { ...scope, attributes: keyValues(scope.attributes ?? []) },
        spans: spans.map((raw) => Span.encode(Span.fromObject(spanObject(JSON.parse(shown(raw))))).finish()),
        schemaUrl: scope.schemaUrl,
      },
    ],
    schemaUrl: resource.schemaUrl,
  }
}

function spanObject(span: OtlpSpan): object {
  return {
    ...span,
    traceId: bytesOf(span.traceId),
    spanId: bytesOf(span.spanId),
    parentSpanId: span.parentSpanId === undefined ? undefined : bytesOf(span.parentSpanId),
    attributes: keyValues(span.attributes),
    events: span.events?.map((event) => ({ ...event, attributes: keyValues(event.attributes) })),
    links: span.links?.map((link) => ({
      ...link,
      traceId: bytesOf(link.traceId),
      spanId: bytesOf(link.spanId),
      attributes: keyValues(link.attributes),
    })),
  }
}

function keyValues(entries: readonly OtlpKeyValue[]): readonly object[] {
  return entries.map(({ key, value }) => ({ key, value: anyValue(value) }))
}

function anyValue(value: OtlpAnyValue): object {
  if (value.doubleValue !== undefined) return { doubleValue: Number(value.doubleValue) }
  if (value.arrayValue !== undefined) return { arrayValue: { values: value.arrayValue.values.map(anyValue) } }
  if (value.kvlistValue !== undefined) return { kvlistValue: { values: keyValues(value.kvlistValue.values) } }
  if (value.bytesValue !== undefined) return { bytesValue: Buffer.from(value.bytesValue, 'base64') }
  return value
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}
