import { createHash } from 'node:crypto'
import type { SpanView } from '@graphmind-ai/mappings'
import { failed, ok, type Result } from '../problem.ts'
import { Span, TraceRequest } from './descriptor.ts'
import { marksOf, type SpanMarks } from './marks.ts'
import type { OtlpSpan } from './otlp-json.ts'
import { readJson } from './read-json.ts'
import { readResource, readScope, readSpan } from './read-span.ts'
import { type Fields, isFields, pick } from './read-value.ts'
import { toSpanView, viewContext } from './span-view.ts'

export type OtlpFormat = 'json' | 'protobuf'

/** A resource or scope as stored: once per run, named by its hash. */
export interface SharedPart {
  readonly hash: string
  readonly json: string
}

export interface DecodedSpan {
  readonly view: SpanView
  readonly raw: OtlpSpan
  readonly marks: SpanMarks
  readonly resource: SharedPart
  readonly scope: SharedPart
}

export interface DecodedRequest {
  readonly spans: readonly DecodedSpan[]
  readonly rejectedCount: number
  /** Distinct reasons, the first few. */
  readonly reasons: readonly string[]
}

const MAX_REASONS = 5

/** Decodes an OTLP trace request (inflated bytes). Unreadable bytes are a problem; a broken span is only counted (partial success). */
export function decodeTraces(bytes: Uint8Array, format: OtlpFormat): Result<DecodedRequest> {
  const request = format === 'json' ? readJsonRequest(bytes) : readProtobufRequest(bytes)
  if (!request.ok) return request
  const spans: DecodedSpan[] = []
  const reasons = new Set<string>()
  let rejectedCount = 0
  const reject = (reason: string) => {
    rejectedCount++
    if (reasons.size < MAX_REASONS) reasons.add(reason)
  }
  for (const group of request.value) decodeGroup(group, spans, reject)
  return ok({ spans, rejectedCount, reasons: [...reasons] })
}

function decodeGroup(group: unknown, spans: DecodedSpan[], reject: (reason: string) => void): void {
  if (!isFields(group)) return
  const resource = readResource(group['resource'], pick(group, 'schemaUrl', 'schema_url'))
  const resourcePart = sharedPart(resource)
  for (const scopeGroup of scopeGroups(group)) {
    const scope = readScope(
      scopeGroup['scope'] ?? pick(scopeGroup, 'instrumentationLibrary', 'instrumentation_library'),
      pick(scopeGroup, 'schemaUrl', 'schema_url'),
    )
    const scopePart = sharedPart(scope)
    const context = viewContext(resource, scope)
    const list = scopeGroup['spans']
    for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
      const read = entry instanceof Uint8Array ? readProtobufSpan(entry) : readSpan(entry)
      if (!read.ok) {
        reject(read.problem.message)
        continue
      }
      const closed = toSpanView(read.value, context, false)
      const marks = marksOf(closed.attributes)
      const view = marks.phase === 'start' ? { ...closed, endNanos: undefined } : closed
      spans.push({ view, raw: read.value, marks, resource: resourcePart, scope: scopePart })
    }
  }
}

function scopeGroups(group: Fields): readonly Fields[] {
  const lists = [pick(group, 'scopeSpans', 'scope_spans'), pick(group, 'instrumentationLibrarySpans', 'instrumentation_library_spans')]
  return lists.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : [])).filter(isFields)
}

function readJsonRequest(bytes: Uint8Array): Result<readonly unknown[]> {
  const json = readJson(new TextDecoder().decode(bytes))
  if (!json.ok) return json
  if (!isFields(json.value))
    return failed('shape', 'The body is JSON, but not an OTLP trace request: an object with resourceSpans is expected.')
  const groups = pick(json.value, 'resourceSpans', 'resource_spans') ?? json.value['batches']
  if (groups === undefined || groups === null) return ok([])
  return Array.isArray(groups) ? ok(groups) : failed('shape', 'resourceSpans is not a list.')
}

function readProtobufRequest(bytes: Uint8Array): Result<readonly unknown[]> {
  try {
    const message = TraceRequest.toObject(TraceRequest.decode(bytes), { longs: String })
    return ok((message['resourceSpans'] as readonly unknown[] | undefined) ?? [])
  } catch {
    return failed(
      'protobuf',
      'The body is not a readable OTLP trace request in protobuf. Check the content type and that the body is whole.',
    )
  }
}

function readProtobufSpan(bytes: Uint8Array): Result<OtlpSpan> {
  try {
    return readSpan(Span.toObject(Span.decode(bytes), { longs: String }))
  } catch {
    return failed('span-bytes', 'a span is not readable protobuf')
  }
}

function sharedPart(value: object): SharedPart {
  const json = JSON.stringify(value)
  return { hash: createHash('sha1').update(json).digest('hex').slice(0, 16), json }
}
