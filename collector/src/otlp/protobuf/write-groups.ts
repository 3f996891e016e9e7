import { LOGS_FIELD } from '../logs-field.ts'
import type { OtlpAnyValue, OtlpEvent, OtlpKeyValue, OtlpLink, OtlpLogRecord, OtlpResource, OtlpScope, OtlpSpan } from '../otlp-json.ts'
import { Writer } from './writer.ts'

/** Spans or log records that share resource and scope. */
export interface WrittenGroup<Item> {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
  readonly items: readonly Item[]
}

/** An OTLP trace request in protobuf (opentelemetry-proto 1.x, trace/v1 and common/v1). */
export function writeTraces(groups: readonly WrittenGroup<OtlpSpan>[]): Uint8Array {
  return writeGroups(1, groups, writeSpan)
}

/** Log records of the same file, in the field that they have there. */
export function writeLogs(groups: readonly WrittenGroup<OtlpLogRecord>[]): Uint8Array {
  return writeGroups(LOGS_FIELD, groups, writeLogRecord)
}

function writeGroups<Item>(field: number, groups: readonly WrittenGroup<Item>[], write: (writer: Writer, item: Item) => void): Uint8Array {
  const writer = new Writer()
  for (const { resource, scope, items } of groups) {
    writer.message(field, (group) => {
      group.message(1, (own) => {
        writeAttributes(own, 1, resource.attributes)
        own.int(2, resource.droppedAttributesCount)
      })
      group.message(2, (scopeGroup) => {
        scopeGroup.message(1, (own) => writeScope(own, scope))
        for (const item of items) scopeGroup.message(2, (own) => write(own, item))
        scopeGroup.text(3, scope.schemaUrl)
      })
      group.text(3, resource.schemaUrl)
    })
  }
  return writer.finish()
}

function writeScope(writer: Writer, { name, version, attributes = [], droppedAttributesCount }: OtlpScope): void {
  writer.text(1, name)
  writer.text(2, version)
  writeAttributes(writer, 3, attributes)
  writer.int(4, droppedAttributesCount)
}

function writeSpan(writer: Writer, span: OtlpSpan): void {
  writer.hex(1, span.traceId)
  writer.hex(2, span.spanId)
  writer.text(3, span.traceState)
  writer.hex(4, span.parentSpanId)
  writer.text(5, span.name)
  writer.int(6, span.kind)
  writer.fixed64(7, span.startTimeUnixNano)
  writer.fixed64(8, span.endTimeUnixNano)
  writeAttributes(writer, 9, span.attributes)
  writer.int(10, span.droppedAttributesCount)
  for (const event of span.events ?? []) writer.message(11, (own) => writeEvent(own, event))
  writer.int(12, span.droppedEventsCount)
  for (const link of span.links ?? []) writer.message(13, (own) => writeLink(own, link))
  writer.int(14, span.droppedLinksCount)
  writer.message(15, (own) => {
    own.text(2, span.status.message)
    own.int(3, span.status.code)
  })
  writer.fixed32(16, span.flags)
}

function writeEvent(writer: Writer, event: OtlpEvent): void {
  writer.fixed64(1, event.timeUnixNano)
  writer.text(2, event.name)
  writeAttributes(writer, 3, event.attributes)
  writer.int(4, event.droppedAttributesCount)
}

function writeLink(writer: Writer, link: OtlpLink): void {
  writer.hex(1, link.traceId)
  writer.hex(2, link.spanId)
  writer.text(3, link.traceState)
  writeAttributes(writer, 4, link.attributes)
  writer.int(5, link.droppedAttributesCount)
  writer.fixed32(6, link.flags)
}

function writeLogRecord(writer: Writer, record: OtlpLogRecord): void {
  const { body } = record
  writer.fixed64(1, record.timeUnixNano)
  writer.int(2, record.severityNumber)
  writer.text(3, record.severityText)
  if (body !== undefined) writer.message(5, (own) => writeAnyValue(own, body))
  writeAttributes(writer, 6, record.attributes)
  writer.int(7, record.droppedAttributesCount)
  writer.fixed32(8, record.flags)
  writer.hex(9, record.traceId)
  writer.hex(10, record.spanId)
  writer.fixed64(11, record.observedTimeUnixNano)
  writer.text(12, record.eventName)
}

function writeAttributes(writer: Writer, field: number, entries: readonly OtlpKeyValue[]): void {
  for (const { key, value } of entries) {
    writer.message(field, (own) => {
      own.text(1, key)
      own.message(2, (inner) => writeAnyValue(inner, value))
    })
  }
}

function writeAnyValue(writer: Writer, value: OtlpAnyValue): void {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value
  if (stringValue !== undefined) writer.bytes(1, Buffer.from(stringValue))
  else if (boolValue !== undefined) writer.member(2, boolValue)
  else if (intValue !== undefined) writer.member(3, { int: intValue })
  else if (doubleValue !== undefined) writer.member(4, { double: Number(doubleValue) })
  else if (arrayValue !== undefined) {
    writer.message(5, (list) => {
      for (const item of arrayValue.values) list.message(1, (own) => writeAnyValue(own, item))
    })
  } else if (kvlistValue !== undefined) writer.message(6, (list) => writeAttributes(list, 1, kvlistValue.values))
  else if (bytesValue !== undefined) writer.bytes(7, Buffer.from(bytesValue, 'base64'))
}
