import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Span, TraceRequest } from '../testing/descriptor.ts'
import { type DecodedRequest, decodeTraces, splitRequest } from './decode.ts'
import { decodeLogs } from './decode-logs.ts'
import { MAX_VALUE_DEPTH } from './read-value.ts'

const TRACE = '0123456789abcdef0123456789abcdef'
const good = { traceId: TRACE, spanId: '00000000000000a1', name: 'one', startTimeUnixNano: '5', endTimeUnixNano: '9' }
const request = (...spans: readonly unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

function decode(value: unknown): DecodedRequest {
  const decoded = decodeTraces(Buffer.from(JSON.stringify(value)), 'json')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  return decoded.value
}
const attributesOf = (...entries: readonly [string, unknown][]) => {
  const attributes = entries.map(([key, value]) => ({ key, value }))
  return { ...decode(request({ ...good, attributes })).spans[0]?.view.attributes }
}

describe('decodeTraces', () => {
  it('reads the same spans from both formats of a real exporter', () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const span = provider
      .getTracer('scope', '1.2')
      .startSpan('work', { kind: 2, attributes: { text: 'ä', count: 3, ratio: 0.5, list: ['a', 'b'], yes: true } })
    span.addEvent('exception', { 'exception.message': 'broke' })
    span.setStatus({ code: 2, message: 'broke' })
    span.end()
    const spans = exporter.getFinishedSpans()
    const json = decodeTraces(JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array(), 'json')
    const protobuf = decodeTraces(ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array(), 'protobuf')
    if (!json.ok || !protobuf.ok) throw new Error('not decoded')
    expect(protobuf.value).toEqual(json.value)
    expect(json.value.spans[0]?.view).toMatchObject({
      name: 'work',
      kind: 3,
      status: { code: 'error', message: 'broke' },
      attributes: { text: 'ä', count: 3, ratio: 0.5, list: ['a', 'b'], yes: true },
      scope: { name: 'scope', version: '1.2' },
      events: [{ name: 'exception', attributes: { 'exception.message': 'broke' } }],
    })
  })

  it('never rounds: times are exact, and integers beyond 2^53 stay whole', () => {
    const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${TRACE}","spanId":"00000000000000a1","startTimeUnixNano":1767225600000000001,
      "endTimeUnixNano":"1767225600000000003","attributes":[{"key":"n","value":{"intValue":9007199254740993}},{"key":"m","value":{"intValue":"-5"}}]}]}]}]}`
    const decoded = decodeTraces(Buffer.from(text), 'json')
    if (!decoded.ok) throw new Error('not decoded')
    const { view, raw } = decoded.value.spans[0] ?? {}
    expect([view?.startNanos, view?.endNanos]).toEqual([1767225600000000001n, 1767225600000000003n])
    expect({ ...view?.attributes }).toEqual({ n: 9007199254740993n, m: -5 })
    expect(raw).toMatchObject({ startTimeUnixNano: '1767225600000000001', attributes: [{ value: { intValue: '9007199254740993' } }, {}] })
  })

  it('reads ids in hex of either case and in base64, and takes an empty or zero parent for none', () => {
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
    const parents = ['', null, '0000000000000000', 'ABCDEF0123456789', base64('abcdef0123456789')]
    const { spans } = decode(
      request(...parents.map((parentSpanId) => ({ ...good, traceId: base64(TRACE), spanId: 'AABBCCDD00112233', parentSpanId }))),
    )
    expect(spans.map(({ view }) => [view.traceId, view.spanId, view.parentSpanId])).toEqual(
      [undefined, undefined, undefined, 'abcdef0123456789', 'abcdef0123456789'].map((parent) => [TRACE, 'aabbccdd00112233', parent]),
    )
  })

  it('reads proto field names, old envelopes and enums by name', () => {
    const { spans } = decode({
      resource_spans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { string_value: 'old' } }] },
          instrumentation_library_spans: [
            {
              instrumentation_library: { name: 'lib' },
              spans: [
                {
                  trace_id: TRACE,
                  span_id: '00000000000000a1',
                  parent_span_id: '00000000000000a2',
                  kind: 'SPAN_KIND_CLIENT',
                  start_time_unix_nano: 7,
                  status: { code: 'STATUS_CODE_ERROR' },
                  attributes: [{ key: 'a', value: { array_value: { values: [{ int_value: 1 }] } } }],
                },
              ],
            },
          ],
        },
      ],
    })
    expect(spans[0]?.view).toMatchObject({
      parentSpanId: '00000000000000a2',
      kind: 3,
      startNanos: 7n,
      endNanos: undefined,
      status: { code: 'error' },
      attributes: { a: [1] },
      resource: { 'service.name': 'old' },
      scope: { name: 'lib' },
    })
  })

  it('counts NaN and empty values as absent', () => {
    const values: readonly [string, unknown][] = [
      ['nan', { doubleValue: 'NaN' }],
      ['null', { doubleValue: null }],
      ['empty', {}],
      ['whole', { doubleValue: 14 }],
      ['zero', { intValue: 0 }],
      ['text', { stringValue: '' }],
      ['no', { boolValue: false }],
      ['none', { arrayValue: {} }],
    ]
    expect(attributesOf(...values)).toEqual({ whole: 14, zero: 0, text: '', no: false, none: [] })
  })

  it('keeps __proto__ a key like any other', () => {
    const attributes = attributesOf(['__proto__', { stringValue: 'x' }])
    expect(Object.keys(attributes)).toEqual(['__proto__'])
  })

  it('cuts values that are nested too deep, and says so', () => {
    const nested = (levels: number): unknown => (levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nested(levels - 1)] } })
    expect(JSON.stringify(attributesOf(['a', nested(MAX_VALUE_DEPTH)]))).toContain('"x"')
    expect(JSON.stringify(attributesOf(['a', nested(MAX_VALUE_DEPTH + 1)]))).toContain('nested deeper than')
  })

  it('replaces lone surrogates, so that everything kept is valid UTF-8', () => {
    const text = String.raw`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${TRACE}","spanId":"00000000000000a1","name":"a\ud800b","attributes":[{"key":"k\udc00","value":{"stringValue":"\ud83d\ude00 \ud83d"}}]}]}]}]}`
    const decoded = decodeTraces(Buffer.from(text), 'json')
    if (!decoded.ok) throw new Error('not decoded')
    expect(JSON.stringify(decoded.value.spans[0]?.raw)).toContain('"name":"a\ufffdb"')
    expect(JSON.stringify(decoded.value.spans[0]?.raw)).not.toMatch(/\\ud[89a-f]/i)
    expect({ ...decoded.value.spans[0]?.view.attributes }).toEqual({ 'k\ufffd': '😀 \ufffd' })
  })

  it('rejects a broken span alone, and says why', () => {
    const broken = [
      { ...good, traceId: '' },
      { ...good, spanId: 'abc' },
      { ...good, startTimeUnixNano: '-1' },
      { ...good, attributes: {} },
      7,
    ]
    const { spans, rejectedCount, reasons } = decode(request(good, ...broken))
    expect([spans.length, rejectedCount, reasons.length]).toEqual([1, 5, 5])
    const bytes = TraceRequest.encode(
      TraceRequest.fromObject({ resourceSpans: [{ scopeSpans: [{ spans: [Buffer.from([0xff, 0xff]), protobufSpan()] }] }] }),
    ).finish()
    const decoded = decodeTraces(bytes, 'protobuf')
    expect(decoded).toMatchObject({ ok: true, value: { rejectedCount: 1, spans: [{ view: { name: 'pb' } }] } })
  })

  it('takes the empty requests that exporters send, and refuses what is no request', () => {
    expect(decodeTraces(new Uint8Array(), 'protobuf')).toMatchObject({ ok: true, value: { spans: [] } })
    expect(decodeTraces(Buffer.from('{}'), 'json')).toMatchObject({ ok: true, value: { spans: [] } })
    for (const text of ['', '[1,2,3]', 'null', '7', '"x"', '{"resourceSpans":7}', '{"resourceSpans":[']) {
      expect(decodeTraces(Buffer.from(text), 'json').ok).toBe(false)
    }
    expect(decodeTraces(Buffer.from('{"resourceSpans":[]}'), 'protobuf').ok).toBe(false)
  })

  it('tells a remote parent by its flags', () => {
    const flags = [undefined, 0x100, 0x200, 0x300, 0x301]
    const { spans } = decode(request(...flags.map((flag) => ({ ...good, flags: flag }))))
    expect(spans.map(({ view }) => view.parentIsRemote)).toEqual([false, false, false, true, true])
  })

  it('calls nothing of a value that has a sender’s own toString or valueOf, wherever it stands', () => {
    const odd = { toString: 1, valueOf: 1 }
    const values = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'bytesValue', 'arrayValue', 'kvlistValue'].map((kind) => ({
      [kind]: odd,
    }))
    const attributes = [...values.map((value) => ({ key: 'k', value })), { key: odd, value: { stringValue: 'x' } }]
    const fields = Object.keys({
      ...good,
      parentSpanId: 1,
      traceState: 1,
      flags: 1,
      kind: 1,
      droppedAttributesCount: 1,
      droppedEventsCount: 1,
    })
    const spans = [
      ...fields.map((field) => ({ ...good, [field]: odd })),
      {
        ...good,
        attributes,
        status: { code: odd, message: odd },
        events: [{ name: odd, timeUnixNano: odd, attributes }],
        links: [{ traceId: odd, attributes }],
      },
    ]
    const group = { scope: { name: odd, version: odd, attributes }, schemaUrl: odd, spans }
    const body = Buffer.from(
      JSON.stringify({ resourceSpans: [{ resource: { attributes }, schemaUrl: odd, scopeSpans: [group, odd] }, odd] }),
    )
    expect(decodeTraces(body, 'json').ok).toBe(true)
    expect(splitRequest(body, 'json').ok).toBe(true)
    const logRecords = [
      { body: { stringValue: odd }, severityText: odd, severityNumber: odd, timeUnixNano: odd, eventName: odd, flags: odd, attributes },
    ]
    expect(decodeLogs(Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })), 'json').ok).toBe(true)
  })

  it('answers any bytes with a result', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void decodeTraces(bytes, 'protobuf')))
    fc.assert(fc.property(fc.json(), (text) => void decodeTraces(Buffer.from(text), 'json')))
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => void decodeTraces(Buffer.from(JSON.stringify(request(value, { ...good, attributes: value }))), 'json'),
      ),
    )
  })
})

function protobufSpan(): Uint8Array {
  return Span.encode(
    Span.fromObject({ traceId: Buffer.from(TRACE, 'hex'), spanId: Buffer.from('00000000000000a1', 'hex'), name: 'pb' }),
  ).finish()
}
