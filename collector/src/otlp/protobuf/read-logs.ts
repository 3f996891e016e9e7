import { failed, ok, type Result } from '../../problem.ts'
import { isId } from '../ids.ts'
import type { OtlpAnyValue, OtlpLogRecord } from '../otlp-json.ts'
import type { ResourceGroup } from '../resource-group.ts'
import type { Cursor } from './cursor.ts'
import { AttributeList, readAnyValue } from './read-attributes.ts'
import { readGroups } from './read-groups.ts'
import { count } from './read-span.ts'
import { unlessBroken } from './unless-broken.ts'

const BROKEN_RECORD = failed('record-bytes', 'a log record is not readable protobuf')

/** Reads an OTLP logs request in protobuf, straight into the form we keep. */
export function readLogs(bytes: Uint8Array): Result<readonly ResourceGroup<OtlpLogRecord>[]> {
  return readGroups(bytes, 'logs', readLogRecord)
}

function readLogRecord(cursor: Cursor): Result<OtlpLogRecord> {
  return unlessBroken(readFields, cursor, BROKEN_RECORD)
}

function readFields(cursor: Cursor): Result<OtlpLogRecord> {
  let time = '0'
  let observed = '0'
  let severityNumber = 0
  let severityText = ''
  let eventName = ''
  let body: OtlpAnyValue = {}
  let said = 0
  let flags = 0
  let traceId = ''
  let spanId = ''
  const attributes = new AttributeList()
  while (cursor.hasMore) {
    const tag = cursor.tag()
    switch (tag) {
      case 0x09:
        time = cursor.fixed64()
        break
      case 0x10:
        severityNumber = cursor.uint32() | 0
        break
      case 0x1a:
        severityText = cursor.text()
        break
      case 0x2a:
        body = readAnyValue(cursor, 0, body)
        break
      case 0x32:
        attributes.read(cursor)
        break
      case 0x38:
        said = cursor.uint32()
        break
      case 0x45:
        flags = cursor.fixed32()
        break
      case 0x4a:
        traceId = cursor.hex()
        break
      case 0x52:
        spanId = cursor.hex()
        break
      case 0x59:
        observed = cursor.fixed64()
        break
      case 0x62:
        eventName = cursor.text()
        break
      default:
        cursor.skip(tag)
    }
  }
  return ok({
    timeUnixNano: time === '0' ? observed : time,
    ...(observed === '0' ? undefined : { observedTimeUnixNano: observed }),
    ...(severityNumber > 0 ? { severityNumber } : undefined),
    ...(severityText === '' ? undefined : { severityText }),
    ...(eventName === '' ? undefined : { eventName }),
    ...(Object.keys(body).length === 0 ? undefined : { body }),
    attributes: attributes.kept,
    ...count('droppedAttributesCount', said, attributes.dropped),
    ...(flags === 0 ? undefined : { flags }),
    ...(isId(traceId, 16) ? { traceId } : undefined),
    ...(isId(spanId, 8) ? { spanId } : undefined),
  })
}
