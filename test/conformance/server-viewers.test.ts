import { describe, expect, it } from 'vitest'
import type { Frame } from './support/peer.ts'
import { newRunId, serverUnderTest } from './support/server.ts'

// contract/cli.md, "UI subprotocol", and what design 7 adds to it.

const server = serverUnderTest()
const runStarted = ['run.started', { app: 'a', sdk: { name: 's', version: '1' } }] as const
const token = (text: string) => ['node.token', { nodeId: 'llm:step', deltas: [{ t: 'text', v: text }] }] as const

const types = (frames: readonly Frame[]) => frames.map(({ type }) => type)

describe('a viewer', () => {
  it('is welcomed immediately on connect with versions, breakpoints and mode', async () => {
    const viewer = await server.viewer()
    expect(viewer.frames[0]).toMatchObject({
      type: 'welcome',
      versions: { protocol: 1, server: expect.any(String) },
      breakpoints: expect.any(Array),
      mode: 'run',
    })
  })

  it('gets state whenever debug state changes, whichever viewer changed it', async () => {
    const [one, other] = [await server.viewer(), await server.viewer()]
    const matcher = { name: newRunId() }
    await one.change('breakpoint.set', { matcher })
    const state = await other.message('state')
    expect(state).toMatchObject({ type: 'state', mode: 'run' })
    expect(state['breakpoints']).toContainEqual(matcher)
  })

  it('finds the debug state again after a reload: it lives on the server', async () => {
    const viewer = await server.viewer()
    const matcher = { name: newRunId() }
    await viewer.change('breakpoint.set', { matcher })
    const reloaded = await server.viewer()
    expect((await reloaded.message('welcome'))['breakpoints']).toContainEqual(matcher)
  })

  it('never gets a wire envelope bare: they ride inside event messages', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    viewer.subscribe('*')
    app.run(runId, runStarted, token('a'))
    await server.events(runId, 2)
    viewer.subscribe(runId)
    await viewer.event(runId, 'node.token')
    expect(viewer.frames.filter((frame) => 'gm' in frame)).toEqual([])
    expect(viewer.frames.every((frame) => typeof frame['type'] === 'string')).toBe(true)
  })

  it.each([
    ['no JSON', 'x'],
    ['no type', '{}'],
    ['an unknown type', '{"type":"dance"}'],
    ['a subscription without a run', '{"type":"subscribe"}'],
    [
      'a control that is no control',
      '{"type":"control","envelope":{"gm":1,"seq":0,"ts":0,"runId":"r","type":"run.finished","payload":{"status":"ok"}}}',
    ],
    [
      'a control of another protocol',
      '{"type":"control","envelope":{"gm":2,"seq":0,"ts":0,"runId":"*","type":"mode.set","payload":{"mode":"run"}}}',
    ],
  ])('that sends %s gets an error with words and stays connected', async (_what, text) => {
    const viewer = await server.viewer()
    viewer.sendText(text)
    expect((await viewer.message('error'))['message']).toEqual(expect.stringMatching(/\w{3,}/))
    await viewer.change('mode.set', { mode: 'run' })
  })
})

describe('subscribe to a run', () => {
  it('replays the history between replay.start with its count and replay.end, then tails live', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.run(runId, runStarted, token('a'), token('b'))
    await server.events(runId, 3)
    viewer.subscribe(runId)
    await viewer.message('replay.end')
    const own = viewer.frames.filter((frame) => frame['runId'] === runId)
    expect(types(own)).toEqual(['replay.start', 'event', 'event', 'event', 'replay.end'])
    expect(own[0]).toMatchObject({ type: 'replay.start', runId, count: 3 })
    app.event('run.finished', { status: 'ok' }, runId, 3)
    await viewer.event(runId, 'run.finished')
    expect(viewer.events(runId).map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
    expect(types(viewer.frames.filter((frame) => frame['runId'] === runId)).at(-1)).toBe('event')
  })

  it('keeps the original seq and sends exactly what is stored', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.event('node.token', token('a')[1], runId, 7)
    app.event('agent.dreamt', { of: 'sheep' }, runId, 12)
    const stored = await server.events(runId, 2)
    viewer.subscribe(runId)
    await viewer.message('replay.end')
    expect(viewer.events(runId)).toEqual(stored)
    expect(viewer.messages('event').map(({ after }) => after)).toEqual([null, 7])
  })

  it('to a run that is being written has no gap and nothing twice', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    for (let index = 0; index < 100; index += 1) app.event(...token(String(index)), runId)
    await server.runWith(runId)
    viewer.subscribe(runId)
    for (let index = 100; index < 300; index += 1) app.event(...token(String(index)), runId)
    await viewer.until(() => (viewer.events(runId).length >= 300 ? true : undefined), '300 events')
    expect(viewer.events(runId).map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, seq) => seq))
  })

  it('afterSeq leaves out what the viewer has', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.run(runId, runStarted, token('a'), token('b'))
    await server.events(runId, 3)
    viewer.subscribe(runId, { afterSeq: 1 })
    await viewer.message('replay.end')
    expect((await viewer.message('replay.start'))['count']).toBe(1)
    expect(viewer.events(runId).map(({ seq }) => seq)).toEqual([2])
  })

  it('payloads "none" leaves the values out, names them, and keeps everything else', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.run(
      runId,
      ['node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i', input: { large: 'x' } }],
      ['node.finished', { nodeId: 'tool:a', instanceId: 'i', output: 'y', durationMs: 1, status: 'ok' }],
    )
    await server.events(runId, 2)
    viewer.subscribe(runId, { payloads: 'none' })
    await viewer.message('replay.end')
    expect(viewer.events(runId).map(({ payload }) => payload)).toEqual([
      { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i', omitted: ['input'] },
      { nodeId: 'tool:a', instanceId: 'i', durationMs: 1, status: 'ok', omitted: ['output'] },
    ])
  })

  it('a second time replays nothing', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.run(runId, runStarted)
    await server.events(runId, 1)
    viewer.subscribe(runId)
    await viewer.message('replay.end')
    viewer.subscribe(runId)
    await viewer.message('replay.end', 2)
    expect(viewer.events(runId)).toHaveLength(1)
  })

  it('unsubscribe stops that subscription', async () => {
    const [app, viewer, runId, other] = [await server.app(), await server.viewer(), newRunId(), newRunId()]
    app.run(runId, runStarted)
    app.run(other, runStarted)
    await server.events(other, 1)
    viewer.subscribe(runId)
    viewer.subscribe(other)
    await viewer.message('replay.end', 2)
    viewer.send({ type: 'unsubscribe', runId })
    await viewer.change('mode.set', { mode: 'run' })
    app.event(...token('a'), runId, 1)
    await server.events(runId, 2)
    app.event(...token('a'), other, 1)
    await viewer.event(other, 'node.token')
    expect(types(viewer.events(runId))).toEqual(['run.started'])
  })

  it('of an unknown run is answered with an error that names it', async () => {
    const [viewer, runId] = [await server.viewer(), newRunId()]
    viewer.subscribe(runId)
    expect(await viewer.message('error')).toMatchObject({ runId, message: expect.stringContaining(runId) })
  })
})

describe('subscribe to *', () => {
  it('is answered with the list of runs', async () => {
    const [app, viewer, runId] = [await server.app(), await server.viewer(), newRunId()]
    app.run(runId, runStarted)
    await server.events(runId, 1)
    viewer.subscribe('*')
    const runs = (await viewer.message('runs'))['runs'] as Frame[]
    expect(runs.find((run) => run['id'] === runId)).toMatchObject({ app: 'a', status: 'running', live: true })
  })

  it('gets run.update when a run is created, finished, and when its app connects and disconnects', async () => {
    const [viewer, runId] = [await server.viewer(), newRunId()]
    viewer.subscribe('*')
    await viewer.message('runs')
    const update = (fits: (run: Frame) => boolean, what: string) =>
      viewer.until(() => {
        const update = viewer.messages('run.update').at(-1)?.['run'] as Frame | undefined
        return update?.['id'] === runId && fits(update) ? update : undefined
      }, what)
    const app = await server.app()
    app.run(runId, runStarted)
    await update((run) => run['status'] === 'running' && run['live'] === true, 'the created run')
    app.event('run.finished', { status: 'error' }, runId, 1)
    await update((run) => run['status'] === 'error', 'the finished run')
    await app.cut()
    await update((run) => run['live'] === false, 'the lost app')
    const back = await server.app()
    back.event('run.finished', { status: 'ok' }, runId, 2)
    await update((run) => run['live'] === true, 'the app that came back')
  })
})

describe('control', () => {
  it('sequence numbers are minted anew when the server relays: any seq may be sent', async () => {
    const [app, viewer] = [await server.app(), await server.viewer()]
    const matcher = { name: newRunId() }
    await viewer.change('breakpoint.set', { matcher })
    await viewer.change('breakpoint.clear', { matcher })
    const [ack, set, clear] = [await app.control('hello.ack'), await app.control('breakpoint.set'), await app.control('breakpoint.clear')]
    expect([ack, set, clear].map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  it('an unroutable exec.resume is answered with an error', async () => {
    const [viewer, runId] = [await server.viewer(), newRunId()]
    viewer.resume(runId, { pauseId: 'nobody', action: 'continue' })
    expect(await viewer.message('error')).toMatchObject({ runId, pauseId: 'nobody', code: 'no-such-pause', message: expect.any(String) })
  })

  it('a repeated change of the mode changes nothing but is answered', async () => {
    const viewer = await server.viewer()
    expect(await viewer.change('mode.set', { mode: 'step' })).toMatchObject({ mode: 'step' })
    expect(await viewer.change('mode.set', { mode: 'step' })).toMatchObject({ mode: 'step' })
  })
})
