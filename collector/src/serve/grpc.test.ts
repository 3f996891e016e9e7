import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import type { Collector } from '../collector.ts'
import { ask, askJson, testCollector } from '../testing/collector.ts'
import { ExportResponse, TraceRequest } from '../testing/descriptor.ts'

const started: Collector[] = []
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const collector of started.splice(0)) await collector.stop()
})

async function collectorWith(options: Parameters<typeof testCollector>[0] = {}): Promise<Collector> {
  const collector = await testCollector(options)
  started.push(collector)
  return collector
}

/** Calls Export of a service on the collector's one port, as an exporter does. */
function call(
  collector: Collector,
  service: string,
  body: Uint8Array,
  options: object = {},
): Promise<{ error: ServiceError | null; reply: Buffer | undefined }> {
  const client = new Client(`127.0.0.1:${collector.port}`, credentials.createInsecure(), options)
  clients.push(client)
  const asIs = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    client.makeUnaryRequest(`/opentelemetry.proto.collector.${service}/Export`, asIs, asIs, Buffer.from(body), (error, reply) =>
      resolve({ error, reply }),
    )
  })
}

const GZIP = { 'grpc.default_compression_algorithm': 2 }
const TRACE = '0123456789abcdef0123456789abcdef'
const span = (spanId: string, name = 'work') => ({
  traceId: Buffer.from(TRACE, 'hex'),
  spanId: Buffer.from(spanId, 'hex'),
  name,
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225600000000009',
})

/** Spans go into the request as the bytes they are. */
async function traceRequest(...spans: readonly object[]): Promise<Uint8Array> {
  const { Span } = await import('../testing/descriptor.ts')
  const encoded = spans.map((value) => Span.encode(Span.fromObject(value)).finish())
  return TraceRequest.encode(TraceRequest.fromObject({ resourceSpans: [{ scopeSpans: [{ spans: encoded }] }] })).finish()
}

describe('OTLP/gRPC', () => {
  it.each([
    ['plain', {}],
    ['gzip', GZIP],
  ])('takes spans on the same port as everything else (%s)', async (_name, options) => {
    const collector = await collectorWith()
    const answer = await call(collector, 'trace.v1.TraceService', await traceRequest(span('00000000000000a1')), options)
    expect([answer.error, answer.reply?.byteLength]).toEqual([null, 0])
    expect(await askJson(collector.port, '/api/runs')).toMatchObject({ runs: [{ id: TRACE, spanCount: 1 }] })
  })

  it('takes logs and metrics', async () => {
    const collector = await collectorWith()
    for (const service of ['logs.v1.LogsService', 'metrics.v1.MetricsService']) {
      expect((await call(collector, service, new Uint8Array())).error).toBeNull()
    }
    expect(await askJson(collector.port, '/api/ingest/stats')).toMatchObject({
      signals: { logs: { requests: 1 }, metrics: { requests: 1 } },
    })
  })

  it('counts a broken span in a partial success', async () => {
    const collector = await collectorWith()
    const { reply } = await call(
      collector,
      'trace.v1.TraceService',
      await traceRequest(span('00000000000000a1'), { ...span('00000000000000a2'), traceId: Buffer.alloc(16) }),
    )
    expect(ExportResponse.toObject(ExportResponse.decode(reply ?? Buffer.alloc(0)), { longs: Number })).toMatchObject({
      partialSuccess: { rejected: 1 },
    })
  })

  it('says with the right code why a request can’t be taken', async () => {
    const collector = await collectorWith({ maxBodyBytes: 2000 })
    const bad = await call(collector, 'trace.v1.TraceService', Buffer.from('no protobuf'))
    expect([bad.error?.code, bad.error?.details]).toEqual([
      status.INVALID_ARGUMENT,
      expect.stringContaining('not a readable OTLP trace request'),
    ])
    const big = await traceRequest(span('00000000000000a1', 'x'.repeat(3000)))
    expect((await call(collector, 'trace.v1.TraceService', big)).error?.code).toBe(status.RESOURCE_EXHAUSTED)
    expect((await call(collector, 'trace.v1.TraceService', big, GZIP)).error?.code).toBe(status.RESOURCE_EXHAUSTED)
    expect((await call(collector, 'other.v1.OtherService', new Uint8Array())).error?.code).toBe(status.UNIMPLEMENTED)
    expect((await call(collector, 'trace.v1.TraceService', await traceRequest(span('00000000000000a1')))).error).toBeNull()
  })

  it('goes on speaking HTTP/1 to everyone else, also when the first bytes come one by one', async () => {
    const collector = await collectorWith()
    expect((await ask(collector.port, '/health')).status).toBe(200)
    const socket = connect(collector.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.setNoDelay(true)
    for (const piece of ['G', 'ET /health HTTP/1.1\r\nHost: 127.0.0.1:', `${collector.port}\r\nConnection: close\r\n\r\n`])
      socket.write(piece)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(socket, 'close')
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('says in words that it speaks only gRPC over HTTP/2, and only what a foreign page could not', async () => {
    const collector = await collectorWith()
    const session = connectHttp2(`http://127.0.0.1:${collector.port}`)
    const answer = async (headers: object) => {
      const stream = session.request({ ':path': '/health', ...headers })
      const [response] = (await once(stream, 'response')) as [{ readonly [name: string]: unknown }]
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      return { status: response[':status'], code: response['grpc-status'], text: Buffer.concat(chunks).toString() }
    }
    expect(await answer({})).toMatchObject({ status: 505, text: expect.stringContaining('--http1.1') })
    const call = {
      ':method': 'POST',
      ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      'content-type': 'application/grpc',
    }
    expect(await answer({ ...call, origin: 'http://evil.test' })).toMatchObject({ code: String(status.PERMISSION_DENIED) })
    expect(await answer({ ...call, ':authority': 'evil.test' })).toMatchObject({ code: String(status.PERMISSION_DENIED) })
    expect(await answer({ ...call, 'grpc-encoding': 'snappy' })).toMatchObject({ code: String(status.UNIMPLEMENTED) })
    session.destroy()
  })

  it('stops while a connection has said nothing, and while an HTTP/2 session is open', async () => {
    const collector = await testCollector()
    const silent = connect(collector.port, '127.0.0.1')
    await once(silent, 'connect')
    const session = connectHttp2(`http://127.0.0.1:${collector.port}`)
    session.on('error', () => undefined)
    await once(session, 'connect')
    const closed = Promise.all([once(silent, 'close'), once(session, 'close')])
    await collector.stop()
    await closed
  })
})
