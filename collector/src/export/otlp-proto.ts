import { LogRecord, Span, TraceRequest } from '../otlp/descriptor.ts'
import type { OtlpAnyValue, OtlpKeyValue, OtlpLogRecord, OtlpResource, OtlpScope, OtlpSpan } from '../otlp/otlp-json.ts'
import type { ExportFormat } from './format.ts'
import { logGroups } from './log-groups.ts'
import { spanGroups } from './span-groups.ts'

/** OTLP protobuf. Messages of this type may be written after each other: together they are one message. */
export const otlpProto: ExportFormat = {
  contentType: 'application/x-protobuf',
  extension: 'pb',

  async *write(database, run, mask) {
    const shown = (json: string) => mask?.json(json) ?? json
    for await (const groups of spanGroups(database, run.key)) {
      const resourceSpans = groups.map(({ spans, ...group }) => {
        const { resource, scope, schemaUrl } = surroundings(group, shown)
        const written = spans.map((raw) => Span.encode(Span.fromObject(spanObject(JSON.parse(shown(raw))))).finish())
        return { resource, scopeSpans: [{ ...scope, spans: written }], schemaUrl }
      })
      yield TraceRequest.encode(TraceRequest.fromObject({ resourceSpans })).finish()
    }
    for await (const groups of logGroups(database, run)) {
      const resourceLogs = groups.map(({ records, ...group }) => {
        const { resource, scope, schemaUrl } = surroundings(group, shown)
        const written = records.map((record) =>
          LogRecord.encode(LogRecord.fromObject(recordObject(JSON.parse(shown(JSON.stringify(record)))))).finish(),
        )
        return { resource, scopeLogs: [{ ...scope, logRecords: written }], schemaUrl }
      })
      yield TraceRequest.encode(TraceRequest.fromObject({ resourceLogs })).finish()
    }
  },
}

interface Surroundings {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
}

function surroundings(group: Surroundings, shown: (json: string) => string): { resource: object; scope: object; schemaUrl?: string } {
  const { resource, scope }: Surroundings = JSON.parse(shown(JSON.stringify(group)))
  return {
    resource: { attributes: keyValues(resource.attributes), droppedAttributesCount: resource.droppedAttributesCount },
    scope: { scope: { ...scope, attributes: keyValues(scope.attributes ?? []) }, schemaUrl: scope.schemaUrl },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
  }
}

function spanObject(span: OtlpSpan): object {
  return {
    ...span,
    traceId: bytesOf(span.traceId),
    spanId: bytesOf(span.spanId),
    parentSpanId: bytesOf(span.parentSpanId),
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

function recordObject(record: OtlpLogRecord): object {
  return {
    ...record,
    traceId: bytesOf(record.traceId),
    spanId: bytesOf(record.spanId),
    body: record.body === undefined ? undefined : anyValue(record.body),
    attributes: keyValues(record.attributes),
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

function bytesOf(hex: string | undefined): Buffer | undefined {
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}
