import type { Attributes, AttributeValue, SpanView } from '@graphmind-ai/mappings'
import type { OtlpAnyValue, OtlpKeyValue, OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'

// OTLP flags: bit 9 says that bit 8 is meaningful, bit 8 that the parent is in another process.
const REMOTE_KNOWN = 0x200
const REMOTE = 0x100
const STATUS = ['unset', 'ok', 'error'] as const

/** Bytes that say their size when written as JSON, in place of an object of numbers. */
class Bytes extends Uint8Array {
  toJSON() {
    return { type: 'binary', bytes: this.byteLength }
  }
}

export interface ViewContext {
  readonly resource: Attributes
  readonly scope: SpanView['scope']
}

export function viewContext(resource: OtlpResource, scope: OtlpScope): ViewContext {
  return { resource: attributesOf(resource.attributes), scope: { name: scope.name, version: scope.version } }
}

/** The view that the mappings read. `open` for a start copy, whose end does not count. */
export function toSpanView(span: OtlpSpan, context: ViewContext, open: boolean): SpanView {
  const flags = span.flags ?? 0
  const end = BigInt(span.endTimeUnixNano)
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    parentIsRemote: (flags & REMOTE_KNOWN) !== 0 && (flags & REMOTE) !== 0,
    name: span.name,
    kind: span.kind,
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: open || end === 0n ? undefined : end,
    status: { code: STATUS[span.status.code ?? 0] ?? 'unset', message: span.status.message },
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      timeNanos: BigInt(event.timeUnixNano),
      attributes: attributesOf(event.attributes),
    })),
    links: (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId, attributes: attributesOf(link.attributes) })),
    scope: context.scope,
    resource: context.resource,
    droppedAttributesCount: span.droppedAttributesCount ?? 0,
  }
}

/** Attributes as a plain object; empty values and NaN count as absent, of a doubled key the last one stands. */
export function attributesOf(entries: readonly OtlpKeyValue[]): Attributes {
  const out: { [key: string]: AttributeValue } = Object.create(null)
  for (const { key, value } of entries) {
    const plain = plainValue(value)
    if (plain !== undefined) out[key] = plain
  }
  return out
}

/** An AnyValue as plain JavaScript; undefined for an empty one and for NaN. */
export function plainValue(value: OtlpAnyValue): AttributeValue | undefined {
  if (value.stringValue !== undefined) return value.stringValue
  if (value.boolValue !== undefined) return value.boolValue
  if (value.intValue !== undefined) return plainInteger(value.intValue)
  if (value.doubleValue !== undefined) return value.doubleValue === 'NaN' ? undefined : value.doubleValue
  if (value.arrayValue !== undefined) return value.arrayValue.values.map((item) => plainValue(item) ?? null)
  if (value.kvlistValue !== undefined) return attributesOf(value.kvlistValue.values)
  if (value.bytesValue !== undefined) return new Bytes(Buffer.from(value.bytesValue, 'base64'))
  return undefined
}

function plainInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
