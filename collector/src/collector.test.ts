import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Collector, startCollector } from './collector.ts'
import { ask, askJson, post, testCollector } from './testing/collector.ts'
import { RpcStatus } from './testing/descriptor.ts'
import { spanId, type TestSpan, TRACE, traceRequest } from './testing/spans.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const body = (...spans: readonly TestSpan[]) => JSON.stringify(traceRequest(spans))

describe('OTLP over HTTP', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await testCollector({ maxBodyBytes: 100_000, maxWaitingBytes: 150_000 })
  })
  afterAll(() => collector.stop())
  const send = (headers: Record<string, string>, bytes: Uint8Array | string, chunked = false) =>
    ask(collector.port, '/v1/traces', { method: 'POST', headers, body: bytes, chunked })

  it('takes what real exporters send', async () => {
    const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` })
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const span = provider.getTracer('test').startSpan('from the sdk')
    span.end()
    await provider.forceFlush()
    await provider.shutdown()
    const run = await askJson(collector.port, `/api/runs/${span.spanContext().traceId}`)
    expect(run).toMatchObject({ name: 'from the sdk', status: 'ok', spanCount: 1 })
  })

  it.each([
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }, body({ id: 1, end: 5 }), false],
    ['gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(body({ id: 1, end: 5 })), false],
    ['no length', { 'content-type': 'Application/JSON' }, body({ id: 1, end: 5 }), true],
    ['an empty object', JSON_TYPE, '{}', false],
  ])('answers 200 and an empty response in JSON to %s', async (_name, headers, bytes, chunked) => {
    const { status, headers: answered, body: text } = await send(headers, bytes, chunked)
    expect([status, answered['content-type'], text.toString()]).toEqual([200, 'application/json', '{}'])
  })

  it('answers protobuf with protobuf, and takes an empty one', async () => {
    const { status, headers, body: bytes } = await send({ 'content-type': 'application/x-protobuf' }, '')
    expect([status, headers['content-type'], bytes.length]).toEqual([200, 'application/x-protobuf', 0])
    const bad = await send({ 'content-type': 'application/x-protobuf' }, 'nonsense')
    expect([bad.status, bad.headers['content-type']]).toEqual([400, 'application/x-protobuf'])
    expect(RpcStatus.toObject(RpcStatus.decode(bad.body))).toMatchObject({ code: 3, message: expect.stringContaining('protobuf') })
  })

  it.each([
    [415, 'another content type', { 'content-type': 'text/plain' }, '{}'],
    [415, 'an encoding we don’t know', { ...JSON_TYPE, 'content-encoding': 'br' }, '{}'],
    [400, 'no bytes of JSON', JSON_TYPE, ''],
    [400, 'a body that is cut', JSON_TYPE, '{"resourceSpans":[{'],
    [400, 'gzip that is none', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
  ])('answers %i and says why to %s', async (status, _name, headers, bytes) => {
    const answer = await send(headers, bytes)
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([status, { code: 3, message: expect.any(String) }])
  })

  it('answers 405 to another verb', async () => {
    const answer = await ask(collector.port, '/v1/traces')
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
  })

  it.each([false, true])('takes a body up to the cap and answers 413 above it (chunked: %s)', async (chunked) => {
    const pad = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`
    expect((await send(JSON_TYPE, pad(100_000), chunked)).status).toBe(200)
    expect((await send(JSON_TYPE, pad(100_001), chunked)).status).toBe(413)
  })

  it('refuses what does not fit into the waiting room, and says when to come again', async () => {
    const pad = `{"x":"${'a'.repeat(90_000)}"}`
    const slow = httpRequest({
      host: '127.0.0.1',
      port: collector.port,
      path: '/v1/traces',
      method: 'POST',
      headers: JSON_TYPE,
      agent: false,
    })
    slow.setHeader('content-length', pad.length)
    const answered = new Promise((resolve) => slow.on('response', (response) => resolve(response.statusCode)))
    slow.write(pad.slice(0, 10))
    await vi.waitFor(async () => expect(await askJson(collector.port, '/api/ingest/stats')).toMatchObject({ waitingBytes: pad.length }))
    const refused = await send(JSON_TYPE, pad)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    slow.end(pad.slice(10))
    expect(await answered).toBe(200)
    expect((await send(JSON_TYPE, pad)).status).toBe(200)
  })

  it('keeps the good spans of a batch and counts the broken one', async () => {
    const request = traceRequest([
      { id: 7, trace: 'a'.repeat(32), end: 5 },
      { id: 8, trace: '0'.repeat(32), end: 5 },
    ])
    const { status, body: text } = await post(collector.port, request)
    expect(status).toBe(200)
    expect(JSON.parse(text.toString())).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('traceId') },
    })
    expect(await askJson(collector.port, `/api/runs/${'a'.repeat(32)}`)).toMatchObject({ spanCount: 1 })
    const stats = await askJson(collector.port, '/api/ingest/stats')
    expect(stats).toMatchObject({ signals: { traces: { rejected: 1, refused: { 400: expect.any(Number), 413: 2 } } } })
  })

  it('takes and counts logs and metrics', async () => {
    const logs = await post(collector.port, { resourceLogs: [{ scopeLogs: [{ logRecords: [{}, {}] }] }] }, '/v1/logs')
    const metrics = await post(collector.port, { resourceMetrics: [{ scopeMetrics: [{ metrics: [{}] }] }] }, '/v1/metrics')
    expect([logs.status, metrics.status]).toEqual([200, 200])
    const stats = await askJson(collector.port, '/api/ingest/stats')
    expect(stats).toMatchObject({ signals: { logs: { accepted: 2 }, metrics: { accepted: 1 } } })
  })
})

describe('the API', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await testCollector({ breakpoints: [{ kind: 'tool', point: 'error' }] })
    const run = (index: number): TestSpan => ({
      id: 1,
      trace: `${index}`.repeat(32),
      type: 'agent',
      name: `agent-${index}`,
      start: index * 1000,
      end: index * 1000 + 9,
    })
    await post(collector.port, traceRequest([run(1), run(2), run(3)]))
    await post(
      collector.port,
      traceRequest([
        { id: 1, type: 'agent', name: '50%_off', start: 9000, end: 9900 },
        {
          id: 2,
          parent: 1,
          type: 'tool',
          name: 'find',
          start: 9100,
          end: 9200,
          error: 'not there',
          attributes: { 'gen_ai.tool.call.arguments': '{"q":1}', big: 5 },
        },
      ]),
    )
  })
  afterAll(() => collector.stop())
  const get = (path: string) => askJson(collector.port, path)
  const names = (page: { readonly [key: string]: unknown }) => (page['runs'] as { name: string }[]).map((run) => run.name)

  it('lists runs, most recent first, a page at a time', async () => {
    const first = await get('/api/runs?limit=3')
    expect(names(first)).toEqual(['50%_off', 'agent-3', 'agent-2'])
    const second = await get(`/api/runs?limit=3&cursor=${first['nextCursor']}`)
    expect([names(second), second['nextCursor']]).toEqual([['agent-1'], null])
    expect((await ask(collector.port, '/api/runs?cursor=x')).status).toBe(400)
  })

  it('finds runs by text in name, id or app, taken literally', async () => {
    expect(names(await get('/api/runs?q=agent-'))).toHaveLength(3)
    expect(names(await get(`/api/runs?q=${encodeURIComponent('%_')}`))).toEqual(['50%_off'])
    expect(names(await get('/api/runs?q=22222'))).toEqual(['agent-2'])
    expect(names(await get('/api/runs?q=TEST-APP'))).toHaveLength(4)
  })

  it('tells of one run what the contract says', async () => {
    expect(await get(`/api/runs/${TRACE}`)).toMatchObject({
      id: TRACE,
      app: 'test-app',
      name: '50%_off',
      durationMs: 900,
      status: 'ok',
      schemaVersion: 1,
      source: 'live',
      category: 'agent',
      eventCount: 7,
      errorCount: 1,
      spanCount: 2,
      nodeCount: 2,
      live: false,
      held: 0,
      models: [],
      traceIds: [TRACE],
    })
    expect((await ask(collector.port, '/api/runs/unknown')).status).toBe(404)
  })

  it('pages events by seq', async () => {
    const first = await get(`/api/runs/${TRACE}/events?limit=5`)
    expect(first).toMatchObject({ runId: TRACE, total: 7, nextAfterSeq: 4 })
    const rest = await get(`/api/runs/${TRACE}/events?limit=5&afterSeq=4`)
    expect([(rest['events'] as unknown[]).length, rest['nextAfterSeq']]).toEqual([2, null])
    expect((first['events'] as unknown[])[0]).toMatchObject({ gm: 1, seq: 0, runId: TRACE, type: 'run.started' })
    expect((await ask(collector.port, '/api/runs/unknown/events')).status).toBe(404)
  })

  it('gives the spans back as OTLP/JSON', async () => {
    const { spans, resources, scopes } = await get(`/api/runs/${TRACE}/spans`)
    expect(spans).toMatchObject([
      { spanId: spanId(1), resource: 0, scope: 0 },
      { spanId: spanId(2), parentSpanId: spanId(1), status: { code: 2, message: 'not there' } },
    ])
    expect(JSON.stringify(spans)).toContain('{"key":"big","value":{"intValue":"5"}}')
    expect([resources, scopes]).toMatchObject([[{ attributes: [{ key: 'service.name' }, {}] }], [{ name: 'test' }]])
  })

  it('gives one instance whole', async () => {
    expect(await get(`/api/runs/${TRACE}/instances/${spanId(2)}`)).toMatchObject({
      instanceId: spanId(2),
      input: { q: 1 },
      error: { message: 'not there' },
      instance: { nodeId: 'tool:find', status: 'error', parentId: 'agent:50%_off' },
      span: { spanId: spanId(2), resource: { attributes: [{ key: 'service.name' }, {}] }, scope: { name: 'test' } },
      reading: { dialect: 'otel-genai', unread: ['big'] },
    })
    expect((await ask(collector.port, `/api/runs/${TRACE}/instances/none`)).status).toBe(404)
  })

  it('tells the debug state and what is held', async () => {
    expect(await get('/api/breakpoints')).toMatchObject({
      breakpoints: [{ kind: 'tool', point: 'error' }],
      mode: 'run',
      states: [{ hits: 0 }],
    })
    expect(await get('/api/pauses')).toEqual({ pauses: [] })
  })

  it('deletes a run', async () => {
    const path = `/api/runs/${'1'.repeat(32)}`
    const gone = await ask(collector.port, path, { method: 'DELETE' })
    const again = await ask(collector.port, path, { method: 'DELETE' })
    expect([gone.status, again.status, (await ask(collector.port, path)).status]).toEqual([200, 404, 404])
  })

  it('answers an unknown call in JSON', async () => {
    const { status, body: text } = await ask(collector.port, '/api/nothing')
    expect([status, JSON.parse(text.toString())]).toEqual([404, { error: expect.stringContaining('/api/nothing') }])
  })
})

describe('the server', () => {
  const stops: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
  })
  const start = async (options: Parameters<typeof testCollector>[0] = {}) => {
    const collector = await testCollector(options)
    stops.push(() => collector.stop())
    return collector
  }
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'graphmind-test-'))
    stops.push(() => rmSync(path, { recursive: true, force: true }))
    return path
  }

  it('says who it is', async () => {
    const { port, url, bound } = await start()
    expect(await askJson(port, '/health')).toMatchObject({ ok: true, name: 'graphmind', version: expect.any(String) })
    expect([url, bound[0]]).toEqual([`http://127.0.0.1:${port}`, `127.0.0.1:${port}`])
  })

  it('checks Host and Origin before anything else, and sends its headers even then', async () => {
    const { port } = await start()
    for (const headers of [{ host: 'evil.test' }, { origin: 'http://evil.test' }, { origin: 'null' }]) {
      for (const path of ['/', '/health', '/api/runs', '/v1/traces']) {
        const answer = await ask(port, path, { method: 'POST', headers })
        expect(answer.status).toBe(403)
        expect(answer.headers).toMatchObject({
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      }
    }
    const api = await ask(port, '/api/runs', { headers: { origin: `http://localhost:${port}` } })
    expect([api.status, api.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(api.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('serves the viewer, its page for every run, and nothing outside its folder', async () => {
    const viewerDist = join(folder(), 'viewer')
    mkdirSync(join(viewerDist, 'assets'), { recursive: true })
    writeFileSync(join(viewerDist, 'index.html'), '<title>viewer</title>')
    writeFileSync(join(viewerDist, 'assets', 'main-1.js'), 'run()')
    writeFileSync(join(viewerDist, '..', 'secret.txt'), 'secret')
    const { port } = await start({ viewerDist })
    for (const path of ['/', `/run/${TRACE}`, '/runs']) expect((await ask(port, path)).body.toString()).toContain('viewer')
    expect((await ask(port, '/assets/main-1.js')).headers['cache-control']).toContain('immutable')
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/assets/none.js', '/%'])
      expect((await ask(port, path)).status).toBeGreaterThanOrEqual(400)
  })

  it('explains that the viewer is not built', async () => {
    const { port } = await start({ viewerDist: join(folder(), 'none') })
    const { status, body: text } = await ask(port, '/run/x')
    expect([status, text.toString()]).toEqual([200, expect.stringContaining('not built')])
  })

  it('keeps runs over a restart, in files that only this user can read', async () => {
    const db = join(folder(), 'deep', 'runs.db')
    const first = await testCollector({ db })
    await post(first.port, traceRequest([{ id: 1, type: 'agent', name: 'boss', end: 5 }]))
    for (const file of [db, `${db}-wal`, `${db}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(db, '..')).mode & 0o777).toBe(0o700)
    await first.stop()
    expect(existsSync(`${db}-wal`)).toBe(false)
    const second = await start({ db })
    expect(await askJson(second.port, `/api/runs/${TRACE}`)).toMatchObject({ name: 'boss', status: 'ok' })
  })

  it('stops with sockets open on both sides, and tells them', async () => {
    const collector = await testCollector()
    const codes: number[] = []
    for (const path of ['/ingest', '/ws/ui']) {
      const socket = new WebSocket(`${collector.url.replace('http', 'ws')}${path}`)
      socket.addEventListener('close', (event) => codes.push(event.code))
      await new Promise((resolve) => socket.addEventListener('open', resolve))
    }
    await collector.stop()
    await vi.waitFor(() => expect(codes).toHaveLength(2))
    expect(codes).toEqual([1001, 1001])
  })

  it('says in one sentence that the port is taken', async () => {
    const { port } = await start()
    expect(await startCollector({ port, db: ':memory:' })).toMatchObject({
      ok: false,
      problem: { code: 'EADDRINUSE', message: expect.stringContaining(`Port ${port} is in use`) },
    })
  })

  it('says in one sentence that the database can’t be used', async () => {
    const db = join(folder(), 'notes.txt')
    writeFileSync(db, 'these are my notes, and they are long enough to be looked at as a database header would be')
    expect(await startCollector({ port: 0, db })).toMatchObject({
      ok: false,
      problem: { code: 'database-damaged', message: expect.stringContaining('--db') },
    })
  })

  it('keeps the events of an app that sequences its own run, once each', async () => {
    const { port, url } = await start()
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ingest`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const send = (seq: number, type: string, payload: object, runId = 'run-1') =>
      socket.send(JSON.stringify({ gm: 1, seq, ts: 1000 + seq, runId, type, payload }))
    send(0, 'hello', { versions: { protocol: 1, client: 'test' }, capabilities: [], app: 'demo', senderId: 's-1' }, '*')
    const replay = () => {
      send(1, 'run.started', { app: 'demo', sdk: { name: 'test', version: '1' }, meta: { name: 'trip' } })
      send(2, 'node.started', { nodeId: 'llm:step', kind: 'llm', name: 'step', instanceId: 'i:s1', model: 'example' })
      send(3, 'node.finished', {
        nodeId: 'llm:step',
        instanceId: 'i:s1',
        durationMs: 1,
        status: 'ok',
        usage: { inputTokens: 3, outputTokens: 4 },
      })
      send(4, 'run.finished', { status: 'ok' })
    }
    replay()
    replay()
    await vi.waitFor(async () =>
      expect(await askJson(port, '/api/runs/run-1')).toMatchObject({
        name: 'trip',
        app: 'demo',
        status: 'ok',
        eventCount: 4,
        startedAt: 1001,
        finishedAt: 1004,
        usage: { inputTokens: 3, outputTokens: 4 },
        models: ['example'],
        category: 'agent',
        traceIds: [],
      }),
    )
    const { events } = await askJson(port, '/api/runs/run-1/events')
    expect((events as { seq: number }[]).map((event) => event.seq)).toEqual([1, 2, 3, 4])
    socket.close()
  })

  it('gives up a run whose spans stay open once its session is gone', async () => {
    const { port, url } = await start({ abandonGraceMs: 250 })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ingest`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const envelope = (seq: number, type: string, payload: object, runId = TRACE) =>
      socket.send(JSON.stringify({ gm: 1, seq, ts: Date.now(), runId, type, payload }))
    envelope(
      0,
      'hello',
      { versions: { protocol: 1, client: 'test' }, capabilities: ['pause'], app: 'demo', spans: 'otlp', senderId: 's-1' },
      '*',
    )
    envelope(1, 'run.started', { app: 'demo', sdk: { name: 'test', version: '1' } })
    const run = () => askJson(port, `/api/runs/${TRACE}`)
    await vi.waitFor(async () => expect(await run()).toMatchObject({ live: true, status: 'running', app: 'demo' }))
    expect(await run()).not.toHaveProperty('detachedSince')
    await post(port, traceRequest([{ id: 1, type: 'agent', phase: 'start' }]))
    socket.close()
    await vi.waitFor(
      async () => expect(await run()).toMatchObject({ live: false, detachedSince: expect.any(Number), status: 'abandoned' }),
      {
        timeout: 5000,
      },
    )
    await post(port, traceRequest([{ id: 1, type: 'agent', end: 9, phase: 'end' }]))
    expect(await run()).toMatchObject({ status: 'ok' })
  })
})

describe('WebSocket upgrades', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await testCollector()
  })
  afterAll(() => collector.stop())
  const upgrade = (path: string, headers: Record<string, string> = {}) =>
    ask(collector.port, path, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
        ...headers,
      },
    })

  it('pass the same check as requests', async () => {
    for (const path of ['/ingest', '/ws/ui']) {
      expect((await upgrade(path, { host: 'evil.test' })).status).toBe(403)
      expect((await upgrade(path, { origin: 'http://evil.test' })).status).toBe(403)
      expect((await upgrade(path, { origin: 'null' })).status).toBe(403)
    }
    expect((await upgrade('/elsewhere')).status).toBe(404)
  })

  it('replay a run to a viewer and go on live', async () => {
    await post(collector.port, traceRequest([{ id: 1, type: 'agent', name: 'boss', phase: 'start' }]))
    const socket = new WebSocket(`${collector.url.replace('http', 'ws')}/ws/ui`)
    const messages: { type: string; envelope?: { type: string; seq: number } }[] = []
    socket.addEventListener('message', (message) => messages.push(JSON.parse(String(message.data))))
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.send(JSON.stringify({ type: 'subscribe', runId: TRACE }))
    socket.send(JSON.stringify({ type: 'subscribe', runId: '*' }))
    await vi.waitFor(() => expect(messages.map((message) => message.type)).toContain('replay.end'))
    await post(collector.port, traceRequest([{ id: 1, type: 'agent', name: 'boss', end: 9, phase: 'end' }]))
    await vi.waitFor(() => expect(messages.map((message) => message.envelope?.type)).toContain('run.finished'))
    const seqs = messages.flatMap((message) => (message.type === 'event' && message.envelope ? [message.envelope.seq] : []))
    expect(seqs).toEqual(seqs.map((_seq, index) => index))
    await vi.waitFor(() => expect(messages.map((message) => message.type)).toContain('run.update'))
    socket.close()
  })
})
