import type { LogView } from '@graphmind-ai/mappings'
import type { OtlpLogRecord } from './otlp-json.ts'
import { attributesOf, plainValue, type ViewContext } from './span-view.ts'

/** The view that the mappings read of a log record. */
export function toLogView(record: OtlpLogRecord, { resource, scope }: ViewContext): LogView {
  const attributes = attributesOf(record.attributes)
  const body = record.body === undefined ? undefined : plainValue(record.body)
  return {
    traceId: record.traceId,
    spanId: record.spanId,
    name: nameOf(record.eventName, body, attributes['event.name']),
    timeNanos: BigInt(record.timeUnixNano),
    body,
    attributes,
    scope,
    resource,
  }
}

/** Before records had an event name, it stood in an attribute; Claude Code writes it whole only into the body. */
function nameOf(eventName: string | undefined, body: unknown, attribute: unknown): string {
  if (eventName !== undefined) return eventName
  if (typeof body === 'string' && /^[a-z_]+\.[\w.]+$/.test(body)) return body
  return typeof attribute === 'string' ? attribute : ''
}
