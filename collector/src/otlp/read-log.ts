import { failed, ok, type Result } from '../problem.ts'
import { readId } from './ids.ts'
import type { OtlpLogRecord } from './otlp-json.ts'
import { countField, droppedField, readNanos, textField } from './read-fields.ts'
import { isFields, pick, readAnyValue, readAttributes } from './read-value.ts'

/** Reads one log record of OTLP/JSON in any of its spellings, or of decoded protobuf. */
export function readLogRecord(value: unknown): Result<OtlpLogRecord> {
  if (!isFields(value)) return failed('record-shape', 'a log record is not an object')
  const time = readNanos(pick(value, 'timeUnixNano', 'time_unix_nano'))
  const observed = readNanos(pick(value, 'observedTimeUnixNano', 'observed_time_unix_nano'))
  if (time === undefined || observed === undefined)
    return failed('record-time', 'a log record has a time that is not a 64-bit nanosecond count')
  const attributes = readAttributes(value['attributes'])
  const traceId = readId(pick(value, 'traceId', 'trace_id'), 16)
  const spanId = readId(pick(value, 'spanId', 'span_id'), 8)
  const body = readAnyValue(value['body'], 0)
  return ok({
    timeUnixNano: time === '0' ? observed : time,
    ...(observed === '0' ? {} : { observedTimeUnixNano: observed }),
    ...countField('severityNumber', pick(value, 'severityNumber', 'severity_number')),
    ...textField('severityText', pick(value, 'severityText', 'severity_text')),
    ...textField('eventName', pick(value, 'eventName', 'event_name')),
    ...(Object.keys(body).length === 0 ? {} : { body }),
    attributes: attributes.kept,
    ...droppedField('droppedAttributesCount', pick(value, 'droppedAttributesCount', 'dropped_attributes_count'), attributes.dropped),
    ...countField('flags', value['flags']),
    ...(traceId === undefined ? {} : { traceId }),
    ...(spanId === undefined ? {} : { spanId }),
  })
}
