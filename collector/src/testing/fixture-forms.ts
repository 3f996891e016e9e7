import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'
import { type DecodedLog, decodeLogs } from '../otlp/decode-logs.ts'
import type { OtlpSpan } from '../otlp/otlp-json.ts'
import { Span, TraceRequest } from './descriptor.ts'

const FIXTURES = fileURLToPath(new URL('../../../mappings/fixtures/', import.meta.url))

/** A recording of a real program: its spans in order of arrival, and the log records that came with them. */
export interface Fixture {
  readonly name: string
  readonly spans: readonly DecodedSpan[]
  readonly logs: readonly DecodedLog[]
}

/** Every recording that the mappings keep. */
export function fixtures(): readonly Fixture[] {
  return readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^(spans\.jsonl?|logs\.json)$/.test(name))
    .map(({ parentPath }) => parentPath)
    .filter((path, index, all) => all.indexOf(path) === index)
    .map((path) => ({ name: path.slice(FIXTURES.length), spans: spansOf(path), logs: logsOf(path) }))
}

function spansOf(path: string): readonly DecodedSpan[] {
  const file = ['spans.json', 'spans.jsonl'].map((name) => `${path}/${name}`).find(existsSync)
  if (file === undefined) return []
  const text = readFileSync(file, 'utf8')
  return (file.endsWith('l') ? text.trim().split('\n') : [text]).flatMap((body) => decoded(Buffer.from(body), 'json'))
}

function logsOf(path: string): readonly DecodedLog[] {
  if (!existsSync(`${path}/logs.json`)) return []
  const logs = decodeLogs(readFileSync(`${path}/logs.json`), 'json')
  if (!logs.ok) throw new Error(logs.problem.message)
  return logs.value.logs
}

function decoded(body: Uint8Array, format: 'json' | 'protobuf'): readonly DecodedSpan[] {
  const traces = decodeTraces(body, format)
  if (!traces.ok) throw new Error(traces.problem.message)
  return traces.value.spans
}

/** Children before their parents, as SDKs send spans when they end. */
export function childFirst(spans: readonly DecodedSpan[]): readonly DecodedSpan[] {
  return [...spans].sort(({ view: one }, { view: other }) => Number((one.endNanos ?? 0n) - (other.endNanos ?? 0n)))
}

/** The same span before it ended. */
export function started(span: DecodedSpan): DecodedSpan {
  return {
    ...span,
    raw: { ...span.raw, endTimeUnixNano: '0', status: {} },
    view: { ...span.view, endNanos: undefined, status: { code: 'unset', message: undefined } },
  }
}

/** The same span after a journey in protobuf. */
export function throughProtobuf({ raw, resource, scope }: DecodedSpan): DecodedSpan {
  const [span] = decoded(
    TraceRequest.encode(
      TraceRequest.fromObject({
        resourceSpans: [{ resource: JSON.parse(resource.json), scopeSpans: [{ scope: JSON.parse(scope.json), spans: [encoded(raw)] }] }],
      }),
    ).finish(),
    'protobuf',
  )
  if (span === undefined) throw new Error('nothing decoded')
  return span
}

function encoded({ traceId, spanId, parentSpanId, links, ...rest }: OtlpSpan): Uint8Array {
  const bytes = (hex: string | undefined) => Buffer.from(hex ?? '', 'hex')
  return Span.encode(
    Span.fromObject({
      ...rest,
      traceId: bytes(traceId),
      spanId: bytes(spanId),
      parentSpanId: bytes(parentSpanId),
      links: (links ?? []).map((link) => ({ ...link, traceId: bytes(link.traceId), spanId: bytes(link.spanId) })),
    }),
  ).finish()
}
