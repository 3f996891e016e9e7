import { hash } from 'node:crypto'
import type { SpanView } from '@graphmind-ai/mappings'
import { ok, type Result } from '../problem.ts'
import { readJsonGroups } from './json/read-groups.ts'
import { SPAN_NAMES } from './json/signal-names.ts'
import { splitJsonTraces } from './json/split-traces.ts'
import { marksOf, type SpanMarks } from './marks.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from './otlp-json.ts'
import { readTraces } from './protobuf/read-traces.ts'
import { splitTraces } from './protobuf/split-traces.ts'
import { readSpan } from './read-span.ts'
import type { ResourceGroup } from './resource-group.ts'
import { toSpanView, type ViewContext, viewContext } from './span-view.ts'
import { Rejections, type SplitRequest } from './trace-part.ts'

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

/** Decodes an OTLP trace request (inflated bytes). Unreadable bytes are a problem; a broken span is only counted (partial success). */
export function decodeTraces(bytes: Uint8Array, format: OtlpFormat): Result<DecodedRequest> {
  const request = format === 'json' ? readJsonGroups(bytes, SPAN_NAMES, readSpan) : readTraces(bytes)
  if (!request.ok) return request
  const spans: DecodedSpan[] = []
  const rejected = new Rejections()
  for (const group of request.value) decodeGroup(group, spans, rejected)
  return ok({ spans, rejectedCount: rejected.count, reasons: rejected.reasons })
}

function decodeGroup({ resource, scopes }: ResourceGroup<OtlpSpan>, spans: DecodedSpan[], rejected: Rejections): void {
  const resourcePart = sharedPart(resource)
  for (const { scope, items } of scopes) {
    const surroundings = surroundingsOf(resource, scope, resourcePart)
    for (const read of items) {
      if (read.ok) spans.push(decodedSpan(read.value, surroundings))
      else rejected.add(read.problem.message)
    }
  }
}

/** What the spans of one scope share. */
export interface Surroundings {
  readonly context: ViewContext
  readonly resource: SharedPart
  readonly scope: SharedPart
}

/** What the spans of one scope share, made once for all of them. */
export function surroundingsOf(resource: OtlpResource, scope: OtlpScope, resourcePart = sharedPart(resource)): Surroundings {
  return { context: viewContext(resource, scope), resource: resourcePart, scope: sharedPart(scope) }
}

/** A span as every reader hands it to ingest, whatever format it came in. */
export function decodedSpan(raw: OtlpSpan, { context, resource, scope }: Surroundings): DecodedSpan {
  const closed = toSpanView(raw, context, false)
  const marks = marksOf(closed.attributes)
  const view = marks.phase === 'start' ? { ...closed, endNanos: undefined } : closed
  return { view, raw, marks, resource, scope }
}

function sharedPart(value: object): SharedPart {
  const json = JSON.stringify(value)
  return { hash: hash('sha1', json, 'hex').slice(0, 16), json }
}

/** Cuts an OTLP trace request (inflated bytes) into one for each trace. Takes the spans that `decodeTraces` takes, without reading them. */
export function splitRequest(bytes: Uint8Array, format: OtlpFormat): Result<SplitRequest> {
  return format === 'json' ? splitJsonTraces(bytes) : splitTraces(bytes)
}
