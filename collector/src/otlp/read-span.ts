import { failed, ok, type Result } from '../problem.ts'
import { noSpanId, noTraceId, readId } from './ids.ts'
import { MAX_EVENTS, MAX_LINKS } from './limits.ts'
import type { OtlpEvent, OtlpKeyValue, OtlpLink, OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'
import { countField, droppedField, readEnum, readList, readNanos, textField } from './read-fields.ts'
import { type Fields, isFields, pick, readAttributes, readNumber, readText } from './read-value.ts'
import type { CheckedSpan } from './trace-part.ts'

// OTLP flags: bit 9 says that bit 8 is meaningful, bit 8 that the parent is in another process.
export const REMOTE_PARENT = 0x300
/** The status code of a span that failed. */
export const FAILED = 2
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUS_CODES = ['UNSET', 'OK', 'ERROR']

/** What makes a span one that can be kept, and what its run has to know of it. */
export interface SpanHead {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly startNanos: string
  readonly endNanos: string
  readonly attributes: readonly unknown[]
}

function readHead(value: Fields): Result<SpanHead> {
  const traceId = readId(pick(value, 'traceId', 'trace_id'), 16)
  if (traceId === undefined) return noTraceId(readText(value['name']))
  const spanId = readId(pick(value, 'spanId', 'span_id'), 8)
  if (spanId === undefined) return noSpanId(readText(value['name']))
  const startNanos = readNanos(pick(value, 'startTimeUnixNano', 'start_time_unix_nano'))
  const endNanos = readNanos(pick(value, 'endTimeUnixNano', 'end_time_unix_nano'))
  if (startNanos === undefined || endNanos === undefined)
    return failed('time', `span ${spanId} has a time that is not a 64-bit nanosecond count`)
  const attributes = value['attributes'] ?? []
  if (!Array.isArray(attributes)) return failed('attributes', `span ${spanId} has attributes that are not a list of key and value`)
  return ok({ traceId, spanId, parentSpanId: readId(pick(value, 'parentSpanId', 'parent_span_id'), 8), startNanos, endNanos, attributes })
}

/** Refuses what `readSpan` refuses, without reading the rest. */
export function checkSpan(value: unknown): Result<CheckedSpan> {
  if (!isFields(value)) return failed('span-shape', 'a span is not an object')
  const head = readHead(value)
  if (!head.ok) return head
  const { traceId, parentSpanId, startNanos, endNanos } = head.value
  return ok({
    traceId,
    name: readText(value['name']),
    isRoot: parentSpanId === undefined || (readNumber(value['flags']) & REMOTE_PARENT) === REMOTE_PARENT,
    startMs: Number(startNanos) / 1e6,
    endMs: Number(endNanos) / 1e6,
    failed: readStatus(value['status']).code === FAILED,
  })
}

/** Reads one span of OTLP/JSON in any of its spellings, or of decoded protobuf. A span without usable ids cannot be kept. */
export function readSpan(value: unknown): Result<OtlpSpan> {
  if (!isFields(value)) return failed('span-shape', 'a span is not an object')
  const head = readHead(value)
  if (!head.ok) return head
  const { traceId, spanId, parentSpanId, startNanos, endNanos, attributes } = head.value
  const own = readAttributes(attributes)
  const events = readList(value['events'], MAX_EVENTS, readEvent)
  const links = readList(value['links'], MAX_LINKS, readLink)
  return ok({
    traceId,
    spanId,
    ...textField('traceState', pick(value, 'traceState', 'trace_state')),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...countField('flags', value['flags']),
    name: readText(value['name']),
    kind: readEnum(value['kind'], 'SPAN_KIND_', KINDS),
    startTimeUnixNano: startNanos,
    endTimeUnixNano: endNanos,
    attributes: own.kept,
    ...droppedField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count'), own.dropped),
    ...(events.kept.length === 0 ? {} : { events: events.kept }),
    ...droppedField('droppedEventsCount', pick(value, 'droppedEventsCount', 'dropped_events_count'), events.dropped),
    ...(links.kept.length === 0 ? {} : { links: links.kept }),
    ...droppedField('droppedLinksCount', pick(value, 'droppedLinksCount', 'dropped_links_count'), links.dropped),
    status: readStatus(value['status']),
  })
}

/** A resource in JSON; one that is missing or broken has no attributes. */
export function readResource(value: unknown, schemaUrl: unknown): OtlpResource {
  const fields = isFields(value) ? value : {}
  return {
    attributes: [],
    ...attributeFields(fields),
    ...textField('schemaUrl', schemaUrl),
  }
}

/** A scope in JSON; one that is missing or broken has no name. */
export function readScope(value: unknown, schemaUrl: unknown): OtlpScope {
  const fields = isFields(value) ? value : {}
  return {
    name: readText(fields['name']),
    ...textField('version', fields['version']),
    ...attributeFields(fields),
    ...textField('schemaUrl', schemaUrl),
  }
}

function attributeFields(value: Fields): { readonly attributes?: readonly OtlpKeyValue[]; readonly droppedAttributesCount?: number } {
  const { kept, dropped } = readAttributes(value['attributes'])
  return {
    ...(kept.length === 0 ? {} : { attributes: kept }),
    ...droppedField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count'), dropped),
  }
}

function readStatus(value: unknown): OtlpSpan['status'] {
  if (!isFields(value)) return {}
  const code = readEnum(value['code'], 'STATUS_CODE_', STATUS_CODES)
  return { ...(code === 0 ? {} : { code }), ...textField('message', value['message']) }
}

function readEvent(value: Fields): OtlpEvent {
  return {
    timeUnixNano: readNanos(pick(value, 'timeUnixNano', 'time_unix_nano')) ?? '0',
    name: readText(value['name']),
    attributes: [],
    ...attributeFields(value),
  }
}

function readLink(value: Fields): OtlpLink {
  return {
    traceId: readId(pick(value, 'traceId', 'trace_id'), 16) ?? '',
    spanId: readId(pick(value, 'spanId', 'span_id'), 8) ?? '',
    ...textField('traceState', pick(value, 'traceState', 'trace_state')),
    attributes: [],
    ...attributeFields(value),
    ...countField('flags', value['flags']),
  }
}
