import { once } from 'node:events'
import { createSession } from '@graphmind-ai/client'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Collector } from '../collector.ts'
import { ask, testCollector } from '../testing/collector.ts'

const TOKEN = 'secret-of-sixteen'
const BEARER = { authorization: `Bearer ${TOKEN}` }

describe('a collector with a token', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await testCollector({ token: TOKEN })
  })
  afterAll(() => collector.stop())

  it.each(['/health', '/', '/run/7', '/favicon.ico'])('shows %s to anybody', async (path) => {
    expect((await ask(collector.port, path)).status).not.toBe(401)
  })

  it.each([
    ['GET', '/api/runs'],
    ['GET', '/api/session'],
    ['GET', '/api/ingest/stats'],
    ['GET', '/api/runs/7/export'],
    ['GET', '/api/there-is-no-such'],
    ['POST', '/api/import'],
    ['DELETE', '/api/runs/7'],
    ['POST', '/api/runs/7/pauses/1/resume'],
    ['POST', '/v1/traces'],
    ['POST', '/v1/logs'],
    ['POST', '/v1/metrics'],
  ])('asks for it at %s %s', async (method, path) => {
    const headers = { 'content-type': 'application/json' }
    const refused = await ask(collector.port, path, { method, headers, body: '{}' })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(refused.body.toString()).toContain('GRAPHMIND_TOKEN')
    expect((await ask(collector.port, path, { method, headers: { ...headers, ...BEARER }, body: '{}' })).status).not.toBe(401)
    expect((await ask(collector.port, `${path}?token=${TOKEN}`, { method, headers, body: '{}' })).status).toBe(401)
  })

  it('says so to an exporter as a Status in the format it speaks', async () => {
    const { body } = await ask(collector.port, '/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(JSON.parse(body.toString())).toMatchObject({ code: 16, message: expect.stringContaining('token') })
    const packed = await ask(collector.port, '/v1/traces', { method: 'POST', headers: { 'content-type': 'application/x-protobuf' } })
    expect([packed.status, packed.headers['content-type']]).toEqual([401, 'application/x-protobuf'])
  })

  it('asks for it in the metadata of a gRPC call', async () => {
    const client = new Client(`127.0.0.1:${collector.port}`, credentials.createInsecure())
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
    const call = (metadata: Metadata) =>
      new Promise<ServiceError | null>((resolve) => {
        client.makeUnaryRequest(
          path,
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          Buffer.alloc(0),
          metadata,
          (error) => resolve(error),
        )
      })
    const withToken = new Metadata()
    withToken.set('authorization', BEARER.authorization)
    expect((await call(new Metadata()))?.code).toBe(status.UNAUTHENTICATED)
    expect(await call(withToken)).toBeNull()
    client.close()
  })

  it.each(['/ingest', '/ws/ui'])('asks for it when %s is opened, in a header or as a subprotocol', async (path) => {
    const url = `ws://127.0.0.1:${collector.port}${path}`
    const statusOf = async (socket: WebSocket) => {
      const refused = once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode)
      const answer = await Promise.race([refused, once(socket, 'open').then(() => 101)])
      socket.on('error', () => undefined)
      socket.terminate()
      return answer
    }
    expect(await statusOf(new WebSocket(url))).toBe(401)
    expect(await statusOf(new WebSocket(`${url}?token=${TOKEN}`))).toBe(401)
    expect(await statusOf(new WebSocket(url, { headers: BEARER }))).toBe(101)
    const browser = new WebSocket(url, ['graphmind', `graphmind.token.${TOKEN}`])
    await once(browser, 'open')
    expect(browser.protocol).toBe('graphmind')
    browser.terminate()
  })

  it('attaches a program that has it in GRAPHMIND_TOKEN, by ws and by a standard WebSocket, and tells another what to set', async () => {
    const warnings: string[] = []
    const logger = { warn: (text: string) => warnings.push(text) }
    const url = `ws://127.0.0.1:${collector.port}/ingest`
    for (const [webSocket, token, attached] of [
      [undefined, TOKEN, true],
      [globalThis.WebSocket, TOKEN, true],
      [undefined, '', false],
    ] as const) {
      const session = createSession({ url, enabled: true, webSocket, logger, env: { GRAPHMIND_TOKEN: token } })
      expect(await session.ready({ timeoutMs: attached ? 60_000 : 1000 })).toBe(attached)
      await session.dispose()
    }
    expect(warnings.join()).toMatch(/asks for a token\. Set GRAPHMIND_TOKEN/)
  })
})

describe('a collector that others can reach', () => {
  it('makes a token of its own where it was given none, and a new one the next time', async () => {
    const tokens: (string | undefined)[] = []
    for (let start = 0; start < 2; start++) {
      const collector = await testCollector({ host: '0.0.0.0' })
      tokens.push(collector.token)
      expect(collector.bound).toEqual([`0.0.0.0:${collector.port}`])
      expect((await ask(collector.port, '/api/runs')).status).toBe(401)
      await collector.stop()
    }
    expect(tokens[0]).toMatch(/^[\w-]{24}$/)
    expect(tokens[1]).not.toBe(tokens[0])
  })

  it('asks for none on an address of loopback alone', async () => {
    const collector = await testCollector({ host: '127.0.0.1' })
    expect([collector.token, (await ask(collector.port, '/api/runs')).status]).toEqual([undefined, 200])
    await collector.stop()
  })
})
