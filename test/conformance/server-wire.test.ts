import { describe, expect, it } from 'vitest'
import type { Frame } from './support/peer.ts'
import { newRunId, newTraceId, serverUnderTest } from './support/server.ts'

// contract/wire-protocol.md, as a server has to keep it. Each test is one promise.

const server = serverUnderTest()
const started = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1', input: { q: 'LIS' } }

describe('the transport and the envelope', () => {
  it('the app dials /ingest, and every message is a single JSON text frame with one envelope', async () => {
    const app = await server.app()
    expect(Object.keys(await app.control('hello.ack')).sort()).toEqual(['gm', 'payload', 'runId', 'seq', 'ts', 'type'])
    expect(app.frames.every((frame) => frame['binary'] !== true)).toBe(true)
  })

  it('a frame that is no envelope is left out and ends nothing', async () => {
    const app = await server.app()
    app.sendText('not JSON')
    app.send([1, 2])
    app.send({ gm: 1, seq: 'one', ts: 0, runId: 'r', type: 'x' })
    const runId = newRunId()
    app.event('run.started', { app: 'a', sdk: { name: 's', version: '1' } }, runId)
    expect(await server.events(runId, 1)).toHaveLength(1)
  })

  it('seq is the sender’s own, and receivers deduplicate replays on (runId, seq)', async () => {
    const app = await server.app()
    const runId = newRunId()
    app.event('node.started', started, runId, 4)
    app.event('node.started', { ...started, name: 'again', instanceId: 'call-2' }, runId, 4)
    app.event('run.finished', { status: 'ok' }, runId, 9)
    const events = await server.events(runId, 2)
    expect(events.map(({ seq, payload }) => [seq, (payload as Frame)['name']])).toEqual([
      [4, 'search'],
      [9, undefined],
    ])
  })

  it('ts is the sender’s epoch milliseconds and stays what it was', async () => {
    const app = await server.app()
    const runId = newRunId()
    app.send({ gm: 1, seq: 0, ts: 1_756_254_187_512, runId, type: 'node.started', payload: started })
    expect((await server.events(runId, 1))[0]).toMatchObject({ ts: 1_756_254_187_512 })
  })

  it('a foreign gm is rejected', async () => {
    const app = await server.app()
    const runId = newRunId()
    app.send({ gm: 2, seq: 0, ts: Date.now(), runId, type: 'node.started', payload: started })
    const other = await server.app()
    const otherRun = newRunId()
    other.event('run.finished', { status: 'ok' }, otherRun)
    await server.events(otherRun, 1)
    expect((await server.get(`/api/runs/${runId}/events`)).status).toBe(404)
  })

  it('* is for messages of no run: an event with it belongs to none and is not stored', async () => {
    const app = await server.app()
    const runId = newRunId()
    app.event('run.finished', { status: 'ok' }, '*')
    app.event('run.finished', { status: 'ok' }, runId)
    await server.events(runId, 1)
    expect((await server.get('/api/runs/*/events')).status).toBe(404)
  })
})

describe('forward compatibility', () => {
  it('an event of an unfamiliar type is structurally valid: kept with its payload as it came, and shown to viewers', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    const payload = { any: [1, { deep: null }], text: 'ü🦊' }
    app.event('agent.dreamt', payload, runId)
    await server.events(runId, 1)
    viewer.subscribe(runId)
    expect(await viewer.event(runId, 'agent.dreamt')).toMatchObject({ runId, seq: 0, type: 'agent.dreamt', payload })
    expect((await server.events(runId, 1))[0]).toMatchObject({ type: 'agent.dreamt', payload })
  })

  it('unknown fields are preserved, never stripped or rejected', async () => {
    const [app, runId] = [await server.app({ later: true }), newRunId()]
    const payload = {
      ...started,
      providerExecuted: true,
      usageNotes: { cached: 7, list: [{ a: 1 }] },
    }
    const finished = {
      nodeId: 'tool:search',
      instanceId: 'call-1',
      durationMs: 1,
      status: 'ok',
      usage: { inputTokens: 1, outputTokens: 2, providerTokens: 3 },
      injected: true,
    }
    app.event('node.started', payload, runId)
    app.event('node.finished', finished, runId)
    const events = await server.events(runId, 2)
    expect(events.map((event) => event['payload'])).toEqual([payload, finished])
  })

  it('unknown fields of the envelope itself are kept as well, and given back to viewers and readers', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    const more = { region: 'eu', signature: { alg: 'x', parts: [1, null] }, __proto: 'text' }
    viewer.subscribe(runId)
    app.envelope('run.started', { app: 'a', sdk: { name: 's', version: '1' } }, runId, 0, more)
    app.envelope('agent.dreamt', {}, runId, 1, more)
    const [known, unknown] = await server.events(runId, 2)
    expect([known, unknown]).toEqual([expect.objectContaining({ ...more, seq: 0 }), expect.objectContaining({ ...more, seq: 1 })])
    viewer.subscribe(runId)
    expect(await viewer.event(runId, 'agent.dreamt')).toEqual(unknown)
  })

  it('an envelope without a payload is tolerated', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.send({ gm: 1, seq: 0, ts: 1, runId, type: 'agent.dreamt' })
    expect(await server.events(runId, 1)).toHaveLength(1)
  })

  it('a known type with a bad payload is invalid: left out, and the connection goes on', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.event('node.started', { nodeId: 'tool:search', kind: 'tool', name: 'search' }, runId)
    app.event('node.started', { ...started, kind: 'elephant' }, runId)
    app.event('run.finished', { status: 'splendid' }, runId)
    app.event('run.finished', { status: 'ok' }, runId)
    expect((await server.events(runId, 1)).map(({ seq }) => seq)).toEqual([3])
  })
})

describe('the handshake', () => {
  it('hello is answered with hello.ack: versions, capabilities, breakpoints and mode, run-independent', async () => {
    const app = await server.app()
    const ack = await app.control('hello.ack')
    expect(ack).toMatchObject({ gm: 1, runId: '*', seq: expect.any(Number), ts: expect.any(Number) })
    expect(ack['payload']).toMatchObject({
      versions: { protocol: 1, viewer: expect.any(String) },
      capabilities: expect.any(Array),
      breakpoints: expect.any(Array),
      mode: 'run',
    })
  })

  it('the ack carries the full desired debug state, so that one message arms an app that attaches mid-run', async () => {
    const viewer = await server.viewer()
    await viewer.change('breakpoint.set', { matcher: { kind: 'tool', name: 'wire_money', point: 'after' } })
    await viewer.change('mode.set', { mode: 'step' })
    const { payload } = await (await server.app()).control('hello.ack')
    expect(payload).toMatchObject({ mode: 'step' })
    expect((payload as { breakpoints: unknown[] }).breakpoints).toContainEqual({ kind: 'tool', name: 'wire_money', point: 'after' })
  })

  it('capabilities are plain strings: unknown ones are taken', async () => {
    const app = await server.app({ capabilities: ['pause', 'time-travel'] })
    expect((await app.control('hello.ack'))['payload']).toMatchObject({ capabilities: ['pause', 'time-travel'] })
  })

  it('app and sdk may be missing', async () => {
    const app = await server.silentApp()
    app.envelope('hello', { versions: { protocol: 1, client: '0' }, capabilities: [] }, '*', 0)
    await app.control('hello.ack')
  })

  it('peers reject a mismatched protocol rather than guessing, and say which they speak', async () => {
    const app = await server.silentApp()
    app.envelope('hello', { versions: { protocol: 2, client: '9' }, capabilities: [] }, '*', 0)
    const { reason } = await app.closed()
    expect(reason).toContain('protocol 1')
    expect(app.controls('hello.ack')).toEqual([])
  })
})

describe('events, app → viewer', () => {
  it.each<[string, Frame]>([
    ['run.started', { app: 'trip-planner', sdk: { name: 'ai', version: '7' }, meta: { a: 1 } }],
    ['run.finished', { status: 'error', error: { name: 'E', message: 'm', stack: 's' } }],
    ['graph.hint', { nodes: [{ nodeId: 'tool:a', kind: 'tool', name: 'a', parentId: 'agent:x' }] }],
    ['node.started', { ...started, parentId: 'agent:x' }],
    [
      'node.token',
      {
        nodeId: 'llm:step',
        deltas: [
          { t: 'text', v: 'a' },
          { t: 'reasoning', v: 'b' },
          { t: 'tool-args', v: '{' },
        ],
      },
    ],
    [
      'node.finished',
      { nodeId: 'tool:search', instanceId: 'call-1', output: 1, usage: { inputTokens: 1, outputTokens: 2 }, durationMs: 1.5, status: 'ok' },
    ],
    ['node.finished', { nodeId: 'tool:search', durationMs: 1, status: 'aborted' }],
    ['node.error', { nodeId: 'tool:search', instanceId: 'call-1', error: { name: 'E', message: 'm' } }],
    ['exec.paused', { pauseId: 'p', nodeId: 'tool:search', point: 'before' }],
    ['exec.resumed', { pauseId: 'p', action: 'continue' }],
  ])('%s is stored and reaches viewers as it was sent', async (type, payload) => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.event(type, payload, runId)
    const [stored] = await server.events(runId, 1)
    expect(stored).toMatchObject({ gm: 1, seq: 0, runId, type, payload })
    viewer.subscribe(runId)
    expect(await viewer.event(runId, type)).toEqual(stored)
  })

  it.each(['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom'])(
    'a node may be of kind %s',
    async (kind) => {
      const [app, runId] = [await server.app(), newRunId()]
      app.event('node.started', { ...started, kind }, runId)
      expect(await server.events(runId, 1)).toHaveLength(1)
    },
  )
})

describe('an event without instanceId', () => {
  it('is attributed to the most recent open instance of its node', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    const node = { nodeId: 'llm:step', kind: 'llm', name: 'step' }
    const end = { nodeId: 'llm:step', durationMs: 1, status: 'ok' }
    app.event('node.started', { ...node, instanceId: 's1' }, runId)
    app.event('node.started', { ...node, instanceId: 's2' }, runId)
    app.event('node.finished', { ...end, output: 'second', usage: { inputTokens: 2, outputTokens: 1 } }, runId)
    app.event('node.error', { nodeId: 'llm:step', error: { name: 'E', message: 'first failed' } }, runId)
    app.event('node.finished', { ...end, status: 'error' }, runId)
    await server.events(runId, 5)
    const shown = async (id: string) => (await server.get(`/api/runs/${runId}/instances/${id}`)).body
    expect([await shown('s2'), await shown('s1')]).toEqual([
      expect.objectContaining({ output: 'second', error: null }),
      expect.objectContaining({ error: expect.objectContaining({ message: 'first failed' }) }),
    ])
    const counted = { errorCount: 1, usage: { inputTokens: 2, outputTokens: 1 } }
    expect(await server.runWith(runId, (run) => run['errorCount'] === 1)).toMatchObject(counted)
  })
})

describe('an exported run', () => {
  it('is one wire envelope a line, of the shape that /ingest takes: sent again it adds nothing, as another run it is the same', async () => {
    const [app, runId, copyId] = [await server.app(), newRunId(), newRunId()]
    app.run(
      runId,
      ['run.started', { app: 'a', sdk: { name: 's', version: '1' } }],
      ['agent.dreamt', { any: 1 }],
      ['run.finished', { status: 'ok' }],
    )
    const events = await server.events(runId, 3)
    const answer = await fetch(`${server.url}/api/runs/${runId}/export?format=ndjson`)
    const lines = (await answer.text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(events.map((event) => expect.objectContaining(event)))
    for (const line of lines) app.send(JSON.parse(line))
    for (const line of lines) app.send({ ...JSON.parse(line), runId: copyId })
    const copied = await server.events(copyId, 3)
    expect(copied.map((event) => ({ ...event, runId }))).toEqual(events)
    expect(await server.events(runId, 3)).toEqual(events)
  })
})

describe('controls, viewer → app', () => {
  it('breakpoint.set, breakpoint.clear and mode.set reach every connected app with runId *', async () => {
    const [one, two, viewer] = [await server.app(), await server.app(), await server.viewer()]
    const matcher = { kind: 'llm', name: newRunId() }
    await viewer.change('breakpoint.set', { matcher })
    await viewer.change('mode.set', { mode: 'step' })
    await viewer.change('breakpoint.clear', { matcher })
    for (const app of [one, two]) {
      const cleared = await app.control('breakpoint.clear')
      const got = app.frames.slice(1)
      expect(got.map(({ type, runId, payload }) => [type, runId, payload])).toEqual([
        ['breakpoint.set', '*', { matcher }],
        ['mode.set', '*', { mode: 'step' }],
        ['breakpoint.clear', '*', { matcher }],
      ])
      expect(cleared['gm']).toBe(1)
    }
  })

  it('matchers dedupe by exact field equality, whatever the order of the fields', async () => {
    const viewer = await server.viewer()
    const before = ((await viewer.message('welcome'))['breakpoints'] as unknown[]).length
    const name = newRunId()
    await viewer.change('breakpoint.set', { matcher: { kind: 'tool', name } })
    const same = await viewer.change('breakpoint.set', { matcher: { name, kind: 'tool' } })
    expect(same['breakpoints']).toHaveLength(before + 1)
    const other = await viewer.change('breakpoint.set', { matcher: { name, kind: 'tool', point: 'before' } })
    expect(other['breakpoints']).toHaveLength(before + 2)
  })

  it('breakpoint.clear removes a breakpoint set with an identical matcher, and no other', async () => {
    const viewer = await server.viewer()
    const matcher = { kind: 'tool', name: newRunId() }
    const set = await viewer.change('breakpoint.set', { matcher })
    const missed = await viewer.change('breakpoint.clear', { matcher: { name: matcher.name } })
    expect(missed['breakpoints']).toEqual(set['breakpoints'])
    const cleared = await viewer.change('breakpoint.clear', { matcher })
    expect(cleared['breakpoints']).not.toContainEqual(matcher)
  })

  it('exec.resume is routed to the app socket owning that run, with that run’s id, and to no other', async () => {
    const [owner, other, viewer] = [await server.app(), await server.app(), await server.viewer()]
    const runId = newRunId()
    owner.pause(runId, 'p-1')
    await server.events(runId, 1)
    viewer.resume(runId, { pauseId: 'p-1', action: 'inject', output: { flight: 'OS 355' } })
    const resume = await owner.control('exec.resume')
    expect(resume).toMatchObject({ runId, payload: { pauseId: 'p-1', action: 'inject', output: { flight: 'OS 355' } } })
    await viewer.change('mode.set', { mode: 'run' })
    await other.control('mode.set')
    expect(other.controls('exec.resume')).toEqual([])
  })

  it.each(['continue', 'retry', 'abort'])('exec.resume carries %s without an output', async (action) => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.pause(runId, 'p-1')
    await server.events(runId, 1)
    viewer.resume(runId, { pauseId: 'p-1', action, output: 'only with inject' })
    const { payload } = await app.control('exec.resume')
    expect(payload).toMatchObject({ pauseId: 'p-1', action })
    expect(payload).not.toHaveProperty('output')
  })

  it('an app can’t send controls to others', async () => {
    const [app, other, runId] = [await server.app(), await server.app(), newRunId()]
    app.envelope('mode.set', { mode: 'step' }, '*', 0)
    app.event('run.finished', { status: 'ok' }, runId)
    await server.events(runId, 1)
    expect(other.controls('mode.set')).toEqual([])
  })
})

describe('replay', () => {
  const events = [
    ['run.started', { app: 'a', sdk: { name: 's', version: '1' } }],
    ['node.started', started],
    ['node.finished', { nodeId: 'tool:search', instanceId: 'call-1', durationMs: 1, status: 'ok' }],
    ['run.finished', { status: 'ok' }],
  ] as const

  it('re-ingesting a run is idempotent', async () => {
    const runId = newRunId()
    const first = await server.app()
    first.run(runId, ...events)
    const stored = await server.events(runId, 4)
    await first.cut()
    const again = await server.app()
    again.run(runId, ...events)
    const marker = newRunId()
    again.event('run.finished', { status: 'ok' }, marker)
    await server.events(marker, 1)
    expect(await server.events(runId, 4)).toEqual(stored)
  })

  it('the same holds for a trace run, which the server numbers: a replay after a reconnect doubles nothing', async () => {
    const [runId, senderId] = [newTraceId(), newRunId()]
    const first = await server.app({ senderId })
    first.run(runId, ...events)
    const stored = await server.events(runId, 4)
    await first.cut()
    const again = await server.app({ senderId })
    again.run(runId, ...events)
    again.event('graph.hint', { nodes: [] }, runId, 4)
    expect((await server.events(runId, 5)).slice(0, 4)).toEqual(stored)
  })

  it('an event that comes late takes its place by seq', async () => {
    const [app, runId] = [await server.app(), newRunId()]
    app.event('run.finished', { status: 'ok' }, runId, 5)
    app.event('node.started', started, runId, 2)
    expect((await server.events(runId, 2)).map(({ seq }) => seq)).toEqual([2, 5])
  })

  it('a second sender in a run that its client numbers is refused aloud', async () => {
    const [first, second, runId] = [await server.app(), await server.app(), newRunId()]
    first.event('node.started', started, runId)
    await server.events(runId, 1)
    second.event('node.started', started, runId)
    expect((await second.closed()).reason).toContain('second-sender')
  })
})
