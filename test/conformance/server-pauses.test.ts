import { describe, expect, it } from 'vitest'
import type { Frame } from './support/peer.ts'
import { type App, newRunId, newTraceId, serverUnderTest, type Viewer } from './support/server.ts'

// Held calls: contract/wire-protocol.md, design 6 to 8 and parity.md 1.7. Each test is one promise.

const server = serverUnderTest()
const finished = ['run.finished', { status: 'ok' }] as const

interface Held {
  readonly app: App
  readonly runId: string
  readonly path: string
}

/** An app that holds one call, known to the server. */
async function heldCall(more: Frame = {}, hello: Frame = {}, runId = newRunId()): Promise<Held> {
  const app = await server.app(hello)
  app.pause(runId, 'p-1', { kind: 'tool', name: 'search', instanceId: 'call-1', input: { q: 'LIS' }, ...more })
  await server.events(runId, 1)
  return { app, runId, path: `/api/runs/${runId}/pauses/p-1` }
}

async function answerResume(app: App, runId: string, more: Frame = {}, count = 1): Promise<Frame> {
  const { payload } = await app.control('exec.resume', count)
  const { pauseId, action, requestId } = payload as Frame
  app.event('exec.resumed', { pauseId, action, requestId, cause: 'viewer', ...more }, runId)
  return payload as Frame
}

const pausesOf = async (runId: string) => (await server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}`)).body.pauses

describe('a held call', () => {
  it('is listed with what is needed to show it, by run and among all', async () => {
    const { runId } = await heldCall()
    const pause = {
      runId,
      pauseId: 'p-1',
      nodeId: 'tool:search',
      point: 'before',
      state: 'open',
      since: expect.any(Number),
      payload: expect.objectContaining({ kind: 'tool', name: 'search', instanceId: 'call-1', input: { q: 'LIS' } }),
    }
    expect(await pausesOf(runId)).toEqual([pause])
    expect((await server.get<{ pauses: Frame[] }>('/api/pauses')).body.pauses).toContainEqual(pause)
    expect(await pausesOf(newRunId())).toEqual([])
  })

  it('is counted in its run’s row while it is held', async () => {
    const { app, runId } = await heldCall()
    await server.runWith(runId, (run) => run['held'] === 1)
    app.event('exec.resumed', { pauseId: 'p-1', action: 'continue', cause: 'timeout' }, runId)
    await server.runWith(runId, (run) => run['held'] === 0)
  })

  it('is given with its recorded input and error', async () => {
    const runId = newRunId()
    const app = await server.app()
    const node = { nodeId: 'tool:search', instanceId: 'call-1' }
    app.event('node.started', { ...node, kind: 'tool', name: 'search', input: { q: 'OPO' } }, runId)
    app.event('node.error', { ...node, error: { name: 'RangeError', message: 'bad rate' } }, runId)
    app.pause(runId, 'p-1', { point: 'error', instanceId: 'call-1' })
    await server.events(runId, 3)
    const { status, body } = await server.get(`/api/runs/${runId}/pauses/p-1`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pause: { runId, pauseId: 'p-1', point: 'error' },
      input: { q: 'OPO' },
      error: { name: 'RangeError', message: 'bad rate' },
    })
  })

  it('that is not there is 404', async () => {
    const { runId } = await heldCall()
    expect((await server.get(`/api/runs/${runId}/pauses/p-2`)).status).toBe(404)
    expect((await server.get(`/api/runs/${newRunId()}/pauses/p-1`)).status).toBe(404)
  })

  it('is released on its own: two calls of one tool are two pauses', async () => {
    const { app, runId } = await heldCall()
    app.pause(runId, 'p-2')
    await server.events(runId, 2)
    const viewer = await server.viewer()
    viewer.resume(runId, { pauseId: 'p-2', action: 'continue' })
    await answerResume(app, runId)
    await viewer.message('resume.result')
    expect((await pausesOf(runId)).map(({ pauseId }) => pauseId)).toEqual(['p-1'])
  })

  it('is owned by the socket that sent it: no other app may let it go', async () => {
    const runId = newTraceId()
    await heldCall({}, { spans: 'otlp' }, runId)
    const stranger = await server.app({ spans: 'otlp' })
    stranger.event('exec.resumed', { pauseId: 'p-1', action: 'continue', cause: 'viewer' }, runId)
    stranger.event('graph.hint', { nodes: [] }, runId)
    const events = await server.events(runId, 2)
    expect(events.map(({ type }) => type)).toEqual(['exec.paused', 'graph.hint'])
    expect(await pausesOf(runId)).toHaveLength(1)
  })

  it('of an app that is gone is held no longer; in a trace run the record says why', async () => {
    const { app, runId } = await heldCall({}, { spans: 'otlp' }, newTraceId())
    await app.cut()
    expect((await server.events(runId, 2))[1]).toMatchObject({
      type: 'exec.resumed',
      payload: { pauseId: 'p-1', action: 'continue', cause: 'link-lost', instanceId: 'call-1' },
    })
    expect(await pausesOf(runId)).toEqual([])
  })

  it('of an app that numbers its run gets no made-up release: the row says that it is not live and holds nothing', async () => {
    const { app, runId } = await heldCall()
    await app.cut()
    await server.runWith(runId, (run) => run['live'] === false && run['held'] === 0)
    expect((await server.events(runId, 1)).map(({ type }) => type)).toEqual(['exec.paused'])
    expect(await pausesOf(runId)).toEqual([])
  })
})

describe('a viewer that releases a call', () => {
  const resultOf = (viewer: Viewer, count = 1) => viewer.message('resume.result', count)

  it('gets resume.result with the app’s answer, and the record names who it was', async () => {
    const [{ app, runId }, viewer] = [await heldCall(), await server.viewer()]
    viewer.resume(runId, { pauseId: 'p-1', action: 'inject', output: 42, requestId: 'r-1', operator: 'Anna' })
    const command = await answerResume(app, runId, { injected: { output: 42 } })
    expect(command).toEqual({ pauseId: 'p-1', action: 'inject', output: 42, requestId: 'r-1' })
    expect(await resultOf(viewer)).toMatchObject({ runId, pauseId: 'p-1', requestId: 'r-1', outcome: 'resumed' })
    expect((await server.events(runId, 2))[1]).toMatchObject({
      type: 'exec.resumed',
      payload: { pauseId: 'p-1', action: 'inject', injected: { output: 42 }, requestId: 'r-1', principal: 'viewer', operator: 'Anna' },
    })
  })

  it('sends an edited input', async () => {
    const [{ app, runId }, viewer] = [await heldCall(), await server.viewer()]
    viewer.resume(runId, { pauseId: 'p-1', action: 'continue', input: { q: 'OPO' } })
    expect(await answerResume(app, runId, { edited: { after: { q: 'OPO' } } })).toMatchObject({ action: 'continue', input: { q: 'OPO' } })
    expect(await resultOf(viewer)).toMatchObject({ outcome: 'resumed' })
  })

  it('second learns that it was taken, and by whom', async () => {
    const [{ app, runId }, one, two] = [await heldCall(), await server.viewer(), await server.viewer()]
    one.resume(runId, { pauseId: 'p-1', action: 'continue', operator: 'Anna' })
    await app.control('exec.resume')
    two.resume(runId, { pauseId: 'p-1', action: 'abort' })
    expect(await resultOf(two)).toMatchObject({ outcome: 'taken', code: 'pause-taken', by: expect.stringContaining('Anna') })
    expect(await two.message('error')).toMatchObject({ code: 'pause-taken', pauseId: 'p-1', runId })
    await answerResume(app, runId)
    expect(await resultOf(one)).toMatchObject({ outcome: 'resumed' })
    expect(app.controls('exec.resume')).toHaveLength(1)
    two.resume(runId, { pauseId: 'p-1', action: 'continue' })
    expect(await resultOf(two, 2)).toMatchObject({ outcome: 'taken' })
  })

  it.each(['schema', 'shape', 'placeholder', 'truncated', 'disabled', 'unsupported'])(
    'learns a refusal with %s, and the call stays held and can be released again',
    async (code) => {
      const [{ app, runId }, viewer] = [await heldCall(), await server.viewer()]
      viewer.resume(runId, { pauseId: 'p-1', action: 'continue', input: {}, requestId: 'r-1' })
      await app.control('exec.resume')
      app.event('exec.refused', { pauseId: 'p-1', code, message: 'not so', requestId: 'r-1' }, runId)
      expect(await resultOf(viewer)).toMatchObject({ outcome: 'refused', code, message: 'not so', requestId: 'r-1' })
      expect(await pausesOf(runId)).toMatchObject([{ state: 'open' }])
      viewer.resume(runId, { pauseId: 'p-1', action: 'continue' })
      await answerResume(app, runId, {}, 2)
      expect(await resultOf(viewer, 2)).toMatchObject({ outcome: 'resumed' })
    },
  )

  it.each([
    ['placeholder', { key: '__REDACTED__' }],
    ['truncated', { text: 'x…[graphmind: truncated]' }],
    ['truncated', { __graphmindTruncated: true }],
  ])('never sends back what stood for a hidden or cut value (%s)', async (code, output) => {
    const [{ app, runId }, viewer] = [await heldCall(), await server.viewer()]
    viewer.resume(runId, { pauseId: 'p-1', action: 'inject', output })
    expect(await resultOf(viewer)).toMatchObject({ outcome: 'refused', code })
    viewer.resume(runId, { pauseId: 'p-1', action: 'continue', input: output })
    expect(await resultOf(viewer, 2)).toMatchObject({ outcome: 'refused', code })
    expect(app.controls('exec.resume')).toEqual([])
  })

  it('learns that the app is gone', async () => {
    const [{ app, runId }, viewer] = [await heldCall(), await server.viewer()]
    viewer.resume(runId, { pauseId: 'p-1', action: 'continue' })
    await app.control('exec.resume')
    await app.cut()
    expect(await resultOf(viewer)).toMatchObject({ outcome: 'timeout', code: 'no-owner' })
  })

  it('is named by the server alone: an app can’t claim a principal', async () => {
    const { app, runId } = await heldCall()
    app.event('exec.resumed', { pauseId: 'p-1', action: 'continue', cause: 'timeout', principal: 'root', operator: 'Eve' }, runId)
    const payload = (await server.events(runId, 2))[1]?.['payload']
    expect(payload).not.toHaveProperty('principal')
    expect(payload).not.toHaveProperty('operator')
  })
})

describe('POST /api/runs/:id/pauses/:pauseId/resume', () => {
  it('waits for the app’s answer: 200 resumed', async () => {
    const { app, runId, path } = await heldCall()
    const answer = server.post(`${path}/resume`, { action: 'inject', output: { any: 1 }, requestId: 'r-1', operator: 'CI' })
    expect(await answerResume(app, runId)).toEqual({ pauseId: 'p-1', action: 'inject', output: { any: 1 }, requestId: 'r-1' })
    expect(await answer).toMatchObject({ status: 200, body: { outcome: 'resumed', runId, pauseId: 'p-1', requestId: 'r-1' } })
    const { principal } = (await server.get('/api/session')).body
    expect((await server.events(runId, 2))[1]).toMatchObject({ payload: { principal, operator: 'CI' } })
  })

  it('422 when the app refuses, 422 when it would send a placeholder back', async () => {
    const { app, runId, path } = await heldCall()
    const answer = server.post(`${path}/resume`, { action: 'continue', input: { q: 1 } })
    const { payload } = await app.control('exec.resume')
    app.event(
      'exec.refused',
      { pauseId: 'p-1', code: 'schema', message: 'q must be text', requestId: (payload as Frame)['requestId'] },
      runId,
    )
    expect(await answer).toMatchObject({ status: 422, body: { outcome: 'refused', code: 'schema', message: 'q must be text' } })
    expect(await server.post(`${path}/resume`, { action: 'inject', output: '__REDACTED__' })).toMatchObject({
      status: 422,
      body: { outcome: 'refused', code: 'placeholder' },
    })
  })

  it('409 for the second, who learns who was first', async () => {
    const [{ app, path, runId }, viewer] = [await heldCall(), await server.viewer()]
    viewer.resume(runId, { pauseId: 'p-1', action: 'continue' })
    await app.control('exec.resume')
    expect(await server.post(`${path}/resume`, { action: 'continue' })).toMatchObject({
      status: 409,
      body: { outcome: 'taken', code: 'pause-taken', by: 'viewer' },
    })
  })

  it('202 when the app does not answer in timeoutMs', async () => {
    const { path } = await heldCall()
    expect(await server.post(`${path}/resume`, { action: 'continue', timeoutMs: 20 })).toMatchObject({
      status: 202,
      body: { outcome: 'timeout' },
    })
  })

  it('404 for a call that nobody holds', async () => {
    expect(await server.post(`/api/runs/${newRunId()}/pauses/p/resume`, { action: 'continue' })).toMatchObject({
      status: 404,
      body: { outcome: 'no-such-pause' },
    })
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('works by POST alone: %s is 405', async (method) => {
    const { app, path, runId } = await heldCall()
    const { status, headers } = await server.get(`${path}/resume`, { method })
    expect(status).toBe(405)
    expect(headers.get('allow')).toContain('POST')
    app.event(...finished, runId)
    await server.events(runId, 2)
    expect(app.controls('exec.resume')).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])('takes JSON alone: a body of type “%s” does nothing', async (type) => {
    const { app, path, runId } = await heldCall()
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    expect((await server.post(`${path}/resume`, '{"action":"continue"}', headers)).status).toBe(415)
    app.event(...finished, runId)
    await server.events(runId, 2)
    expect(app.controls('exec.resume')).toEqual([])
  })

  it.each(['{', '[]', '{}', '{"action":"jump"}', '{"action":"continue","timeoutMs":"soon"}', '{"action":"continue","requestId":7}'])(
    'answers 400 and why to %s',
    async (body) => {
      const { path } = await heldCall()
      const answer = await server.post(`${path}/resume`, body)
      expect(answer.status).toBe(400)
      expect(answer.body['error']).toEqual(expect.any(String))
    },
  )
})

describe('GET /api/pauses?wait=', () => {
  it('answers as soon as a call is held', async () => {
    const runId = newRunId()
    const waited = server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}&wait=60`)
    const app = await server.app()
    app.pause(runId, 'p-1')
    expect((await waited).body.pauses).toMatchObject([{ runId, pauseId: 'p-1' }])
  })

  it('answers at once when one is held, and when the run is over', async () => {
    const { app, runId } = await heldCall()
    expect((await server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}&wait=60`)).body.pauses).toHaveLength(1)
    app.event('exec.resumed', { pauseId: 'p-1', action: 'continue' }, runId)
    app.event(...finished, runId)
    await server.runWith(runId, (run) => run['status'] === 'ok')
    expect((await server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}&wait=60`)).body.pauses).toEqual([])
  })

  it('ends when the run ends', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.event('run.started', { app: 'a', sdk: { name: 's', version: '1' } }, runId)
    await server.runWith(runId)
    const waited = server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}&wait=60`)
    app.event(...finished, runId)
    expect((await waited).body.pauses).toEqual([])
  })

  it('lets at most 16 wait at once: the 17th is 429', async () => {
    const stop = new AbortController()
    const path = `/api/pauses?runId=${newRunId()}&wait=60`
    const asked = Array.from({ length: 17 }, () => server.get(path, { signal: stop.signal }))
    const first = await Promise.race(asked)
    stop.abort()
    const others = await Promise.allSettled(asked)
    expect(first).toMatchObject({ status: 429, body: { error: expect.any(String) } })
    expect(first.headers.get('retry-after')).not.toBeNull()
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
