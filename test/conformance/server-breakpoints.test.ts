import { describe, expect, it } from 'vitest'
import type { Frame } from './support/peer.ts'
import { newRunId, serverUnderTest, type Viewer } from './support/server.ts'

// Breakpoints beyond the base contract (design 7): who gets them, what becomes of them, and what viewers are told.

const server = serverUnderTest()
const everything = ['bp-where', 'bp-hits', 'bp-log', 'bp-run', 'bp-once', 'bp-pattern']

/** What the viewer was told last of this breakpoint, once it fits. */
function stateOf(viewer: Viewer, id: string, fits: (state: Frame) => boolean): Promise<Frame> {
  return viewer.until(() => {
    const told = (viewer.messages('breakpoints').at(-1)?.['breakpoints'] ?? []) as Frame[]
    return told.find((state) => state['id'] === id && fits(state))
  }, `a state of ${id}`)
}

describe('a matcher with an extra', () => {
  it.each<[string, Frame]>([
    ['bp-where', { where: 'input.amount > 100' }],
    ['bp-hits', { hits: '>= 3' }],
    ['bp-log', { log: true }],
    ['bp-run', { runId: 'r' }],
    ['bp-once', { once: true }],
    ['bp-pattern', { namePattern: 'db_*' }],
    ['bp-pattern', { kinds: ['tool', 'llm'] }],
  ])('goes only to apps that announced %s, live and in the ack', async (capability, extra) => {
    const viewer = await server.viewer()
    const [able, base] = [await server.app({ capabilities: ['pause', capability] }), await server.app()]
    const matcher = { id: newRunId(), ...extra }
    await viewer.change('breakpoint.set', { matcher })
    expect((await able.control('breakpoint.set'))['payload']).toEqual({ matcher })
    await viewer.change('mode.set', { mode: 'run' })
    await base.control('mode.set')
    expect(base.controls('breakpoint.set')).toEqual([])
    const armed = async (capabilities: string[]) =>
      ((await (await server.app({ capabilities })).control('hello.ack'))['payload'] as { breakpoints: unknown[] }).breakpoints
    expect(await armed(['pause', capability])).toContainEqual(matcher)
    expect(await armed(['pause'])).not.toContainEqual(matcher)
  })

  it('that is disabled goes to nobody', async () => {
    const viewer = await server.viewer()
    const app = await server.app({ capabilities: everything })
    const id = newRunId()
    await viewer.change('breakpoint.set', { matcher: { id, enabled: false } })
    await viewer.change('mode.set', { mode: 'run' })
    await app.control('mode.set')
    expect(app.controls('breakpoint.set')).toEqual([])
    expect(await stateOf(viewer, id, () => true)).toMatchObject({ status: 'disabled' })
  })

  it('with a hit count that can’t be read is refused in words', async () => {
    const viewer = await server.viewer()
    viewer.send({
      type: 'control',
      envelope: { gm: 1, seq: 0, ts: 0, runId: '*', type: 'breakpoint.set', payload: { matcher: { hits: 'often' } } },
    })
    expect((await viewer.message('error'))['message']).toContain('often')
  })

  it('once is gone for everybody after its first hit', async () => {
    const viewer = await server.viewer()
    const [one, two] = [await server.app({ capabilities: everything }), await server.app({ capabilities: everything })]
    const matcher = { id: newRunId(), once: true }
    await viewer.change('breakpoint.set', { matcher })
    const states = viewer.messages('state').length
    one.event('breakpoint.hit', { id: matcher.id, nodeId: 'tool:a' }, newRunId())
    expect((await two.control('breakpoint.clear'))['payload']).toEqual({ matcher })
    expect((await viewer.message('state', states + 1))['breakpoints']).not.toContainEqual(matcher)
  })

  it('with a known id takes the place of the old one', async () => {
    const viewer = await server.viewer()
    const app = await server.app({ capabilities: everything })
    const id = newRunId()
    await viewer.change('breakpoint.set', { matcher: { id, name: 'a' } })
    const state = await viewer.change('breakpoint.set', { matcher: { id, name: 'b' } })
    expect((state['breakpoints'] as Frame[]).filter((matcher) => matcher['id'] === id)).toEqual([{ id, name: 'b' }])
    expect((await app.control('breakpoint.clear'))['payload']).toEqual({ matcher: { id, name: 'a' } })
  })
})

describe('the breakpoints message', () => {
  it('says waiting, active or impossible, with a reason where it can’t hit', async () => {
    const viewer = await server.viewer()
    const id = newRunId()
    await viewer.change('breakpoint.set', { matcher: { id, where: 'true' } })
    expect(await stateOf(viewer, id, ({ status }) => status === 'waiting')).toMatchObject({ hits: 0, reason: expect.any(String) })
    const base = await server.app()
    expect(await stateOf(viewer, id, ({ status }) => status === 'impossible')).toMatchObject({
      reason: expect.stringContaining('bp-where'),
    })
    await server.app({ capabilities: everything })
    await stateOf(viewer, id, ({ status, reason }) => status === 'active' && String(reason).includes('bp-where'))
    await base.cut()
    await stateOf(viewer, id, ({ status, reason }) => status === 'active' && reason === undefined)
  })

  it('counts hits and names the last error of a condition; a log point is stored and no pause', async () => {
    const viewer = await server.viewer()
    const [app, runId, id] = [await server.app({ capabilities: everything }), newRunId(), newRunId()]
    await viewer.change('breakpoint.set', { matcher: { id, log: true, where: 'input.a > 1' } })
    app.event('breakpoint.hit', { id, nodeId: 'tool:a', logged: true }, runId)
    app.event('breakpoint.hit', { id, nodeId: 'tool:a', logged: true }, runId)
    await stateOf(viewer, id, ({ hits, status }) => hits === 2 && status === 'active')
    app.event('breakpoint.hit', { id, nodeId: 'tool:a', error: 'no such overload' }, runId)
    await stateOf(viewer, id, ({ status, lastError }) => status === 'failed' && lastError === 'no such overload')
    expect((await server.events(runId, 3)).map(({ type }) => type)).toEqual(['breakpoint.hit', 'breakpoint.hit', 'breakpoint.hit'])
    expect((await server.get<{ pauses: Frame[] }>(`/api/pauses?runId=${runId}`)).body.pauses).toEqual([])
  })

  it('GET /api/breakpoints says the same, with what is armed', async () => {
    const viewer = await server.viewer()
    const id = newRunId()
    await viewer.change('breakpoint.set', { matcher: { id, name: 'a' } })
    const { body } = await server.get<{ breakpoints: Frame[]; mode: string; states: Frame[] }>('/api/breakpoints')
    expect(body.mode).toBe('run')
    expect(body.breakpoints).toContainEqual({ id, name: 'a' })
    expect(body.states.find((state) => state['id'] === id)).toMatchObject({ status: expect.any(String), hits: 0 })
  })
})

describe('a run claim', () => {
  const claim = { capabilities: ['pause', 'run-claim'] }
  const tokenOf = (ack: Frame) => (ack['payload'] as Frame)['sessionToken']
  const hint = ['graph.hint', { nodes: [] }] as const

  it('binds the run to its session: a foreign socket can’t speak in it, connected or within the grace', async () => {
    const [owner, runId] = [await server.app(claim), newRunId()]
    owner.event(...hint, runId)
    await server.events(runId, 1)
    const foreign = await server.app(claim)
    foreign.event('run.finished', { status: 'ok' }, runId)
    await foreign.closed()
    await owner.cut()
    const late = await server.app()
    late.event('run.finished', { status: 'ok' }, runId)
    await late.closed()
    expect(await server.events(runId, 1)).toHaveLength(1)
  })

  it('is given back to who shows the session token', async () => {
    const [owner, runId] = [await server.silentApp(), newRunId()]
    const ack = await owner.hello(claim)
    owner.event(...hint, runId, 0)
    await server.events(runId, 1)
    await owner.cut()
    const back = await server.app({ ...claim, resumeToken: tokenOf(ack) })
    back.event(...hint, runId, 1)
    expect(await server.events(runId, 2)).toHaveLength(2)
  })

  it('binds nobody who did not ask for it', async () => {
    const [owner, runId] = [await server.app(), newRunId()]
    owner.event(...hint, runId, 0)
    await server.events(runId, 1)
    await owner.cut()
    await server.runWith(runId, (run) => run['live'] === false)
    const next = await server.app()
    next.event(...hint, runId, 1)
    expect(await server.events(runId, 2)).toHaveLength(2)
  })
})

describe('unwatchedHoldMs', () => {
  it('lets a call go that is held while no viewer is connected, and names no person for it', async () => {
    const [app, runId] = [await server.app({ unwatchedHoldMs: 20 }), newRunId()]
    app.pause(runId, 'p-1')
    const { payload } = await app.control('exec.resume')
    const { pauseId, action, requestId } = payload as Frame
    expect([pauseId, action]).toEqual(['p-1', 'continue'])
    app.event('exec.resumed', { pauseId, action, requestId, cause: 'viewer' }, runId)
    const record = (await server.events(runId, 2))[1]?.['payload'] as Frame
    expect(record['cause']).toBe('timeout')
    expect(record).not.toHaveProperty('principal')
  })
})
