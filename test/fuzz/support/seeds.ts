import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeTraces } from '../../../collector/src/otlp/decode.ts'
import type { OtlpAnyValue, OtlpKeyValue, OtlpSpan } from '../../../collector/src/otlp/otlp-json.ts'
import { Span, TraceRequest } from '../../../collector/src/testing/descriptor.ts'
import { importFiles } from '../../../collector/src/testing/import-files.ts'
import { root } from '../../support/process.ts'

export interface Seeds {
  /** OTLP/JSON requests of a few spans each, from the recorded traces. */
  readonly requests: readonly unknown[]
  /** The same in protobuf. */
  readonly protobuf: readonly Uint8Array[]
  /** Envelopes of every type. */
  readonly envelopes: readonly unknown[]
  /** Files of every format that imports read, as JSON values. */
  readonly imports: readonly unknown[]
}

interface Recorded {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[] }[]
}

const SPANS_EACH = 3

/** What is mutated: real traces and the wire's own fixtures. */
export function readSeeds(): Seeds {
  const requests = filesIn('mappings/fixtures', 'spans.json').flatMap((file) => smallRequests(readJson(file) as Recorded))
  return {
    requests,
    protobuf: requests.map(protobufOf),
    imports: importFiles().flatMap((file) => valuesOf(file.toString('utf8'))),
    envelopes: filesIn('control/schema/fixtures/v1', '.json').flatMap((file) => {
      const fixture = readJson(file) as { envelope?: unknown }
      return fixture.envelope === undefined ? [] : [fixture.envelope]
    }),
  }
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(root, folder, name))
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The document of a file, or those on its lines. Some files are damaged by intention. */
function valuesOf(text: string): unknown[] {
  const whole = parsed(text)
  return whole.length > 0 ? whole : text.split('\n').flatMap(parsed)
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

function smallRequests({ resourceSpans }: Recorded): Recorded[] {
  return resourceSpans.flatMap((group) =>
    group.scopeSpans.map((scopeGroup) => ({
      resourceSpans: [{ ...group, scopeSpans: [{ ...scopeGroup, spans: scopeGroup.spans.slice(0, SPANS_EACH) }] }],
    })),
  )
}

function protobufOf(request: Recorded): Uint8Array {
  const decoded = decodeTraces(Buffer.from(JSON.stringify(request)), 'json')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  const spans = decoded.value.spans.map(({ raw }) => spanBytes(raw))
  return TraceRequest.encode(TraceRequest.fromObject({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).finish()
}

function spanBytes(span: OtlpSpan): Uint8Array {
  const bytes = (hex: string | undefined) => Buffer.from(hex ?? '', 'hex')
  return Span.encode(
    Span.fromObject({
      ...span,
      traceId: bytes(span.traceId),
      spanId: bytes(span.spanId),
      parentSpanId: bytes(span.parentSpanId),
      attributes: pairs(span.attributes),
      events: span.events?.map((event) => ({ ...event, attributes: pairs(event.attributes) })),
      links: span.links?.map((link) => ({
        ...link,
        traceId: bytes(link.traceId),
        spanId: bytes(link.spanId),
        attributes: pairs(link.attributes),
      })),
    }),
  ).finish()
}

function pairs(entries: readonly OtlpKeyValue[]): readonly object[] {
  return entries.map(({ key, value }) => ({ key, value: anyValue(value) }))
}

function anyValue(value: OtlpAnyValue): object {
  if (value.arrayValue !== undefined) return { arrayValue: { values: value.arrayValue.values.map(anyValue) } }
  if (value.doubleValue !== undefined) return { doubleValue: Number(value.doubleValue) }
  if (value.bytesValue !== undefined) return { bytesValue: Buffer.from(value.bytesValue, 'base64') }
  if (value.kvlistValue !== undefined) return { kvlistValue: { values: pairs(value.kvlistValue.values) } }
  return value
}
