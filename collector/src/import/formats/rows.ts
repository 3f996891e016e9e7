import type { OtlpEvent, OtlpKeyValue, OtlpLink } from '../../otlp/otlp-json.ts'
import { type Fields, isFields, readText } from '../../otlp/read-value.ts'
import type { Result } from '../../problem.ts'
import { ok } from '../../problem.ts'
import { addAttribute, attributesFrom } from '../values/attributes.ts'
import { spanIdFrom, traceIdFrom } from '../values/ids.ts'
import { resources, scopes, spanKindOf, spanOf } from '../values/span.ts'
import { nanosFrom } from '../values/times.ts'
import type { LeafContent } from './format.ts'

/** Spans as flat objects, in the field names of the Python SDK and of Phoenix. */
export const rowIds = {
  trace: (row: Fields) => inContext(row, 'trace_id') ?? first(row, 'trace_id', 'traceId'),
  span: (row: Fields) => inContext(row, 'span_id') ?? inContext(row, 'spanId') ?? first(row, 'span_id', 'spanId'),
  parent: (row: Fields) => first(row, 'parent_id', 'parentId', 'parent_span_id', 'parentSpanId'),
}

/** Reads one such object; `extra` attributes stand in where the row itself has none of that key. */
export function readRow(row: Fields, extra: readonly OtlpKeyValue[] = []): Result<LeafContent> {
  const attributes = rowAttributes(row)
  const keys = new Set(attributes.map(({ key }) => key))
  const status = isFields(row['status']) ? row['status'] : {}
  const code = readText(status['status_code'] ?? status['code'] ?? first(row, 'status_code', 'statusCode') ?? row['status'])
  const span = spanOf({
    traceId: rowIds.trace(row),
    spanId: rowIds.span(row),
    parentSpanId: rowIds.parent(row),
    name: row['name'],
    kind: spanKindOf(row['kind']) ?? spanKindOf(row['span_kind']) ?? 1,
    startNanos: nanosFrom(first(row, 'start_time', 'startTime', 'start_time_unix_nano', 'startTimeUnixNano')),
    endNanos: nanosFrom(first(row, 'end_time', 'endTime', 'end_time_unix_nano', 'endTimeUnixNano')),
    attributes: [...attributes, ...extra.filter(({ key }) => !keys.has(key))],
    events: eventsOf(row['events']),
    links: linksOf(row['links']),
    isError: /(^|[._])ERROR$/i.test(code) || code === '2',
    isOk: /(^|[._])OK$/i.test(code) || code === '1',
    message: status['description'] ?? status['message'] ?? first(row, 'status_message', 'statusMessage', 'status_description'),
  })
  if (!span.ok) return span
  const resource = isFields(row['resource']) ? row['resource'] : {}
  const scope = [row['instrumentation_scope'], row['scope'], row['instrumentation_info']].find(isFields) ?? {}
  const version = readText(scope['version'])
  return ok({
    kind: 'spans',
    spans: [
      {
        span: span.value,
        resource: resources.of({ attributes: attributesFrom(resource['attributes']) }),
        scope: scopes.of({ name: readText(scope['name']), ...(version === '' ? {} : { version }) }),
      },
    ],
  })
}

/** The first of these fields that has a value. */
export function first(row: Fields, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = row[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** From the context object, or from the column that a data frame makes of it. */
function inContext(row: Fields, name: string): unknown {
  const context = row['context']
  return (isFields(context) ? context[name] : undefined) ?? row[`context.${name}`]
}

function rowAttributes(row: Fields): readonly OtlpKeyValue[] {
  const out = [...attributesFrom(row['attributes'])]
  for (const [name, value] of Object.entries(row)) if (name.startsWith('attributes.')) addAttribute(out, name.slice(11), value)
  return out
}

function eventsOf(value: unknown): readonly OtlpEvent[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).filter(isFields).map((event) => ({
    timeUnixNano: nanosFrom(first(event, 'timestamp', 'time', 'time_unix_nano', 'timeUnixNano')) ?? '0',
    name: readText(event['name']),
    attributes: attributesFrom(event['attributes']),
  }))
}

function linksOf(value: unknown): readonly OtlpLink[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).filter(isFields).map((link) => ({
    traceId: traceIdFrom(rowIds.trace(link)) ?? '',
    spanId: spanIdFrom(rowIds.span(link)) ?? '',
    attributes: attributesFrom(link['attributes']),
  }))
}
