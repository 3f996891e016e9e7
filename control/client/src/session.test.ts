import { afterEach, describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import type { SessionOptions } from './options.ts'
import type { Session } from './session.ts'
import { type FakeViewer, type FakeViewerOptions, startFakeViewer } from './testing/fake-viewer.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const search = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' } as const

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function viewerWith(options: FakeViewerOptions = {}): Promise<FakeViewer> {
  const viewer = await startFakeViewer(options)
  cleanups.push(() => viewer.close())
  return viewer
}

function sessionFor(viewer: { readonly url: string }, options: SessionOptions = {}): Session & { readonly lines: string[] } {
  const lines: string[] = []
  const session = createSession({ url: viewer.url, appName: 'app', env: {}, logger: { warn: (line) => lines.push(line) }, ...options })
  cleanups.push(() => session.dispose())
  return Object.assign(session, { lines })
}

async function attachedPair(viewerOptions: FakeViewerOptions = {}, options: SessionOptions = {}) {
  const viewer = await viewerWith(viewerOptions)
  const session = sessionFor(viewer, options)
  expect(await session.ready()).toBe(true)
  return { viewer, session }
}

describe('attaching', () => {
  it('says hello with who it is, what it can do and which values it hides', async () => {
    const { viewer, session } = await attachedPair({}, { sdk: { name: 'ai', version: '7' }, spans: 'otlp', hideInputs: true })
    const { payload, runId } = await viewer.event('hello')
    expect(runId).toBe('*')
    expect(payload).toMatchObject({
      versions: { protocol: 1 },
      capabilities: [
        ...['pause', 'step', 'inject', 'retry', 'abort'],
        ...['edit-input', 'bp-where', 'bp-hits', 'bp-log', 'bp-run', 'bp-once', 'bp-pattern'],
      ],
      app: 'app',
      sdk: { name: 'ai', version: '7' },
      spans: 'otlp',
      hide: ['hideInputs'],
      senderId: session.senderId,
    })
  })

  it('claims its runs for itself, unless they are traces, which it may share', async () => {
    const { viewer } = await attachedPair({}, { unwatchedHoldMs: 60_000 })
    const { payload } = await viewer.event('hello')
    expect(payload.capabilities).toContain('run-claim')
    expect(payload.unwatchedHoldMs).toBe(60_000)
  })

  it('has conditions armed when ready() answers, also those whose language had to be loaded', async () => {
    const { session } = await attachedPair({ breakpoints: [{ where: 'input.amount > 10' }] })
    void session.gate('before', search, { input: { amount: 11 } })
    expect(session.stats().heldGates).toBe(1)
  })

  it('touches no network before it is used', async () => {
    const viewer = await viewerWith()
    sessionFor(viewer)
    const other = sessionFor(viewer)
    await other.ready()
    expect(viewer.connections).toBe(1)
  })

  it.each<[string, (session: Session) => unknown]>([
    ['an event', (session) => session.emit('graph.hint', { nodes: [] })],
    ['a gate', (session) => session.gate('before', search)],
    ['a wish to connect', (session) => session.connect()],
    ['a run', (session) => session.run('r', () => 1)],
  ])('connects on the first use: %s', async (_what, use) => {
    const viewer = await viewerWith()
    await use(sessionFor(viewer))
    await viewer.event('hello')
  })

  it('answers ready() for all who wait with one connection, and at once when attached', async () => {
    const viewer = await viewerWith()
    const session = sessionFor(viewer)
    expect(await Promise.all([session.ready(), session.ready(), session.ready()])).toEqual([true, true, true])
    expect(await session.ready({ timeoutMs: 0 })).toBe(true)
    expect(viewer.connections).toBe(1)
  })

  it('answers ready() with false when nobody is there, when disposed and when disabled', async () => {
    const gone = await startFakeViewer()
    await gone.close()
    const session = sessionFor(gone)
    expect(await session.ready({ timeoutMs: 30 })).toBe(false)
    await session.dispose()
    expect(await session.ready()).toBe(false)
    expect(await sessionFor(gone, { enabled: false }).ready()).toBe(false)
  })

  it('finds a debugger that starts while ready() waits', async () => {
    const early = await startFakeViewer()
    const { port } = early
    await early.close()
    const session = sessionFor(early)
    const ready = session.ready({ timeoutMs: 4000 })
    await viewerWith({ port })
    expect(await ready).toBe(true)
  })

  it('stays detached from another protocol, and says so', async () => {
    const viewer = await viewerWith({ protocol: 2, breakpoints: [{}] })
    const session = sessionFor(viewer)
    expect(await session.ready({ timeoutMs: 150 })).toBe(false)
    expect(session.lines.join()).toContain('protocol 2')
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
  })

  it('gives up a debugger that never answers hello', async () => {
    const viewer = await viewerWith({ answerHello: false })
    const session = sessionFor(viewer, { handshakeTimeoutMs: 20, retryIntervalMs: 10 })
    session.emit('graph.hint', { nodes: [] })
    await viewer.until(() => viewer.connections >= 2, 'a second try')
    expect(session.attached).toBe(false)
  })

  it('passes on why a debugger closed the connection, and does not come back at once', async () => {
    const { viewer, session } = await attachedPair({}, { retryIntervalMs: 30 })
    viewer.refuse(1008, 'second-sender: use a run id of your own')
    await viewer.event('hello', 2)
    expect(session.lines.join()).toContain('(1008): second-sender: use a run id of your own')
  })

  it('says what is wrong with an address that is none', async () => {
    const session = sessionFor({ url: 'not an address' })
    expect(await session.ready({ timeoutMs: 10 })).toBe(false)
    expect(session.lines.join()).toContain('GRAPHMIND_URL')
  })

  it('takes the address from GRAPHMIND_URL', async () => {
    const viewer = await viewerWith()
    const session = createSession({ env: { GRAPHMIND_URL: viewer.url } })
    cleanups.push(() => session.dispose())
    expect(await session.ready()).toBe(true)
  })

  it('works through a standard WebSocket class as well', async () => {
    const { viewer, session } = await attachedPair({ breakpoints: [{}] }, { webSocket: WebSocket })
    const gate = session.gate('before', search)
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 1 })
    expect(await gate).toEqual({ action: 'inject', output: 1 })
  })

  it('tells its listeners of every attachment until they stop listening', async () => {
    const { viewer, session } = await attachedPair({}, { retryIntervalMs: 5 })
    let attached = 0
    const stop = session.onAttach(() => {
      attached += 1
    })
    viewer.disconnect()
    await viewer.event('hello', 2)
    await session.ready()
    expect(attached).toBe(1)
    stop()
    viewer.disconnect()
    await viewer.event('hello', 3)
    await session.ready()
    expect(attached).toBe(1)
  })
})

describe('events', () => {
  it('carry the run they are in, also after awaits, and a number each', async () => {
    const { viewer, session } = await attachedPair()
    const emitIn = async (name: string) =>
      session.run(name, async (context) => {
        await new Promise((resolve) => setImmediate(resolve))
        session.emit('graph.hint', { nodes: [{ nodeId: name, kind: 'tool', name }] })
        return context.runId
      })
    const [left, right] = await Promise.all([emitIn('left'), emitIn('right')])
    await viewer.event('run.finished', 2)
    expect(viewer.events('graph.hint').map(({ runId, payload }) => [runId, payload.nodes[0]?.name])).toEqual([
      [left, 'left'],
      [right, 'right'],
    ])
    expect(viewer.events('run.started').map(({ payload }) => payload.meta?.['name'])).toEqual(['left', 'right'])
    const seqs = viewer.envelopes.filter(({ runId }) => runId !== '*').map(({ seq }) => seq)
    expect(seqs).toEqual([...seqs.keys()])
  })

  it('outside of every run are collected in one of the session’s own', async () => {
    const { viewer, session } = await attachedPair()
    session.emit('graph.hint', { nodes: [] })
    session.emit('graph.hint', { nodes: [] })
    const second = await viewer.event('graph.hint', 2)
    expect(viewer.events('run.started').map(({ runId }) => runId)).toEqual([second.runId])
    await session.dispose()
    expect((await viewer.event('run.finished')).payload.status).toBe('ok')
  })

  it('may name a trace as their run', async () => {
    const { viewer, session } = await attachedPair()
    session.emit('node.token', { nodeId: 'llm:step', instanceId: 'a', deltas: [{ t: 'text', v: 'x' }] }, { runId: TRACE })
    expect((await viewer.event('node.token')).runId).toBe(TRACE)
    expect(viewer.events('run.started')).toEqual([])
  })

  it('wait for a debugger that attaches later, and go out again when it comes back', async () => {
    const { viewer, session } = await attachedPair({}, { retryIntervalMs: 5 })
    session.emit('graph.hint', { nodes: [] }, { runId: 'a' })
    session.emit('graph.hint', { nodes: [] }, { runId: 'b' })
    await viewer.event('graph.hint', 2)
    viewer.disconnect()
    await viewer.event('graph.hint', 4)
    expect(viewer.events('graph.hint').map(({ runId, seq }) => [runId, seq])).toEqual([
      ['a', 0],
      ['b', 1],
      ['a', 0],
      ['b', 1],
    ])
  })

  it('that did not fit into the buffer are announced, not passed over', async () => {
    const viewer = await viewerWith()
    const session = sessionFor(viewer, { bufferSize: 3 })
    for (let index = 0; index < 10; index += 1) session.emit('graph.hint', { nodes: [] }, { runId: 'a' })
    expect(session.stats()).toMatchObject({ buffered: 3, dropped: 7, lost: 7, pendingGaps: 1, seq: 10 })
    expect(session.lines.filter((line) => line.includes('lost'))).toHaveLength(1)
    const gap = await viewer.waitFor(
      (envelope) => envelope.type === 'graph.hint' && (envelope.payload as { gap?: unknown }).gap !== undefined,
    )
    expect(gap).toMatchObject({ runId: 'a', seq: 10, payload: { nodes: [], gap: { droppedCount: 7, fromSeq: 0, toSeq: 6 } } })
    expect(viewer.events('graph.hint').map(({ seq }) => seq)).toEqual([7, 8, 9, 10])
    expect(session.stats()).toMatchObject({ lost: 7, pendingGaps: 0 })
  })

  it('are cut when they are too large, with one warning a type', async () => {
    const { viewer, session } = await attachedPair()
    for (let index = 0; index < 2; index += 1) session.emit('node.started', { ...search, input: 'x'.repeat(600_000) })
    expect((await viewer.event('node.started', 2)).payload).toMatchObject({ __graphmindTruncated: true, fields: ['input'] })
    expect(session.lines.filter((line) => line.includes('cut'))).toHaveLength(1)
    expect(viewer.problems).toEqual([])
  })

  it('never carry what is hidden', async () => {
    const { viewer, session } = await attachedPair({ breakpoints: [{}] }, { hideInputs: true, hideOutputs: true })
    session.emit('node.started', { ...search, input: 'canary' })
    session.emit('node.finished', { ...search, output: 'canary', durationMs: 1, status: 'ok' })
    const gate = session.gate('before', search, { input: { key: 'canary' }, output: 'canary' })
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 'canary' })
    expect(await gate).toEqual({ action: 'inject', output: 'canary' })
    await viewer.event('exec.resumed')
    expect(JSON.stringify(viewer.envelopes)).not.toContain('canary')
  })

  it('with values that JSON can’t say, or an impossible run id, hurt nobody', async () => {
    const { viewer, session } = await attachedPair()
    const cycle: Record<string, unknown> = { big: 1n }
    cycle['self'] = cycle
    session.emit('node.started', { ...search, input: cycle })
    session.emit('node.started', { ...search }, { runId: 'half a pair \ud800' })
    expect((await viewer.event('node.started')).payload.input).toEqual({ big: '1', self: '[circular]' })
    expect(session.lines.join()).toContain('run id')
  })
})

describe('runs', () => {
  it('end ok, with an error that is thrown on untouched, or aborted', async () => {
    const { viewer, session } = await attachedPair({ breakpoints: [{}] })
    expect(await session.run('fine', () => 7)).toBe(7)
    const failure = new TypeError('the host’s own')
    await expect(session.run('bad', () => Promise.reject(failure))).rejects.toBe(failure)
    const aborted = session.run('stopped', async (context) => {
      await session.gate('before', search)
      throw context.signal.reason
    })
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    await viewer.event('run.finished', 3)
    expect(viewer.events('run.finished').map(({ payload }) => payload.status)).toEqual(['ok', 'error', 'aborted'])
    expect(viewer.events('run.finished')[1]?.payload.error).toMatchObject({ name: 'TypeError', message: 'the host’s own' })
  })

  it('work the same when the session is disabled, and nothing else happens', async () => {
    const viewer = await viewerWith({ breakpoints: [{}] })
    const session = sessionFor(viewer, { env: { GRAPHMIND_DISABLED: '1' }, enabled: true })
    const seen = await session.run('quiet', async (context) => {
      session.emit('graph.hint', { nodes: [] })
      expect(await session.gate('before', search)).toEqual({ action: 'continue' })
      expect(session.currentRun()).toBe(context)
      return { runId: context.runId, aborted: context.signal.aborted, name: context.name }
    })
    expect(seen).toEqual({ runId: expect.stringMatching(/^run_/), aborted: false, name: 'quiet' })
    expect(session.stats()).toMatchObject({ enabled: false, buffered: 0 })
    expect(viewer.connections).toBe(0)
    expect(session.lines).toEqual([])
  })
})
