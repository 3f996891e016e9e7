import type { Envelope, PauseInfo, RunInfo } from '@graphmind-ai/schema'
import { emptyRun, foldEnvelope, nodesOf } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Collector } from '../collector.ts'
import { ask, askJson, testCollector } from '../testing/collector.ts'
import { MAX_DEMO_RUNS } from './demo-runs.ts'
import { readRecording } from './recording.ts'
import { type Replay, startReplay } from './replay.ts'

// Every story starts a collector of its own; a busy machine needs longer for it than the default.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let collector: Collector
beforeEach(async () => {
  collector = await testCollector({ breakpoints: [{ point: 'error' }] })
})
afterEach(() => collector.stop())

const ingestUrl = () => `${collector.url.replace('http', 'ws')}/ingest`

/** A replay without waits, and the id of its run. */
async function started(): Promise<{ readonly replay: Replay; readonly runId: string }> {
  const runId = Promise.withResolvers<string>()
  const replay = startReplay({ ingestUrl: ingestUrl(), recording: readRecording(), wait: async () => undefined, started: runId.resolve })
  return { replay, runId: await runId.promise }
}

async function heldCall(): Promise<PauseInfo> {
  const { pauses } = (await askJson(collector.port, '/api/pauses?wait=20')) as unknown as { readonly pauses: readonly PauseInfo[] }
  const [pause] = pauses
  if (pause === undefined) throw new Error('nothing is held')
  return pause
}

async function release({ runId, pauseId }: PauseInfo, command: object): Promise<void> {
  const { status, body } = await ask(collector.port, `/api/runs/${runId}/pauses/${pauseId}/resume`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  })
  expect(body.toString()).toContain('resumed')
  expect(status).toBe(200)
}

async function recorded(runId: string) {
  const run = (await askJson(collector.port, `/api/runs/${runId}`)) as unknown as RunInfo
  const { events } = (await askJson(collector.port, `/api/runs/${runId}/events?limit=5000`)) as unknown as {
    readonly events: readonly Envelope[]
  }
  const picture = emptyRun(runId)
  for (const event of events) foldEnvelope(picture, event)
  return { run, events, nodes: nodesOf(picture) }
}

/** The record once the run's end is stored, which is a moment after it was sent. */
async function ending(runId: string) {
  await vi.waitFor(async () => expect(await askJson(collector.port, `/api/runs/${runId}`)).not.toMatchObject({ status: 'running' }))
  return recorded(runId)
}

describe('the demo', () => {
  it('is held at the budget check, two steps after the call with the bug', async () => {
    const { replay, runId } = await started()
    const pause = await heldCall()
    expect(pause).toMatchObject({
      runId,
      payload: { nodeId: 'tool:checkBudget', point: 'error', reason: 'error', input: { total: 7776742 } },
    })
    const { run, nodes } = await recorded(runId)
    expect(run).toMatchObject({ app: 'trip-planner', source: 'demo', status: 'running', live: true, held: 1 })
    expect(nodes.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(['agent:trip-planner', 'tool:convertCurrency', 'llm:step']))
    await release(pause, { action: 'continue' })
    expect(await replay.ended).toEqual({ ok: true, value: 'ok' })
  })

  it('answers with the injected value', async () => {
    const { replay, runId } = await started()
    await release(await heldCall(), { action: 'inject', output: { total: 1038, note: 'a "fair" price' } })
    await replay.ended
    const { run, events } = await ending(runId)
    expect(run.status).toBe('ok')
    const finished = events.filter(({ type }) => type === 'node.finished').map(({ payload }) => payload)
    expect(finished).toContainEqual(
      expect.objectContaining({ nodeId: 'tool:checkBudget', output: { total: 1038, note: 'a "fair" price' }, injected: true }),
    )
    expect(finished).toContainEqual(
      expect.objectContaining({
        nodeId: 'agent:trip-planner',
        output: expect.stringContaining('{"total":1038,"note":"a \\"fair\\" price"}'),
      }),
    )
  })

  it('says that it could not check the budget when the error goes on', async () => {
    const { replay, runId } = await started()
    await release(await heldCall(), { action: 'continue' })
    await replay.ended
    const { run, events } = await ending(runId)
    expect(run).toMatchObject({ status: 'ok', errorCount: 1 })
    expect(JSON.stringify(events.at(-2)) + JSON.stringify(events.at(-3))).toContain('I could not check your budget')
  })

  it('is held again after a retry, and counts the attempts', async () => {
    const { replay, runId } = await started()
    await release(await heldCall(), { action: 'retry' })
    await release(await heldCall(), { action: 'inject', output: 1 })
    await replay.ended
    const { events } = await ending(runId)
    expect(events.filter(({ type }) => type === 'exec.paused')).toHaveLength(2)
    expect(events.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ nodeId: 'tool:checkBudget', output: 1, attempts: 2 }),
    )
  })

  it('ends every open call when the run is aborted', async () => {
    const { replay, runId } = await started()
    await release(await heldCall(), { action: 'abort' })
    expect(await replay.ended).toEqual({ ok: true, value: 'aborted' })
    const { run, nodes } = await ending(runId)
    expect(run.status).toBe('aborted')
    expect(nodes.filter(({ running, paused }) => running + paused > 0)).toEqual([])
  })

  it('counts a hold for the held call and for the agent that waits for it', async () => {
    const { replay, runId } = await started()
    const pause = await heldCall()
    const from = performance.now()
    // Something that takes time by itself: the record of the held call, read again.
    await vi.waitFor(() => expect(performance.now() - from).toBeGreaterThan(5))
    await release(pause, { action: 'continue' })
    await replay.ended
    const { events } = await ending(runId)
    const held = events.flatMap(({ type, payload }) => {
      const { nodeId, heldMs } = payload as { readonly nodeId?: string; readonly heldMs?: number }
      return type === 'node.finished' && heldMs !== undefined ? [nodeId] : []
    })
    expect(held.sort()).toEqual(['agent:trip-planner', 'tool:checkBudget'])
  })

  it('goes on as recorded where nothing is to be held', async () => {
    await collector.stop()
    collector = await testCollector({ breakpoints: [] })
    const { replay } = await started()
    expect(await replay.ended).toEqual({ ok: true, value: 'ok' })
  })

  it('says what to do where no server answers', async () => {
    const gone = ingestUrl()
    await collector.stop()
    const replay = startReplay({ ingestUrl: gone, recording: readRecording(), wait: async () => undefined, started: () => undefined })
    expect(await replay.ended).toMatchObject({
      ok: false,
      problem: { code: 'demo-not-taken', message: expect.stringContaining('graphmind serve') },
    })
    collector = await testCollector()
  })
})

describe('POST /api/demo/start', () => {
  const start = () => ask(collector.port, '/api/demo/start', { method: 'POST' })

  it('plays the demo on this server and names its run', async () => {
    const { status, body } = await start()
    expect(status).toBe(202)
    const { runId } = JSON.parse(body.toString())
    await vi.waitFor(async () => expect(await askJson(collector.port, `/api/runs/${runId}`)).toMatchObject({ source: 'demo' }))
  })

  it(`plays ${MAX_DEMO_RUNS} at once and refuses one more with words`, async () => {
    for (let count = 0; count < MAX_DEMO_RUNS; count += 1) expect((await start()).status).toBe(202)
    const { status, body } = await start()
    expect(status).toBe(429)
    expect(JSON.parse(body.toString()).error).toContain('Let their held calls go on')
  })

  it('answers only POST', async () => {
    expect((await ask(collector.port, '/api/demo/start')).status).toBe(405)
  })
})
