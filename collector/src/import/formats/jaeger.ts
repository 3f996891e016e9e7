import type { OtlpEvent, OtlpKeyValue, OtlpLink, OtlpResource } from '../../otlp/otlp-json.ts'
import { type Fields, isFields, readNumber, readText, wholeNumber } from '../../otlp/read-value.ts'
import { failed, ok } from '../../problem.ts'
import type { Frame } from '../leaf.ts'
import { anyValueOf, textAttribute } from '../values/attributes.ts'
import { spanIdFrom, traceIdFrom } from '../values/ids.ts'
import { resources, scopes, spanKindOf, spanOf } from '../values/span.ts'
import { nanosOfMicros } from '../values/times.ts'
import type { TraceFormat } from './format.ts'

// What Jaeger's translation of OTLP puts into tags goes back to where it came from.
const MOVED: ReadonlySet<string> = new Set([
  'span.kind',
  'error',
  'otel.status_code',
  'otel.status_description',
  'otel.scope.name',
  'otel.scope.version',
  'otel.library.name',
  'otel.library.version',
  'w3c.tracestate',
  'internal.span.format',
])

/** What Jaeger's UI and HTTP API give out: `{"data": [{"spans": […], "processes": {…}}]}`. */
export const jaeger: TraceFormat = {
  name: 'Jaeger JSON',

  claims: (fields) => fields['spanID'] !== undefined && (fields['traceID'] !== undefined || fields['operationName'] !== undefined),

  // The processes stand behind the spans.
  waitsFor: ({ fields, parent }) =>
    parent !== undefined && !parent.closed && fields['process'] === undefined && !isFields(parent.fields['processes']) ? parent : undefined,

  read(fields, { parent }) {
    const start = nanosOfMicros(fields['startTime'])
    const duration = nanosOfMicros(fields['duration'] ?? 0)
    if (start === undefined || duration === undefined) return failed('import-span', 'a span has no startTime in microseconds')
    const tags = tagsOf(fields['tags'])
    const tag = (name: string) => tags.find(({ key }) => key === name)?.value.stringValue
    const references = referencesOf(fields)
    const status = tag('otel.status_code')?.toUpperCase()
    const isError = tags.some(({ key, value }) => key === 'error' && (value.boolValue === true || value.stringValue === 'true'))
    const version = tag('otel.scope.version') ?? tag('otel.library.version')
    const span = spanOf({
      traceId: fields['traceID'] ?? parent?.fields['traceID'],
      spanId: fields['spanID'],
      parentSpanId: references.parent ?? fields['parentSpanID'],
      traceState: tag('w3c.tracestate'),
      name: fields['operationName'],
      kind: spanKindOf(tag('span.kind')) ?? 0,
      startNanos: String(start),
      endNanos: String(start + duration),
      attributes: tags.filter(({ key }) => !MOVED.has(key)),
      events: logsOf(fields['logs']),
      links: references.links,
      isError: status === 'ERROR' || (status === undefined && isError),
      isOk: status === 'OK',
      message: tag('otel.status_description'),
    })
    if (!span.ok) return span
    const scope = scopes.of({
      name: tag('otel.scope.name') ?? tag('otel.library.name') ?? '',
      ...(version === undefined ? {} : { version }),
    })
    return ok({ kind: 'spans', spans: [{ span: span.value, resource: resourceOf(fields, parent), scope }] })
  },
}

function resourceOf(fields: Fields, trace: Frame | undefined): OtlpResource {
  const processes = trace?.fields['processes']
  const known = isFields(processes) ? processes[readText(fields['processID'])] : undefined
  const process = [fields['process'], known].find(isFields) ?? {}
  return resources.of({ attributes: [...textAttribute('service.name', process['serviceName']), ...tagsOf(process['tags'])] })
}

function tagsOf(value: unknown): OtlpKeyValue[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).filter(isFields).map((tag) => ({ key: readText(tag['key']), value: tagValue(tag) }))
}

function tagValue({ type, value }: Fields): OtlpKeyValue['value'] {
  const digits = type === 'int64' ? wholeNumber(value) : undefined
  if (digits !== undefined) return { intValue: digits }
  if (type === 'float64') return { doubleValue: readNumber(value) }
  if (type === 'binary' && typeof value === 'string') return { bytesValue: value }
  return anyValueOf(value)
}

function referencesOf(fields: Fields): { readonly parent: unknown; readonly links: readonly OtlpLink[] } {
  const list = Array.isArray(fields['references']) ? (fields['references'] as readonly unknown[]).filter(isFields) : []
  const parent = list.find((entry) => entry['refType'] === 'CHILD_OF' && entry['traceID'] === fields['traceID'])
  const others = list.filter((entry) => entry !== parent)
  const links = others.map((entry) => ({
    traceId: traceIdFrom(entry['traceID']) ?? '',
    spanId: spanIdFrom(entry['spanID']) ?? '',
    attributes: textAttribute('opentracing.ref_type', readText(entry['refType']).toLowerCase()),
  }))
  return { parent: parent?.['spanID'], links }
}

function logsOf(value: unknown): readonly OtlpEvent[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).filter(isFields).map((log) => {
    const fields = tagsOf(log['fields'])
    const name = fields.find(({ key }) => key === 'event' || key === 'message')
    return {
      timeUnixNano: String(nanosOfMicros(log['timestamp']) ?? 0n),
      name: name?.value.stringValue ?? 'log',
      attributes: fields.filter((field) => field !== name || name.value.stringValue === undefined),
    }
  })
}
