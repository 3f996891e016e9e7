import { failed, ok, type Result } from '../problem.ts'
import { readId } from './ids.ts'
import type { OtlpEvent, OtlpLink, OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'
import { type Fields, isFields, pick, readKeyValues, readText, wholeNumber } from './read-value.ts'

const MAX_UINT64 = 2n ** 64n - 1n
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUS_CODES = ['UNSET', 'OK', 'ERROR']

/** Reads one span of OTLP/JSON in any of its spellings, or of decoded protobuf. A span without usable ids cannot be kept. */
export function readSpan(value: unknown): Result<OtlpSpan> {
  if (!isFields(value)) return failed('span-shape', 'a span is not an object')
  const traceId = readId(pick(value, 'traceId', 'trace_id'), 16)
  if (traceId === undefined) return failed('trace-id', `span "${nameOf(value)}" has no valid traceId (16 bytes, not all zero)`)
  const spanId = readId(pick(value, 'spanId', 'span_id'), 8)
  if (spanId === undefined) return failed('span-id', `span "${nameOf(value)}" has no valid spanId (8 bytes, not all zero)`)
  const start = readNanos(pick(value, 'startTimeUnixNano', 'start_time_unix_nano'))
  const end = readNanos(pick(value, 'endTimeUnixNano', 'end_time_unix_nano'))
  if (start === undefined || end === undefined) return failed('time', `span ${spanId} has a time that is not a 64-bit nanosecond count`)
  const attributes = value['attributes'] ?? []
  if (!Array.isArray(attributes)) return failed('attributes', `span ${spanId} has attributes that are not a list of key and value`)
  const parentSpanId = readId(pick(value, 'parentSpanId', 'parent_span_id'), 8)
  const events = readList(value['events'], readEvent)
  const links = readList(value['links'], readLink)
  return ok({
    traceId,
    spanId,
    ...textField('traceState', pick(value, 'traceState', 'trace_state')),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...countField('flags', value['flags']),
    name: readText(value['name']),
    kind: readEnum(value['kind'], 'SPAN_KIND_', KINDS),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: readKeyValues(attributes),
    ...countField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count')),
    ...(events.length === 0 ? {} : { events }),
    ...countField('droppedEventsCount', pick(value, 'droppedEventsCount', 'dropped_events_count')),
    ...(links.length === 0 ? {} : { links }),
    ...countField('droppedLinksCount', pick(value, 'droppedLinksCount', 'dropped_links_count')),
    status: readStatus(value['status']),
  })
}

export function readResource(value: unknown, schemaUrl: unknown): OtlpResource {
  const fields = isFields(value) ? value : {}
  return {
    attributes: readKeyValues(fields['attributes']),
    ...countField('droppedAttributesCount', pick(fields, 'droppedAttributesCount', 'dropped_attributes_count')),
    ...textField('schemaUrl', schemaUrl),
  }
}

export function readScope(value: unknown, schemaUrl: unknown): OtlpScope {
  const fields = isFields(value) ? value : {}
  const attributes = readKeyValues(fields['attributes'])
  return {
    name: readText(fields['name']),
    ...textField('version', fields['version']),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...countField('droppedAttributesCount', pick(fields, 'droppedAttributesCount', 'dropped_attributes_count')),
    ...textField('schemaUrl', schemaUrl),
  }
}

function nameOf(value: Fields): string {
  return readText(value['name']).slice(0, 80)
}

function readNanos(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '0'
  const digits = wholeNumber(value)
  if (digits === undefined || digits.startsWith('-')) return undefined
  return digits.length < 20 || BigInt(digits) <= MAX_UINT64 ? digits : undefined
}

function readEnum(value: unknown, prefix: string, names: readonly string[]): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : 0
  if (typeof value !== 'string') return 0
  if (/^\d+$/.test(value)) return Number(value)
  const name = value.toUpperCase()
  return Math.max(0, names.indexOf(name.startsWith(prefix) ? name.slice(prefix.length) : name))
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
    attributes: readKeyValues(value['attributes']),
    ...countField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count')),
  }
}

function readLink(value: Fields): OtlpLink {
  return {
    traceId: readId(pick(value, 'traceId', 'trace_id'), 16) ?? '',
    spanId: readId(pick(value, 'spanId', 'span_id'), 8) ?? '',
    ...textField('traceState', pick(value, 'traceState', 'trace_state')),
    attributes: readKeyValues(value['attributes']),
    ...countField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count')),
    ...countField('flags', value['flags']),
  }
}

function readList<Item>(value: unknown, read: (fields: Fields) => Item): Item[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isFields).map(read) : []
}

function textField<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  const text = readText(value)
  return (text === '' ? {} : { [key]: text }) as { [K in Key]?: string }
}

/** A count of 32 bits; zero, negative and odd ones are left out. */
function countField<Key extends string>(key: Key, value: unknown): { [K in Key]?: number } {
  const count = Number(value)
  return (Number.isInteger(count) && count > 0 && count <= 0xffffffff ? { [key]: count } : {}) as { [K in Key]?: number }
}
