import { digest } from '../../ingest/outbox.ts'
import type { OtlpEvent, OtlpKeyValue } from '../../otlp/otlp-json.ts'
import { type Fields, isFields, readText } from '../../otlp/read-value.ts'
import { failed, ok } from '../../problem.ts'
import { attributesFrom, textAttribute } from '../values/attributes.ts'
import { resources, scopes, spanKindOf, spanOf } from '../values/span.ts'
import { nanosOfMicros } from '../values/times.ts'
import type { TraceFormat } from './format.ts'

// What an OpenTelemetry exporter for Zipkin puts into tags goes back to where it came from.
const MOVED: ReadonlySet<string> = new Set([
  'otel.status_code',
  'otel.scope.name',
  'otel.scope.version',
  'otel.library.name',
  'otel.library.version',
])

/** Zipkin's JSON, version 2: a list of spans, or a list of traces. */
export const zipkin: TraceFormat = {
  name: 'Zipkin JSON (v2)',

  claims: (fields) =>
    typeof fields['traceId'] === 'string' &&
    typeof fields['id'] === 'string' &&
    fields['startTime'] === undefined &&
    (fields['timestamp'] === undefined || typeof fields['timestamp'] === 'number' || typeof fields['timestamp'] === 'bigint'),

  read(fields) {
    if (fields['binaryAnnotations'] !== undefined)
      return failed('import-span', 'a span is in version 1 of the Zipkin format; export version 2')
    const start = nanosOfMicros(fields['timestamp'])
    const duration = nanosOfMicros(fields['duration'] ?? 0)
    if (start === undefined || duration === undefined) return failed('import-span', 'a span has no timestamp in microseconds')
    const tags = isFields(fields['tags']) ? fields['tags'] : {}
    const error = tags['error']
    const status = readText(tags['otel.status_code']).toUpperCase()
    const version = readText(tags['otel.scope.version'] ?? tags['otel.library.version'])
    const span = spanOf({
      traceId: fields['traceId'],
      ...placeOf(fields),
      name: fields['name'],
      kind: spanKindOf(fields['kind']) ?? 1,
      startNanos: String(start),
      // A span without a duration was never closed.
      endNanos: fields['duration'] === undefined ? '0' : String(start + duration),
      attributes: attributesOf(tags),
      events: annotationsOf(fields['annotations']),
      isError: status === 'ERROR' || (status === '' && error !== undefined && error !== 'false'),
      isOk: status === 'OK',
      message: error === 'true' ? undefined : error,
    })
    if (!span.ok) return span
    const name = readText(tags['otel.scope.name'] ?? tags['otel.library.name'])
    const endpoint = isFields(fields['localEndpoint']) ? fields['localEndpoint'] : {}
    const resource = resources.of({ attributes: textAttribute('service.name', endpoint['serviceName']) })
    const scope = scopes.of({ name, ...(version === '' ? {} : { version }) })
    return ok({ kind: 'spans', spans: [{ span: span.value, resource, scope }] })
  },
}

/** A shared span is the server's half of a client span of the same id: it becomes the client span's child. */
function placeOf(fields: Fields): { readonly spanId: unknown; readonly parentSpanId: unknown } {
  const { id, parentId, shared } = fields
  return shared === true ? { spanId: digest(`shared:${readText(id)}`), parentSpanId: id } : { spanId: id, parentSpanId: parentId }
}

function attributesOf(tags: Fields): readonly OtlpKeyValue[] {
  return attributesFrom(tags).filter(({ key }) => !MOVED.has(key))
}

function annotationsOf(value: unknown): readonly OtlpEvent[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).filter(isFields).map((annotation) => ({
    timeUnixNano: String(nanosOfMicros(annotation['timestamp']) ?? 0n),
    name: readText(annotation['value']),
    attributes: [],
  }))
}
