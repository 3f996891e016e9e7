import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import type { Collector } from '../collector.ts'
import { ask, askJson, post, testCollector } from '../testing/collector.ts'
import { traceRequest } from '../testing/spans.ts'

const RUN = (digit: string) => digit.repeat(32)

let collector: Collector
beforeAll(async () => {
  collector = await testCollector({ abandonGraceMs: 0, retention: { keepRuns: { count: 1000, otherCount: 1 } } })
  for (const digit of ['a', 'b', 'c', 'd', 'e'])
    await post(collector.port, traceRequest([{ id: 1, trace: RUN(digit), type: 'agent', name: `agent-${digit}`, end: 9 }]))
  await post(collector.port, traceRequest([{ id: 1, trace: RUN('9'), type: 'agent', phase: 'start' }]))
})
afterAll(() => collector.stop())

async function send(method: string, path: string, body?: unknown, headers = { 'content-type': 'application/json' }) {
  const answer = await ask(collector.port, path, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) })
  return { status: answer.status, body: JSON.parse(answer.body.toString()) as { readonly [key: string]: unknown } }
}

describe('a run in the library', () => {
  it('is renamed, tagged, pinned and noted, and found by it', async () => {
    const marks = { name: 'Lisbon', tags: ['slow'], pinned: true, note: 'look here' }
    const { status, body } = await send('PATCH', `/api/runs/${RUN('a')}`, marks)
    expect([status, body]).toEqual([200, expect.objectContaining({ ...marks, originalName: 'agent-a' })])
    expect(await askJson(collector.port, '/api/runs?q=tag:slow%20pinned:true%20lisbon')).toMatchObject({ runs: [{ id: RUN('a') }] })
    expect((await send('PATCH', `/api/runs/${RUN('a')}`, { name: null, pinned: false })).body).toMatchObject({
      name: 'agent-a',
      pinned: false,
    })
  })

  it.each([
    ['no JSON type', 415, 'media-type', { pinned: true }, { 'content-type': 'text/plain' }],
    ['a wrong field', 400, 'bad-pinned', { pinned: 1 }, { 'content-type': 'application/json' }],
    ['too much', 413, 'too-large', { note: 'x'.repeat(70_000) }, { 'content-type': 'application/json' }],
  ])('is not marked by %s', async (_what, status, code, body, headers) => {
    expect(await send('PATCH', `/api/runs/${RUN('a')}`, body, headers)).toMatchObject({ status, body: { code } })
  })

  it('is gone when deleted, and back when restored, and open viewers see both', async () => {
    const socket = new WebSocket(`${collector.url.replace('http', 'ws')}/ws/ui`)
    const seen: { readonly type: string; readonly runId?: string; readonly run?: { readonly id: string } }[] = []
    try {
      socket.on('message', (data) => seen.push(JSON.parse(String(data))))
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send(JSON.stringify({ type: 'subscribe', runId: '*' }))
      await vi.waitFor(() => expect(seen.some(({ type }) => type === 'runs')).toBe(true))
      const { status, body } = await send('DELETE', `/api/runs/${RUN('b')}`)
      expect([status, body]).toEqual([200, { runId: RUN('b'), restorableUntil: expect.any(Number) }])
      expect((await send('GET', `/api/runs/${RUN('b')}`)).status).toBe(404)
      expect((await send('DELETE', `/api/runs/${RUN('b')}`)).status).toBe(404)
      await vi.waitFor(() => expect(seen).toContainEqual({ type: 'run.removed', runId: RUN('b') }))
      expect(await send('POST', `/api/runs/${RUN('b')}/restore`)).toMatchObject({ status: 200, body: { id: RUN('b') } })
      await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ type: 'run.update', run: { id: RUN('b') } }))
      expect((await send('GET', `/api/runs/${RUN('b')}/events`)).body).toMatchObject({ total: expect.any(Number) })
    } finally {
      socket.terminate()
    }
  })

  it('can’t come back when it was deleted forever', async () => {
    expect(await send('DELETE', `/api/runs/${RUN('c')}?forever=true`)).toMatchObject({ status: 200, body: { restorableUntil: null } })
    expect(await send('POST', `/api/runs/${RUN('c')}/restore`)).toMatchObject({ status: 404, body: { code: 'no-such-run' } })
  })

  it('is not deleted while it runs', async () => {
    expect(await send('DELETE', `/api/runs/${RUN('9')}`)).toMatchObject({ status: 409, body: { code: 'run-running' } })
  })

  it('is pruned with the others, and first only named', async () => {
    const wish = { keep: 4 }
    const dry = await send('POST', '/api/runs/prune', { ...wish, dryRun: true })
    expect(dry).toMatchObject({ status: 200, body: { dryRun: true, bytes: expect.any(Number), runs: [{ name: 'agent-a' }] } })
    expect((await send('GET', `/api/runs/${RUN('a')}`)).status).toBe(200)
    expect((await send('POST', '/api/runs/prune', wish)).body).toMatchObject({ dryRun: false, runs: [{ id: RUN('a') }] })
    expect((await send('GET', `/api/runs/${RUN('a')}`)).status).toBe(404)
    expect(await send('POST', '/api/runs/prune', {})).toMatchObject({ status: 400, body: { code: 'no-limit' } })
  })
})

it('prunes by itself while it runs, and never what is running', async () => {
  for (const digit of ['1', '2', '3'])
    await post(collector.port, traceRequest([{ id: 1, trace: RUN(digit), type: 'web', name: `GET /${digit}`, end: 9 }]))
  await vi.waitFor(
    async () => {
      const { runs } = await askJson(collector.port, '/api/runs?q=category:other')
      expect((runs as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual([RUN('3')])
    },
    { timeout: 10_000 },
  )
  expect((await send('GET', `/api/runs/${RUN('9')}`)).status).toBe(200)
})
