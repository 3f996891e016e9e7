import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failed, ok, type Result } from '../../problem.ts'
import { changed, changes } from '../../testing/damage.ts'
import { Span, TraceRequest } from '../../testing/descriptor.ts'
import { attributes, counts, ids, times } from '../../testing/otlp-arbitraries.ts'
import { readCut, readWhole } from '../../testing/same-split.ts'
import { decodeTraces, type OtlpFormat, splitRequest } from '../decode.ts'
import type { OtlpAnyValue, OtlpKeyValue, OtlpSpan } from '../otlp-json.ts'
import { readResource, readScope, readSpan } from '../read-span.ts'
import { type Fields, isFields, MAX_VALUE_DEPTH } from '../read-value.ts'
import { readTraces } from './read-traces.ts'
import { writeTraces } from './write-groups.ts'

const FIXTURES = fileURLToPath(new URL('../../../../mappings/fixtures', import.meta.url))
const REPLACED = '\ufffd'

/** The same reading by protobufjs, and from there as OTLP/JSON is read. */
function byOracle(bytes: Uint8Array): Result<unknown> {
  let message: Fields
  try {
    message = TraceRequest.toObject(TraceRequest.decode(bytes), { longs: String, oneofs: true })
  } catch {
    return failed('protobuf', '')
  }
  return ok(
    listIn(message, 'resourceSpans').map((group) => ({
      resource: readResource(onlyLast(group['resource']), group['schemaUrl']),
      scopes: [...listIn(group, 'scopeSpans'), ...listIn(group, 'instrumentationLibrarySpans')].map((scopeGroup) => ({
        scope: readScope(onlyLast(scopeGroup['scope']), scopeGroup['schemaUrl']),
        items: ((scopeGroup['spans'] ?? []) as readonly Uint8Array[]).map(spanByOracle),
      })),
    })),
  )
}

function spanByOracle(bytes: Uint8Array): Result<OtlpSpan> {
  try {
    return readSpan(onlyLast(Span.toObject(Span.decode(bytes), { longs: String, oneofs: true })))
  } catch {
    return failed('span-bytes', 'a span is not readable protobuf')
  }
}

function listIn(fields: Fields, key: string): readonly Fields[] {
  const list = fields[key]
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isFields) : []
}

/** protobufjs keeps every member of a oneof that came and names the last in `value`; protobuf says that only the last one counts. */
function onlyLast(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyLast)
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [key, onlyLast(entry)])
  const last = value['value']
  return Object.fromEntries(typeof last === 'string' ? entries.filter(([key]) => key === last) : entries)
}

/**
 * Both give the same, to the order of keys, or both refuse. Only text that is not UTF-8 is replaced here and refused there,
 * and a span with two faults may be refused for either.
 */
function expectAgreement(bytes: Uint8Array): void {
  const ours = readTraces(bytes)
  const theirs = byOracle(bytes)
  const text = JSON.stringify(ours)
  if (!theirs.ok) {
    if (ours.ok) expect(text).toContain(REPLACED)
    return
  }
  expect(ours.ok).toBe(true)
  if (text === JSON.stringify(theirs)) return
  const refused = spansOf(theirs).map((span) => !span.ok)
  expect(refused).toContain(true)
  expect(spansOf(ours).filter((_span, index) => !refused[index])).toEqual(spansOf(theirs).filter((_span, index) => !refused[index]))
  if (spansOf(ours).some((span, index) => span.ok && refused[index])) expect(text).toContain(REPLACED)
}

function spansOf(result: Result<unknown>): readonly Result<OtlpSpan>[] {
  if (!result.ok) return []
  const groups = result.value as readonly { scopes: readonly { items: readonly Result<OtlpSpan>[] }[] }[]
  return groups.flatMap(({ scopes }) => scopes.flatMap(({ items }) => items))
}

const trace = Buffer.from('0123456789abcdef0123456789abcdef', 'hex')
const otherTrace = Buffer.from('fedcba9876543210fedcba9876543210', 'hex')
const id = Buffer.from('00000000000000a1', 'hex')
const spanBytes = (fields: object) => Span.encode(Span.fromObject({ traceId: trace, spanId: id, ...fields })).finish()
const request = (...spans: readonly Uint8Array[]) =>
  TraceRequest.encode(TraceRequest.fromObject({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'scope' }, spans }] }] })).finish()

/** OTLP/JSON as protobuf bytes, by protobufjs. */
function encoded(json: Buffer): Uint8Array {
  const decoded = decodeTraces(json, 'json')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  return request(...decoded.value.spans.map(({ raw }) => encodedSpan(raw)))
}

function encodedSpan(span: OtlpSpan): Uint8Array {
  const bytes = (hex: string | undefined) => (hex === undefined ? undefined : Buffer.from(hex, 'hex'))
  return spanBytes({
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
  })
}

function pairs(entries: readonly OtlpKeyValue[]): readonly object[] {
  return entries.map(({ key, value }) => ({ key, value: anyValue(value) }))
}

function anyValue(value: OtlpAnyValue): object {
  if (value.doubleValue !== undefined) return { doubleValue: Number(value.doubleValue) }
  if (value.arrayValue !== undefined) return { arrayValue: { values: value.arrayValue.values.map(anyValue) } }
  if (value.kvlistValue !== undefined) return { kvlistValue: { values: pairs(value.kvlistValue.values) } }
  if (value.bytesValue !== undefined) return { bytesValue: Buffer.from(value.bytesValue, 'base64') }
  return value
}

const expectSameSplit = (bytes: Uint8Array, format: OtlpFormat) => {
  expect(readCut(bytes, format)).toEqual(readWhole(bytes, format))
}

const fixtureFiles = () =>
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('spans.json'))
    .map((name) => join(FIXTURES, name))

const spans = fc
  .record(
    {
      traceId: fc.constantFrom(trace, trace, otherTrace, Buffer.alloc(16)),
      parentSpanId: fc.oneof(ids(8), fc.constant(Buffer.alloc(8)), ids(3)),
      traceState: fc.string({ maxLength: 10 }),
      name: fc.string({ unit: 'grapheme', maxLength: 80 }),
      kind: fc.integer(),
      startTimeUnixNano: times,
      endTimeUnixNano: times,
      attributes,
      droppedAttributesCount: counts,
      events: fc.array(fc.record({ timeUnixNano: times, name: fc.string(), attributes, droppedAttributesCount: counts }), { maxLength: 3 }),
      droppedEventsCount: counts,
      links: fc.array(
        fc.record({ traceId: ids(16), spanId: ids(8), traceState: fc.string(), attributes, droppedAttributesCount: counts, flags: counts }),
        { maxLength: 3 },
      ),
      droppedLinksCount: counts,
      status: fc.record({ code: fc.integer({ min: -2, max: 4 }), message: fc.string() }),
      flags: counts,
    },
    { requiredKeys: [] },
  )
  .map(spanBytes)
const requests = fc
  .array(
    fc.record({
      resource: fc.record({ attributes, droppedAttributesCount: counts }),
      schemaUrl: fc.string({ maxLength: 5 }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string(), version: fc.string(), attributes, droppedAttributesCount: counts }),
          spans: fc.array(spans, { maxLength: 3 }),
          schemaUrl: fc.string({ maxLength: 5 }),
        }),
        { maxLength: 2 },
      ),
      instrumentationLibrarySpans: fc.array(fc.record({ spans: fc.array(spans, { maxLength: 1 }) }), { maxLength: 1 }),
    }),
    { maxLength: 2 },
  )
  .map((resourceSpans) => TraceRequest.encode(TraceRequest.fromObject({ resourceSpans })).finish())

describe('readTraces', () => {
  it('reads every recorded trace as protobufjs does', () => {
    const files = fixtureFiles()
    expect(files.length).toBeGreaterThan(50)
    for (const file of files) {
      const bytes = encoded(readFileSync(file))
      expect(JSON.stringify(readTraces(bytes)), file).toBe(JSON.stringify(byOracle(bytes)))
    }
  })

  it('reads every request as protobufjs does', () => {
    fc.assert(
      fc.property(requests, (bytes) => {
        expect(JSON.stringify(readTraces(bytes))).toBe(JSON.stringify(byOracle(bytes)))
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with protobufjs on damaged requests', () => {
    fc.assert(
      fc.property(requests, changes, (bytes, list) => expectAgreement(changed(bytes, list))),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => expectAgreement(bytes)),
      { numRuns: 2000 },
    )
  })

  it('never rounds a number', () => {
    const values = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-1', '0', '128', '4294967296']
    const bytes = request(
      spanBytes({
        startTimeUnixNano: '18446744073709551615',
        endTimeUnixNano: '1767225600000000001',
        attributes: values.map((intValue, index) => ({ key: `n${index}`, value: { intValue } })),
      }),
    )
    const [read] = spansOf(readTraces(bytes))
    expect(read).toMatchObject({
      ok: true,
      value: {
        startTimeUnixNano: '18446744073709551615',
        endTimeUnixNano: '1767225600000000001',
        attributes: values.map((intValue) => ({ value: { intValue } })),
      },
    })
  })

  it('replaces text that is not UTF-8, and keeps the span', () => {
    const [name] = [Buffer.from([0x2a, 3, 0x61, 0xe2, 0x82])]
    const bytes = request(Buffer.concat([spanBytes({}), name]))
    expect(spansOf(readTraces(bytes))).toMatchObject([{ ok: true, value: { name: `a${REPLACED}` } }])
  })

  it('cuts values that are nested too deep, and says so', () => {
    const nested = (levels: number): object => (levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nested(levels - 1)] } })
    const textOf = (levels: number) => JSON.stringify(readTraces(request(spanBytes({ attributes: [{ key: 'a', value: nested(levels) }] }))))
    expect(textOf(MAX_VALUE_DEPTH)).toContain('"x"')
    expect(textOf(MAX_VALUE_DEPTH + 1)).toContain('nested deeper than')
  })

  it('rejects a broken span alone', () => {
    const bytes = request(spanBytes({ name: 'one' }), Buffer.from([0x4a, 0x05, 0x0a]), spanBytes({ name: 'two' }))
    expect(spansOf(readTraces(bytes)).map((span) => (span.ok ? span.value.name : span.problem.code))).toEqual(['one', 'span-bytes', 'two'])
  })

  it('counts what is beyond the caps of a span', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ key: `k${index}`, value: { boolValue: true } }))
    const bytes = request(
      spanBytes({ attributes: many, droppedAttributesCount: 3, links: many.slice(0, 600).map(() => ({ traceId: trace })) }),
    )
    const theirs = byOracle(bytes)
    expect(JSON.stringify(readTraces(bytes))).toBe(JSON.stringify(theirs))
    expect(spansOf(theirs)).toMatchObject([{ value: { droppedAttributesCount: 907, droppedLinksCount: 88 } }])
  })
})

describe('writeTraces', () => {
  it('writes what is read again as it was, by protobufjs as well', () => {
    fc.assert(
      fc.property(requests, (bytes) => {
        const read = readTraces(bytes)
        const groups = read.ok ? read.value : []
        // A span that could not be read has nothing to write.
        const written = groups.flatMap(({ resource, scopes }) =>
          scopes.map(({ scope, items }) => ({ resource, scope, items: items.flatMap((item) => (item.ok ? item.value : [])) })),
        )
        const again = writeTraces(written)
        const expected = JSON.stringify(
          ok(written.map(({ resource, scope, items }) => ({ resource, scopes: [{ scope, items: items.map((item) => ok(item)) }] }))),
        )
        expect(JSON.stringify(readTraces(again))).toBe(expected)
        expect(JSON.stringify(byOracle(again))).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('splitRequest', () => {
  it('cuts every recorded trace, in protobuf and in JSON', () => {
    for (const file of fixtureFiles()) {
      expectSameSplit(encoded(readFileSync(file)), 'protobuf')
      expectSameSplit(readFileSync(file), 'json')
    }
  })

  it('takes and refuses what reading takes and refuses, also of damaged requests', () => {
    fc.assert(
      fc.property(requests, (bytes) => expectSameSplit(bytes, 'protobuf')),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(requests, changes, (bytes, list) => expectSameSplit(changed(bytes, list), 'protobuf')),
      { numRuns: 1000 },
    )
  })

  it('cuts JSON in any spelling, and refuses what reading refuses', () => {
    const one = (fields: object) => ({ trace_id: '0123456789abcdef0123456789abcdef', span_id: '00000000000000a1', name: 'one', ...fields })
    const groups = [
      {
        resource: { attributes: [{ key: 'service.name', value: { string_value: 'app' } }] },
        schema_url: 'r',
        scope_spans: [
          {
            scope: { name: 's' },
            schema_url: 'u',
            spans: [one({}), one({ trace_id: 'f'.repeat(32) }), 7, one({ span_id: '' }), one({ attributes: 3 })],
          },
          {
            instrumentation_library: { name: 'old' },
            spans: [one({ start_time_unix_nano: 'x' }), one({ flags: 0x300, parent_span_id: 'a'.repeat(16) })],
          },
        ],
      },
      { instrumentation_library_spans: [{ spans: [one({ endTimeUnixNano: '1767225600000000001' })] }] },
    ]
    for (const key of ['resourceSpans', 'resource_spans', 'batches'])
      expectSameSplit(Buffer.from(JSON.stringify({ [key]: groups })), 'json')
    for (const text of ['{}', '[]', '{"resourceSpans":7}', '{', '7']) expectSameSplit(Buffer.from(text), 'json')
  })

  it('cuts a trace of many spans into pieces that are quick to read', () => {
    const name = (index: number) => ({ name: `s${index}`, spanId: Buffer.from((index + 1).toString(16).padStart(16, '0'), 'hex') })
    const bytes = request(...Array.from({ length: 300 }, (_, index) => spanBytes(name(index))))
    expectSameSplit(bytes, 'protobuf')
    const whole = decodeTraces(bytes, 'protobuf')
    const spans = whole.ok ? whole.value.spans.map(({ raw }) => raw) : []
    expectSameSplit(Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })), 'json')
  })

  it('tells what a trace is called, when it began, and how its root ended', () => {
    const nanos = (ms: number) => String(BigInt(ms) * 1_000_000n)
    const root = spanBytes({ name: 'root', startTimeUnixNano: nanos(5000), endTimeUnixNano: nanos(9000), status: { code: 2 } })
    const child = spanBytes({ name: 'child', parentSpanId: Buffer.from('00000000000000a1', 'hex'), startTimeUnixNano: nanos(4000) })
    const outlines = (...list: readonly Uint8Array[]) => {
      const split = splitRequest(request(...list), 'protobuf')
      return split.ok ? split.value.parts.map(({ outline }) => outline) : []
    }
    expect(outlines(child, root)).toEqual([{ app: '', name: 'root', startMs: 4000, end: { ms: 9000, failed: true } }])
    expect(outlines(child)).toEqual([{ app: '', name: 'child', startMs: 4000, end: undefined }])
  })
})
