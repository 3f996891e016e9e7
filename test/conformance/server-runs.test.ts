import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Frame } from './support/peer.ts'
import { FOREIGN_URL, newRunId, Server, serverUnderTest } from './support/server.ts'

// contract/cli.md: `GET /api/runs`, `GET /api/runs/:id/events`, and what becomes of runs whose app is gone.

const server = serverUnderTest()
const runStarted = ['run.started', { app: 'trip-planner', sdk: { name: 's', version: '1' } }] as const
const failed = ['node.error', { nodeId: 'tool:a', instanceId: 'i', error: { name: 'E', message: 'm' } }] as const

describe('GET /health', () => {
  it('says ok, its name and its version', async () => {
    expect((await server.get('/health')).body).toMatchObject({ ok: true, name: expect.any(String), version: expect.any(String) })
  })
})

describe('GET /api/session', () => {
  it('says who the caller is and what it may do: the same principal that the record of a release names', async () => {
    const [{ body }, { body: health }] = [await server.get('/api/session'), await server.get('/health')]
    expect(body).toEqual({
      principal: 'anonymous',
      level: 'edit',
      agentLevel: 'off',
      editInput: true,
      hubCapabilities: expect.arrayContaining(['edit-input', 'run-claim']),
      version: health['version'],
    })
  })
})

describe('GET /api/runs', () => {
  it('describes each run in flight, with nothing said about its end', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.send({ gm: 1, seq: 0, ts: 1_756_254_187_000, runId, type: runStarted[0], payload: runStarted[1] })
    app.event('node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i' }, runId, 1)
    app.event(...failed, runId, 2)
    await server.events(runId, 3)
    expect(await server.runWith(runId)).toMatchObject({
      id: runId,
      app: 'trip-planner',
      startedAt: 1_756_254_187_000,
      finishedAt: null,
      durationMs: null,
      status: 'running',
      schemaVersion: 1,
      source: 'live',
      eventCount: 3,
      errorCount: 1,
      live: true,
    })
  })

  it.each(['ok', 'error', 'aborted'])('status is %s when the run reported so itself, with its end and its length', async (status) => {
    const [app, runId] = [await server.app(), newRunId()]
    const at = (seq: number, ts: number, [type, payload]: readonly [string, Frame]) => app.send({ gm: 1, seq, ts, runId, type, payload })
    at(0, 1_756_254_187_000, runStarted)
    at(1, 1_756_254_188_500, ['run.finished', { status }])
    await server.events(runId, 2)
    expect(await server.runWith(runId)).toMatchObject({
      status,
      startedAt: 1_756_254_187_000,
      finishedAt: 1_756_254_188_500,
      durationMs: 1500,
    })
  })

  it('lists the most recent first', async () => {
    const app = await server.app()
    const [early, late] = [newRunId(), newRunId()]
    const startAt = (runId: string, ts: number) => app.send({ gm: 1, seq: 0, ts, runId, type: runStarted[0], payload: runStarted[1] })
    const future = Date.now() + 1_000_000
    startAt(late, future + 2)
    startAt(early, future + 1)
    await server.events(early, 1)
    const { body } = await server.get<{ runs: Frame[] }>('/api/runs')
    const ids = body.runs.map(({ id }) => id)
    expect(ids.indexOf(late)).toBeGreaterThanOrEqual(0)
    expect(ids.indexOf(late)).toBeLessThan(ids.indexOf(early))
  })

  it('live is whether the owning app socket is connected', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.run(runId, runStarted)
    await server.runWith(runId, (run) => run['live'] === true)
    await app.cut()
    await server.runWith(runId, (run) => run['live'] === false && run['status'] === 'running')
  })
})

describe('GET /api/runs/:id/events', () => {
  it('gives full wire envelopes in ascending order of seq, from the start', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.run(runId, runStarted, failed)
    await server.events(runId, 2)
    const { body } = await server.get(`/api/runs/${runId}/events`)
    expect(body).toEqual({
      runId,
      total: 2,
      nextAfterSeq: null,
      events: [
        { gm: 1, seq: 0, ts: expect.any(Number), runId, type: 'run.started', payload: runStarted[1] },
        { gm: 1, seq: 1, ts: expect.any(Number), runId, type: 'node.error', payload: failed[1] },
      ],
    })
  })

  it('pages: nextAfterSeq is the cursor for the next page, and null on the last', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    for (let seq = 0; seq < 5; seq += 1) app.event('graph.hint', { nodes: [] }, runId, seq * 10)
    await server.events(runId, 5)
    const seen: unknown[] = []
    let cursor: unknown = ''
    let pages = 0
    while (cursor !== null) {
      const { body } = await server.get<{ events: Frame[]; nextAfterSeq: number | null; total: number }>(
        `/api/runs/${runId}/events?limit=2${cursor === '' ? '' : `&afterSeq=${cursor}`}`,
      )
      expect(body.total).toBe(5)
      seen.push(...body.events.map(({ seq }) => seq))
      cursor = body.nextAfterSeq
      pages += 1
    }
    expect(seen).toEqual([0, 10, 20, 30, 40])
    expect(pages).toBe(3)
  })

  it('limit is 1000 by default and 5000 at most', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    for (let seq = 0; seq < 5002; seq += 1) app.event('graph.hint', { nodes: [] }, runId, seq)
    await server.runWith(runId, (run) => run['eventCount'] === 5002)
    const countOf = async (query: string) => (await server.get<{ events: Frame[] }>(`/api/runs/${runId}/events${query}`)).body.events.length
    expect(await countOf('')).toBe(1000)
    expect(await countOf('?limit=9000')).toBe(5000)
    expect(await countOf('?limit=nonsense&afterSeq=5000')).toBe(1)
  })

  it('of an unknown run is 404 with an error', async () => {
    const { status, body } = await server.get(`/api/runs/${newRunId()}/events`)
    expect(status).toBe(404)
    expect(body['error']).toEqual(expect.any(String))
  })
})

describe.skipIf(FOREIGN_URL !== undefined)('a run whose app is gone', () => {
  const grace = (ms: number) => ({ env: { GRAPHMIND_ABANDON_GRACE_MS: String(ms) } })

  async function withServer(options: { env: Record<string, string>; folder?: string }, use: (server: Server) => Promise<void>) {
    const own = new Server()
    await own.start([], options)
    try {
      await use(own)
    } finally {
      await own.stop()
    }
  }

  it('is marked abandoned after the grace, ends with its last event, and lives again when its app streams on', async () => {
    await withServer(grace(300), async (own) => {
      const runId = newRunId()
      const app = await own.app()
      app.send({ gm: 1, seq: 0, ts: 1_756_254_187_000, runId, type: runStarted[0], payload: runStarted[1] })
      app.send({ gm: 1, seq: 1, ts: 1_756_254_189_000, runId, type: failed[0], payload: failed[1] })
      app.pause(runId, 'p-1')
      await own.runWith(runId, (run) => run['eventCount'] === 2 || run['eventCount'] === 3)
      const viewer = await own.viewer()
      viewer.subscribe('*')
      await viewer.message('runs')
      await app.cut()
      const abandoned = await own.runWith(runId, (run) => run['status'] === 'abandoned')
      expect(abandoned).toMatchObject({ live: false, held: 0 })
      const events = await own.events(runId, 2)
      expect(abandoned['finishedAt']).toBe(Math.max(...events.map(({ ts }) => Number(ts))))
      await viewer.until(
        () => viewer.messages('run.update').find(({ run }) => (run as Frame)['status'] === 'abandoned' && (run as Frame)['id'] === runId),
        'the update',
      )
      const back = await own.app()
      back.event('node.error', failed[1], runId, 10)
      expect(await own.runWith(runId, (run) => run['status'] === 'running')).toMatchObject({ live: true, finishedAt: null })
    })
  })

  it('is not abandoned by a blip shorter than the grace, nor when it said that it is over', async () => {
    await withServer(grace(600), async (own) => {
      const [blip, over, lost] = [newRunId(), newRunId(), newRunId()]
      const app = await own.app()
      app.run(blip, runStarted)
      app.run(over, runStarted, ['run.finished', { status: 'error' }])
      app.run(lost, runStarted)
      await own.runWith(lost)
      await app.cut()
      const back = await own.app()
      back.event(...failed, blip, 1)
      await own.runWith(lost, (run) => run['status'] === 'abandoned')
      expect(await own.run(blip)).toMatchObject({ status: 'running', live: true })
      expect(await own.run(over)).toMatchObject({ status: 'error' })
    })
  })

  it('left running by a previous server process is reconciled the same way at startup; its events are still there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-conformance-'))
    try {
      const [running, over] = [newRunId(), newRunId()]
      let stored: Frame[] = []
      await withServer({ ...grace(60_000), folder }, async (own) => {
        const app = await own.app()
        app.run(running, runStarted)
        app.run(over, runStarted, ['run.finished', { status: 'ok' }])
        stored = await own.events(over, 2)
        await own.runWith(running)
      })
      await withServer({ ...grace(300), folder }, async (own) => {
        await own.runWith(running, (run) => run['status'] === 'abandoned')
        expect(await own.run(over)).toMatchObject({ status: 'ok' })
        expect(await own.events(over, 2)).toEqual(stored)
        // The app that was connected to the old process comes back and replays.
        const app = await own.app()
        app.run(over, runStarted, ['run.finished', { status: 'ok' }])
        app.run(running, runStarted, ['run.finished', { status: 'ok' }])
        await own.runWith(running, (run) => run['status'] === 'ok')
        expect(await own.events(over, 2)).toEqual(stored)
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
