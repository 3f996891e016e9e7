import { mapSpan } from '@graphmind-ai/mappings'
import { describe, expect, it } from 'vitest'
import { LogRecord, LogsRequest } from '../testing/descriptor.ts'
import { readTraces } from '../testing/read-traces.ts'
import { TRACE, traceRequest } from '../testing/spans.ts'

const request = (...ids: readonly number[]) => traceRequest(ids.map((id) => ({ id, type: 'tool' as const, start: id, end: id + 1 })))
const names = (content: string) => readTraces(content).spans.map(({ view }) => view.name)
const bareSpan = (id: number) => {
  const text = JSON.stringify(request(id))
  return text.slice(text.indexOf('{"traceId"'), text.indexOf(']}]}'))
}

describe('containers of OTLP/JSON', () => {
  const pretty = JSON.stringify(request(1, 2), null, 2)
  const table: readonly (readonly [string, string, readonly string[]])[] = [
    ['one document', JSON.stringify(request(1, 2)), ['tool-1', 'tool-2']],
    ['a pretty-printed document', pretty, ['tool-1', 'tool-2']],
    ['a list of documents', JSON.stringify([request(1), request(2)]), ['tool-1', 'tool-2']],
    ['a document a line', `${JSON.stringify(request(1))}\n\r\n${JSON.stringify(request(2))}\r\n`, ['tool-1', 'tool-2']],
    ['documents after each other without a break', `${JSON.stringify(request(1))}${JSON.stringify(request(2))}`, ['tool-1', 'tool-2']],
    ['pretty-printed documents after each other', `${pretty}\n${pretty}`, ['tool-1', 'tool-2', 'tool-1', 'tool-2']],
    ["an API's answer around a document", JSON.stringify({ status: 'ok', data: request(1) }), ['tool-1']],
    [
      "a trace store's answer",
      JSON.stringify({ trace: { batches: (request(1) as { resourceSpans: unknown }).resourceSpans } }),
      ['tool-1'],
    ],
    ['a group a line', JSON.stringify((request(1) as { resourceSpans: readonly unknown[] }).resourceSpans[0]), ['tool-1']],
    ['bare spans, one a line', `${bareSpan(1)}\n${bareSpan(2)}\n`, ['tool-1', 'tool-2']],
    ['a list of bare spans in an answer', `{"data":[${bareSpan(1)},${bareSpan(2)}],"next_cursor":null}`, ['tool-1', 'tool-2']],
  ]

  it.for(table)('are read: %s', ([, content, expected]) => {
    const read = readTraces(content)
    expect(read.spans.map(({ view }) => view.name)).toEqual(expected)
    expect(read.skipped).toEqual([])
    expect(readTraces(content, 7).spans).toEqual(read.spans)
  })

  it('keep what stands behind the spans of a group: scope, resource and schema URLs', () => {
    const content = `{"resourceSpans":[{"scopeSpans":[{"spans":[${bareSpan(1)}],"schemaUrl":"s","scope":{"name":"late"}}],"schemaUrl":"r",
      "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"behind"}}]}}]}`
    const [span] = readTraces(content).spans
    expect(span?.view.scope.name).toBe('late')
    expect(span?.view.resource['service.name']).toBe('behind')
    expect(JSON.parse(span?.scope.json ?? '')).toMatchObject({ schemaUrl: 's' })
    expect(JSON.parse(span?.resource.json ?? '')).toMatchObject({ schemaUrl: 'r' })
  })

  it('keep every digit of a long integer', () => {
    const content = JSON.stringify(request(1)).replace(
      '"attributes":[{"key":"gen_ai.operation',
      '"attributes":[{"key":"n","value":{"intValue":9007199254740993}},{"key":"gen_ai.operation',
    )
    expect(readTraces(content).spans[0]?.raw.attributes).toContainEqual({ key: 'n', value: { intValue: '9007199254740993' } })
  })

  it('are read in UTF-16 and with a byte order mark', () => {
    const text = JSON.stringify(request(1))
    const bigEndian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), bigEndian, Buffer.from(`\ufeff${text}`)]) {
      expect(readTraces(bytes, 11).spans).toHaveLength(1)
    }
  })
})

describe('broken files', () => {
  const line = (id: number) => JSON.stringify(request(id))

  it.for([
    ['a line cut off in the middle of the file', `${line(1)}\n${line(2).slice(0, -40)}\n${line(3)}\n`, 2],
    ['a line cut off behind a colon', `${line(1)}\n{"resourceSpans":\n${line(3)}\n`, 2],
    ['a first line that is cut off', `${line(2).slice(0, -40)}\n${line(1)}\n${line(3)}\n`, 1],
    ['a line that is no JSON', `${line(1)}\nINFO started\n${line(3)}\n`, 2],
    ['a line cut off inside a string', `${line(1)}\n{"resourceSpans":[{"resou\n${line(3)}\n`, 2],
    ['a last line that is cut off', `${line(1)}\n${line(3)}\n{"resourceSpans":[{`, 3],
  ] as const)('lose only what is broken, and name its line: %s', ([, content, broken]) => {
    const read = readTraces(content)
    expect(read.spans.map(({ view }) => view.name)).toEqual(expect.arrayContaining(['tool-1', 'tool-3']))
    expect(read.skipped.map(({ line: number }) => number)).toEqual([broken])
  })

  it('are not taken for cut off where a document over several lines follows one on a line', () => {
    const [first, ...groups] = [1, 2, 3].map((id) => (request(id) as { resourceSpans: readonly unknown[] }).resourceSpans[0])
    const several = `{"resourceSpans":[${[first, ...groups].map((group) => JSON.stringify(group)).join(',\n')}]}\n`
    for (const pieceBytes of [1, 7, 1000]) {
      const read = readTraces(`${line(4)}\n${several}${line(5)}\n`, pieceBytes)
      expect(read.skipped).toEqual([])
      expect(read.spans).toHaveLength(5)
    }
  })

  it('keep the whole spans of a document that is cut off', () => {
    const content = JSON.stringify(request(1, 2, 3))
    expect(names(content.slice(0, content.lastIndexOf('"traceId"') + 20))).toEqual(['tool-1', 'tool-2'])
  })

  it.for([
    ['an empty file', '', 'empty'],
    ['a web page', '<!doctype html><p>Sign in', 'web page'],
    ['other JSON', '{"name": "kettle", "version": 1}', 'name, version'],
    ['a bare value', '123', 'bare value'],
    ['a database', 'SQLite format 3\0', 'SQLite'],
    ['binary data', Buffer.from(Array.from({ length: 256 }, (_, index) => index)), 'not OTLP protobuf'],
  ] as const)('that hold no trace say what they are: %s', ([, content, words]) => {
    const read = readTraces(content)
    expect(read.isKnown).toBe(false)
    expect(read.skipped[0]?.reason).toContain(words)
  })

  it('are known, but empty, when a list of spans is empty', () => {
    for (const content of ['{"resourceSpans":[]}', '[]', '{"resourceMetrics":[{}]}']) {
      expect(readTraces(content)).toMatchObject({ isKnown: true, skipped: [], spans: [] })
    }
  })

  it('nested without end are refused', () => {
    expect(readTraces(`${'['.repeat(100_000)}`).skipped[0]?.reason).toContain('nested deeper')
  })
})

describe('log records', () => {
  const nanos = '1767225600000000001'
  const record = (body: string) => ({ timeUnixNano: nanos, body: { stringValue: body }, attributes: [] })
  const resourceLogs = (...bodies: readonly string[]) => [
    { resource: { attributes: [] }, scopeLogs: [{ scope: { name: 'events' }, logRecords: bodies.map(record) }] },
  ]
  const read = (content: string | Uint8Array) => {
    const { spans, logs, skipped } = readTraces(content, 13)
    return { spans: spans.length, logs: logs.map(({ view }) => `${view.scope.name} ${String(view.body)}`), skipped }
  }
  const message = (bodies: readonly string[]) =>
    LogsRequest.encode(
      LogsRequest.fromObject({
        resourceLogs: resourceLogs(...bodies).map(({ resource, scopeLogs }) => ({
          resource,
          scopeLogs: scopeLogs.map(({ scope, logRecords }) => ({
            scope,
            logRecords: logRecords.map((entry) => LogRecord.encode(LogRecord.fromObject(entry)).finish()),
          })),
        })),
      }),
    ).finish()

  it('are read from JSON beside spans, and from groups of their own', () => {
    const both = { ...request(1), resourceLogs: resourceLogs('a', 'b') }
    expect(read(JSON.stringify(both))).toEqual({ spans: 1, logs: ['events a', 'events b'], skipped: [] })
    expect(read(JSON.stringify({ resource_logs: resourceLogs('c') }))).toEqual({ spans: 0, logs: ['events c'], skipped: [] })
  })

  it('are read from protobuf, where only the record itself tells them from spans', () => {
    expect(read(message(['a', 'b']))).toEqual({ spans: 0, logs: ['events a', 'events b'], skipped: [] })
    const framed = [message(['a']), message(['b'])].flatMap((bytes) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    })
    expect(read(Buffer.concat(framed))).toEqual({ spans: 0, logs: ['events a', 'events b'], skipped: [] })
  })

  it('that are broken cost no other, and are named by their line', () => {
    const broken = { ...record('x'), timeUnixNano: 'noon' }
    const file = `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record('a'), broken, record('b')] }] }] })}\n`
    expect(read(file)).toEqual({ spans: 0, logs: [' a', ' b'], skipped: [{ line: 1, reason: expect.stringContaining('a time') }] })
  })
})

describe('foreign formats', () => {
  it('Zipkin: kinds, tags, errors and the server half of a shared span', () => {
    const spans = [
      {
        traceId: TRACE,
        id: 'a',
        name: 'get',
        kind: 'CLIENT',
        timestamp: 1767225600000001,
        duration: 500,
        localEndpoint: { serviceName: 'web' },
      },
      {
        traceId: TRACE,
        id: 'a',
        name: 'get',
        kind: 'SERVER',
        timestamp: 1767225600000100,
        duration: 300,
        shared: true,
        tags: { error: 'no' },
      },
    ]
    const read = readTraces(JSON.stringify([spans])).spans
    const [client, server] = read
    expect(client?.view).toMatchObject({
      spanId: '000000000000000a',
      kind: 3,
      startNanos: 1767225600000001000n,
      endNanos: 1767225600000501000n,
    })
    expect(client?.view.resource['service.name']).toBe('web')
    expect(server?.view.parentSpanId).toBe('000000000000000a')
    expect(server?.view.status).toEqual({ code: 'error', message: 'no' })
  })

  it('Jaeger: processes behind the spans, logs and references to other traces', () => {
    const span = {
      traceID: '1f',
      spanID: '2',
      operationName: 'work',
      startTime: 1767225600000001,
      duration: 2,
      references: [{ refType: 'FOLLOWS_FROM', traceID: TRACE, spanID: '3' }],
      tags: [{ key: 'n', type: 'int64', value: '#' }],
      logs: [{ timestamp: 1767225600000002, fields: [{ key: 'event', type: 'string', value: 'exception' }] }],
      processID: 'p1',
    }
    const text = JSON.stringify({ data: [{ traceID: '1f', spans: [span], processes: { p1: { serviceName: 'svc', tags: [] } } }] })
    const [read] = readTraces(text.replace('"#"', '9007199254740993')).spans
    expect(read?.view).toMatchObject({ traceId: '1f'.padStart(32, '0'), endNanos: 1767225600000003000n, parentSpanId: undefined })
    expect(read?.view.resource['service.name']).toBe('svc')
    expect(read?.raw.attributes).toEqual([{ key: 'n', value: { intValue: '9007199254740993' } }])
    expect(read?.raw.events).toMatchObject([{ name: 'exception', timeUnixNano: '1767225600000002000' }])
    expect(read?.raw.links).toMatchObject([{ traceId: TRACE }])
  })

  it('Python SDK and Phoenix rows: status objects, columns, times in every spelling', () => {
    const row = (extra: object) => JSON.stringify({ name: 'r', context: { trace_id: TRACE, span_id: '0x5' }, attributes: {}, ...extra })
    const content = [
      row({
        kind: 'SpanKind.CLIENT',
        start_time: '2026-01-01T00:00:00.000000123Z',
        end_time: '2026-01-01T00:00:01Z',
        status: { status_code: 'ERROR', description: 'd' },
      }),
      row({ span_kind: 'LLM', start_time: 1767225600.5, end_time: 1767225601000, 'attributes.llm.model_name': 'm' }),
      row({ span_kind: 'INTERNAL', start_time: '2026-01-01 00:00:00+01:00', end_time: null, attributes: { a: { b: [{ c: 1 }] } } }),
    ].join('\n')
    const [first, second, third] = readTraces(content).spans
    expect(first?.view).toMatchObject({ kind: 3, startNanos: 1767225600000000123n, status: { code: 'error', message: 'd' } })
    expect(second?.view).toMatchObject({ startNanos: 1767225600500000000n, endNanos: 1767225601000000000n })
    expect(second?.view.attributes).toMatchObject({ 'openinference.span.kind': 'LLM', 'llm.model_name': 'm' })
    expect(third?.view).toMatchObject({ startNanos: 1767222000000000000n, endNanos: undefined })
    expect(third?.view.attributes).toEqual({ 'a.b.0.c': 1 })
  })

  it('Langfuse: observations inside or beside their trace', () => {
    const observation = {
      id: '00000000000000aa',
      traceId: TRACE,
      type: 'GENERATION',
      name: 'answer',
      startTime: '2026-01-01T00:00:00.000Z',
      endTime: '2026-01-01T00:00:01.000Z',
      model: 'example',
      input: [{ role: 'user', content: 'hi' }],
      usageDetails: { input: 5, output: 7 },
      level: 'ERROR',
      statusMessage: 'no room',
    }
    const trace = { id: TRACE, name: 'chat', sessionId: 's-1', timestamp: '2026-01-01T00:00:00.000Z' }
    for (const document of [
      { observations: [observation], ...trace },
      { trace, observations: [observation] },
    ]) {
      const read = readTraces(JSON.stringify(document))
      expect(read.skipped).toEqual([])
      const mapped = read.spans.map(({ view }) => mapSpan(view))
      expect(mapped).toMatchObject([
        {
          nodeId: 'llm:step',
          model: 'example',
          usage: { inputTokens: 5, outputTokens: 7 },
          error: { message: 'no room' },
          run: { sessionId: 's-1' },
        },
      ])
    }
  })

  it('Langfuse: rows of an export to a bucket, and observations of the second API', () => {
    const times = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:00:01.000Z' }
    const row = {
      ...{ id: 'o-1', trace_id: TRACE, parent_observation_id: 'o-0', type: 'GENERATION', name: 'answer', level: 'DEFAULT' },
      ...{ start_time: times.start, end_time: times.end, provided_model_name: 'example', output: '"fine"' },
      ...{ usage_details: { input: 5, output: 7, input_cached_tokens: 2 }, cost_details: {}, calculated_total_cost: 0.5 },
    }
    const observation = {
      ...{ id: 'o-2', traceId: TRACE, parentObservationId: 'o-0', type: 'TOOL', name: 'find', level: 'DEFAULT' },
      ...{ startTime: times.start, endTime: times.end, sessionId: 's-1', tags: ['a'] },
    }
    const { spans, skipped } = readTraces(`${JSON.stringify(row)}\n${JSON.stringify({ data: [observation], meta: { cursor: 'x' } })}\n`)
    expect(skipped).toEqual([])
    expect(spans[0]?.view.parentSpanId).toBe(spans[1]?.view.parentSpanId)
    expect(spans.map(({ view }) => mapSpan(view))).toMatchObject([
      { nodeId: 'llm:step', model: 'example', usage: { inputTokens: 7, outputTokens: 7, cacheReadTokens: 2, costUsd: 0.5 } },
      { nodeId: 'tool:find', run: { sessionId: 's-1', tags: ['a'] } },
    ])
  })

  it('Langfuse: a list of traces that only names their observations says what to download', () => {
    const trace = { id: TRACE, timestamp: '2026-01-01T00:00:00.000Z', name: 'chat', observations: ['o-1', 'o-2'] }
    const { isKnown, skipped } = readTraces(JSON.stringify({ data: [trace, trace], meta: { page: 1 } }))
    expect({ isKnown, skipped }).toEqual({ isKnown: false, skipped: [{ line: 1, reason: expect.stringContaining('download each trace') }] })
  })

  it('our own NDJSON, with and without origins', () => {
    const envelope = { gm: 1, seq: 3, ts: 5, runId: 'r', type: 'run.finished', payload: { status: 'ok' } }
    const read = readTraces(
      `${JSON.stringify(envelope)}\n${JSON.stringify({ ...envelope, origin: 's:1' })}\n${JSON.stringify({ ...envelope, gm: 9 })}\n`,
    )
    expect(read.events.map(({ origin }) => origin)).toEqual([undefined, 's:1'])
    expect(read.skipped).toEqual([{ line: 3, reason: expect.stringContaining('protocol version 9') }])
  })
})
