import type { LogView } from '../logs/log-view.ts'
import type { Attributes, AttributeValue, SpanEventView, SpanView } from '../span-view.ts'

/** Test support: reads OTLP/JSON bodies that are known to be well-formed. The collector owns the real decoder. */
export function spansOfOtlpJson(text: string): readonly SpanView[] {
  return text.trim().startsWith('{') && text.trim().includes('\n{"resourceSpans"')
    ? text.trim().split('\n').flatMap(spansOfBody)
    : spansOfBody(text)
}

interface AnyValue {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number | null
  boolValue?: boolean
  bytesValue?: string
  arrayValue?: { values?: (AnyValue | null)[] }
  kvlistValue?: { values?: KeyValue[] }
}
interface KeyValue {
  key: string
  value?: AnyValue | null
}
interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind?: number
  startTimeUnixNano: string
  endTimeUnixNano?: string
  attributes?: KeyValue[]
  events?: { name: string; timeUnixNano?: string; attributes?: KeyValue[] }[]
  droppedAttributesCount?: number
  status?: { code?: number; message?: string }
}
interface Body {
  resourceSpans: {
    resource?: { attributes?: KeyValue[] }
    scopeSpans: { scope?: { name?: string; version?: string }; spans: OtlpSpan[] }[]
  }[]
}

interface LogsBody {
  resourceLogs: {
    resource?: { attributes?: KeyValue[] }
    scopeLogs: {
      scope?: { name?: string; version?: string }
      logRecords: {
        timeUnixNano: string
        eventName?: string
        traceId?: string
        spanId?: string
        body?: AnyValue
        attributes?: KeyValue[]
      }[]
    }[]
  }[]
}

/** Test support: reads an OTLP/JSON logs body that is known to be well-formed. */
export function logsOfOtlpJson(text: string): readonly LogView[] {
  return (JSON.parse(text) as LogsBody).resourceLogs.flatMap((group) =>
    group.scopeLogs.flatMap((scoped) =>
      scoped.logRecords.map((record) => ({
        traceId: record.traceId,
        spanId: record.spanId,
        name: record.eventName ?? String(attributesOf(record.attributes)['event.name'] ?? ''),
        timeNanos: BigInt(record.timeUnixNano),
        body: record.body === undefined ? undefined : plainOf(record.body),
        attributes: attributesOf(record.attributes),
        scope: { name: scoped.scope?.name ?? '', version: scoped.scope?.version },
        resource: attributesOf(group.resource?.attributes),
      })),
    ),
  )
}

function spansOfBody(text: string): readonly SpanView[] {
  const body = JSON.parse(text) as Body
  return body.resourceSpans.flatMap((group) =>
    group.scopeSpans.flatMap((scoped) =>
      scoped.spans.map((span) => ({
        ...viewOf(span),
        scope: { name: scoped.scope?.name ?? '', version: scoped.scope?.version },
        resource: attributesOf(group.resource?.attributes),
      })),
    ),
  )
}

function viewOf(span: OtlpSpan): Omit<SpanView, 'scope' | 'resource'> {
  const code = span.status?.code
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
    parentIsRemote: false,
    name: span.name,
    kind: span.kind ?? 0,
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: span.endTimeUnixNano === undefined ? undefined : BigInt(span.endTimeUnixNano),
    status: { code: code === 2 ? 'error' : code === 1 ? 'ok' : 'unset', message: span.status?.message },
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map(
      (event): SpanEventView => ({
        name: event.name,
        timeNanos: BigInt(event.timeUnixNano ?? 0),
        attributes: attributesOf(event.attributes),
      }),
    ),
    links: [],
    droppedAttributesCount: span.droppedAttributesCount ?? 0,
  }
}

function attributesOf(list: readonly KeyValue[] | undefined): Attributes {
  const attributes: { [key: string]: AttributeValue } = Object.create(null)
  for (const { key, value } of list ?? []) attributes[key] = plainOf(value)
  return attributes
}

function plainOf(value: AnyValue | null | undefined): AttributeValue {
  if (value === null || value === undefined) return null
  if (value.stringValue !== undefined) return value.stringValue
  if (value.intValue !== undefined) return Number(value.intValue)
  if (value.doubleValue !== undefined) return value.doubleValue ?? Number.NaN
  if (value.boolValue !== undefined) return value.boolValue
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64')
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(plainOf)
  return value.kvlistValue === undefined ? null : attributesOf(value.kvlistValue.values)
}
