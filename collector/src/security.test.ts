import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from './cli/serve/serve.ts'
import { serveFilePath } from './cli/server/serve-file.ts'
import type { Collector } from './collector.ts'
import { lockPath } from './store/database-lock.ts'
import { type Ask, ask, testCollector } from './testing/collector.ts'
import { traceRequest } from './testing/spans.ts'

// The lines of docs/security.md that are about the collector's own door. The page names the test of every other line.

const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' }
const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/health'],
  ['GET', '/run/7'],
  ['GET', '/assets/none.js'],
  ['GET', '/api/runs'],
  ['GET', '/api/there-is-no-such'],
  ['POST', '/api/import'],
  ['POST', '/api/demo/start'],
  ['POST', '/api/runs/7/pauses/1/resume'],
  ['DELETE', '/api/runs/7'],
  ['PATCH', '/api/runs/7'],
  ['POST', '/v1/traces'],
  ['POST', '/v1/logs'],
  ['POST', '/v1/metrics'],
  ['OPTIONS', '/v1/traces'],
]
const SOCKETS = ['/ingest', '/ws/ui']
const VERBS = [
  '/api/runs/7/pauses/1/resume',
  '/api/runs/7/remap',
  '/api/runs/7/restore',
  '/api/runs/prune',
  '/api/import',
  '/api/demo/start',
]

let folder: string
let collector: Collector
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-security-'))
  collector = await testCollector()
})
afterAll(async () => {
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
})
const call = (method: string, path: string, headers: Ask['headers'] = {}, body = '{}') =>
  ask(collector.port, path, { method, headers: { ...JSON_TYPE, ...headers }, ...(method === 'GET' ? {} : { body }) })

/** The HTTP status that opening a socket ends with: 101 when it opens. */
async function upgrade(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${collector.port}${path}`, { headers })
  socket.on('error', () => undefined)
  const refused = once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode)
  const status = await Promise.race([refused, once(socket, 'open').then(() => 101)])
  socket.terminate()
  return status
}

describe('the door', () => {
  it('is open on loopback addresses alone, and says what is bound', async () => {
    expect(collector.bound).toContain(`127.0.0.1:${collector.port}`)
    expect(collector.bound.filter((address) => !/^(127\.0\.0\.1|\[::1\]):/.test(address))).toEqual([])
    expect(collector.token).toBeUndefined()
  })

  it('is closed to a foreign Host on every route and upgrade, also one that a page has rebound', async () => {
    for (const host of ['evil.test', `evil.test:${collector.port}`, `127.0.0.1.evil.test:${collector.port}`, '0.0.0.0', 'localhost']) {
      const statuses = await Promise.all(ROUTES.map(async ([method, path]) => (await call(method, path, { host })).status))
      expect(new Set(statuses)).toEqual(new Set([403]))
      expect(await Promise.all(SOCKETS.map((path) => upgrade(path, { host })))).toEqual([403, 403])
    }
  })

  it('is closed to a foreign Origin and to null on every route and upgrade, and names nobody in a CORS header', async () => {
    for (const origin of ['http://evil.test', 'null', 'http://localhost:3000', `http://127.0.0.1:${collector.port + 1}`]) {
      const answers = await Promise.all(ROUTES.map(([method, path]) => call(method, path, { origin })))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
      expect(answers.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(await Promise.all(SOCKETS.map((path) => upgrade(path, { origin })))).toEqual([403, 403])
    }
    const own = `http://127.0.0.1:${collector.port}`
    expect(await Promise.all(SOCKETS.map((path) => upgrade(path, { origin: own })))).toEqual([101, 101])
  })

  it('lets pages of an origin that the user named in, and only those read the answers', async () => {
    const named = await testCollector({ allowedOrigins: ['https://app.test'] })
    const origin = 'https://app.test'
    const asked = await ask(named.port, '/v1/traces', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, origin])
    const sent = await ask(named.port, '/v1/traces', { method: 'POST', headers: { ...JSON_TYPE, origin }, body: '{}' })
    expect([sent.status, sent.headers['access-control-allow-origin'], sent.headers.vary]).toEqual([200, origin, 'Origin'])
    expect((await ask(named.port, '/health', { headers: { origin: 'https://other.test' } })).status).toBe(403)
    await named.stop()
  })

  it('shows the token in the printed link’s fragment and nowhere else; the files of this user have only that of agents', async () => {
    const [out, err]: [string[], string[]] = [[], []]
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const db = join(folder, 'token.db')
    const console_ = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), isTerminal: false }
    const started = await serve(
      { port: '0', db, host: '0.0.0.0', otlpPorts: false, editInput: true },
      { environment: { GRAPHMIND_HOME: folder }, console: console_ },
    )
    if (!started.ok) throw new Error(started.problem.message)
    const { port, token = '', stop } = started.value
    expect(out.join('\n')).toContain(`/#token=${token}`)
    expect(out.join('\n')).not.toMatch(/\?[^\s]*token/)
    for (const path of [lockPath(db), serveFilePath(folder, port)]) {
      expect(readFileSync(path, 'utf8')).not.toContain(token)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    const wrong = await ask(port, '/api/runs', { headers: { authorization: `Bearer ${token}x` } })
    await ask(port, '/api/runs', { headers: { authorization: `Bearer ${token}` } })
    expect(wrong.body.toString() + err.join() + JSON.stringify(log.mock.calls)).not.toContain(token)
    await stop()
    expect(existsSync(lockPath(db))).toBe(false)
    log.mockRestore()
  })

  it.each(VERBS)('lets nothing happen at %s by GET, or by what a form could send', async (path) => {
    const got = await ask(collector.port, path)
    expect([404, 405]).toContain(got.status)
    if (path === '/api/runs/7/pauses/1/resume' || path === '/api/runs/prune') {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        expect((await call('POST', path, { 'content-type': type })).status).toBe(415)
    }
  })

  it('reads no file and calls no address that a request names', async () => {
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'do-not-show')
    const paths = [
      `/../../../..${secret}`,
      `/%2e%2e/%2e%2e/%2e%2e/%2e%2e${secret}`,
      `/assets/..%2f..%2f..%2f..${secret}`,
      `/assets/..%5c..%5c${secret}`,
      `/${secret}`,
      `//evil.test${secret}`,
      `/api/runs/..%2f..%2f${encodeURIComponent(secret)}/export`,
      `/api/runs?cursor=${encodeURIComponent(secret)}`,
    ]
    for (const path of paths) expect((await ask(collector.port, path)).body.toString()).not.toContain('do-not-show')
    const imported = await call(
      'POST',
      `/api/import?file=${encodeURIComponent(secret)}`,
      { 'content-type': 'application/octet-stream' },
      '{}',
    )
    expect(imported.body.toString()).not.toContain('do-not-show')
  })

  it('sends every answer with a policy that keeps captured text inert, refusals too', async () => {
    for (const [method, path] of ROUTES) {
      for (const headers of [{}, { host: 'evil.test' }]) {
        const answer = await call(method, path, headers)
        expect(answer.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
        })
        const policy = String(answer.headers['content-security-policy'])
        expect(policy).toMatch(/default-src 'self'.*script-src 'self';.*object-src 'none'.*frame-ancestors 'none'/)
        expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/)
        if (path.startsWith('/api/')) expect(answer.headers['cache-control']).toBe('no-store')
      }
    }
  })
})

describe('what comes in', () => {
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
  const whole = gzipSync(JSON.stringify(traceRequest([{ id: 1, end: 5 }])))
  const cases: readonly (readonly [status: number, what: string, headers: Record<string, string>, body: Uint8Array | string])[] = [
    [413, 'a gzip bomb', { ...JSON_TYPE, 'content-encoding': 'gzip' }, bomb],
    [400, 'half a gzip body', { ...JSON_TYPE, 'content-encoding': 'gzip' }, whole.subarray(0, whole.length / 2)],
    [415, 'an encoding that nobody knows', { ...JSON_TYPE, 'content-encoding': 'snappy' }, '{}'],
    [415, 'a type that is not OTLP', { 'content-type': 'text/plain' }, '{}'],
    [415, 'no type at all', {}, '{}'],
    [400, 'JSON that is none', JSON_TYPE, '{"resourceSpans":'],
    [400, 'protobuf that is none', PROTOBUF_TYPE, randomBytes(200)],
    [400, 'JSON of zero bytes', JSON_TYPE, ''],
    [200, 'an empty JSON request', JSON_TYPE, '{}'],
    [200, 'an empty protobuf request', PROTOBUF_TYPE, ''],
  ]
  it.each(cases)('is answered with %i when it is %s', async (status, _what, headers, body) => {
    for (const chunked of [false, true]) {
      expect((await ask(collector.port, '/v1/traces', { method: 'POST', headers, body, chunked })).status).toBe(status)
    }
  })

  it('has to come in time', async () => {
    const hasty = await testCollector({ requestTimeoutMs: 100 })
    const socket = connect(hasty.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(
      `POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:${hasty.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    await once(socket, 'close')
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse((await ask(hasty.port, '/api/ingest/stats')).body.toString())).toMatchObject({ waitingBytes: 0 })
    await hasty.stop()
  })

  it('comes over so many connections at most, and the next is served when one is closed', async () => {
    const few = await testCollector({ maxConnections: 3 })
    const open = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(few.port, '127.0.0.1')
        await once(socket, 'connect')
        return socket
      }),
    )
    await expect(ask(few.port, '/health')).rejects.toThrow()
    open[0]?.destroy()
    await vi.waitFor(async () => expect((await ask(few.port, '/health')).status).toBe(200))
    for (const socket of open) socket.destroy()
    await few.stop()
  })
})
