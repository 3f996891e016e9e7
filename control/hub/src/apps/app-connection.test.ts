import { describe, expect, it } from 'vitest'
import { FakeApp, FakeUi, hubInMemory, settle, until } from '../../test-support/fake-peers.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
/** What an app was given to prove itself with. */
const tokenOf = (app: FakeApp): string => app.received('hello.ack')[0]?.sessionToken ?? ''

const started = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'i' } as const

describe('the handshake', () => {
  it('arms an app with everything in one answer', () => {
    const { hub } = hubInMemory({ breakpoints: [{ point: 'error' }, { kind: 'tool' }], mode: 'step' })
    const app = new FakeApp(hub).hello({ capabilities: ['pause', 'later'] })
    const [ack] = app.controls
    expect(ack).toMatchObject({
      gm: 1,
      runId: '*',
      type: 'hello.ack',
      payload: {
        versions: { protocol: 1, viewer: '0.7.0' },
        capabilities: ['pause', 'later'],
        breakpoints: [{ point: 'error' }, { kind: 'tool' }],
        mode: 'step',
        sessionToken: expect.any(String),
        hubCapabilities: ['edit-input', 'run-claim'],
      },
    })
  })

  it('refuses another protocol, in the envelope or in hello, and says which it speaks', () => {
    const { hub } = hubInMemory()
    const inHello = new FakeApp(hub).hello({ versions: { protocol: 2, client: '9' } })
    expect(inHello.peer.closing).toEqual({ code: 1002, reason: 'version-mismatch: this server speaks protocol 1, not 2' })
    const inEnvelope = new FakeApp(hub)
    inEnvelope.sendText(JSON.stringify({ gm: 3, seq: 0, ts: 0, runId: '*', type: 'hello', payload: {} }))
    expect(inEnvelope.peer.closing?.code).toBe(1002)
  })

  it('keeps conditions from apps that do not know them, and disabled breakpoints from all', () => {
    const breakpoints = [{ kind: 'tool', where: 'input.q == 1' } as const, { name: 'off', enabled: false }, { name: 'plain', id: 'b-1' }]
    const { hub } = hubInMemory({ breakpoints })
    expect(new FakeApp(hub).hello().received('hello.ack')[0]?.breakpoints).toEqual([{ name: 'plain', id: 'b-1' }])
    expect(new FakeApp(hub).hello({ capabilities: ['bp-where'] }).received('hello.ack')[0]?.breakpoints).toEqual([
      breakpoints[0],
      breakpoints[2],
    ])
  })
})

describe('events of an app', () => {
  it('of a trace are numbered by the store, and a replay doubles nothing', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello({ senderId: 's' })
    app.event('node.started', started, TRACE, 7)
    app.event('node.token', { nodeId: 'llm:step', deltas: [] }, TRACE, 9)
    await until(() => store.envelopes(TRACE).length === 2)
    app.disconnect()
    const again = new FakeApp(hub).hello({ senderId: 's' })
    again.event('node.started', started, TRACE, 7)
    again.event('node.finished', { nodeId: 'tool:search', durationMs: 1, status: 'ok' }, TRACE, 10)
    await until(() => store.envelopes(TRACE).length === 3)
    expect(store.envelopes(TRACE).map(({ seq, type }) => [seq, type])).toEqual([
      [0, 'node.started'],
      [1, 'node.token'],
      [2, 'node.finished'],
    ])
  })

  it('of a run of its own keep the number they came with', async () => {
    const { hub, store } = hubInMemory()
    new FakeApp(hub).hello({ senderId: 's' }).event('node.started', started, 'run_1', 41)
    await until(() => store.envelopes('run_1').length === 1)
    expect(store.envelopes('run_1')[0]?.seq).toBe(41)
  })

  it('are numbered by the store when the app said that its nodes come as spans', async () => {
    const { hub, store } = hubInMemory()
    new FakeApp(hub).hello({ senderId: 's', spans: 'otlp' }).event('node.started', started, 'run_1', 41)
    await until(() => store.envelopes('run_1').length === 1)
    expect(store.envelopes('run_1')[0]?.seq).toBe(0)
  })

  it('of unknown types are stored as they are; broken ones are left out and counted', async () => {
    const { hub, store, problems } = hubInMemory()
    const app = new FakeApp(hub).hello()
    app.sendText(JSON.stringify({ gm: 1, seq: 0, ts: 5, runId: 'run_1', type: 'future.event', payload: { any: ['thing'] } }))
    app.sendText('{"half":')
    app.sendText(JSON.stringify({ gm: 1, seq: 1, ts: 5, runId: 'run_1', type: 'node.started', payload: {} }))
    app.sendText(JSON.stringify({ gm: 1, seq: 2, ts: 5, runId: '*', type: 'node.token', payload: { nodeId: 'n', deltas: [] } }))
    await until(() => store.envelopes('run_1').length === 1)
    expect(store.envelopes('run_1')[0]).toMatchObject({ type: 'future.event', payload: { any: ['thing'] } })
    expect(problems.map(({ code }) => code)).toEqual(['bad-frame', 'not-an-event'])
    expect(app.peer.closing).toBeUndefined()
  })

  it('come in batches, in order, while the store is busy', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello()
    for (let index = 0; index < 100; index += 1) app.event('node.token', { nodeId: 'n', deltas: [] }, 'run_1', index)
    await until(() => store.envelopes('run_1').length === 100)
    expect(store.appends).toBe(1)
  })

  it('that the store can’t take are reported, and later ones still arrive', async () => {
    const { hub, store, problems } = hubInMemory()
    const app = new FakeApp(hub).hello()
    store.failure = new Error('disk full')
    app.event('node.started', started, 'run_1')
    await until(() => problems.length === 1)
    expect(problems[0]).toMatchObject({ code: 'store-failed', message: '1 events of an app could not be stored: disk full' })
    store.failure = undefined
    app.event('node.started', started, 'run_1')
    await until(() => store.envelopes('run_1').length === 1)
  })

  it('may not pretend who released a call', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello()
    app.resumed('p', TRACE, { principal: 'admin', operator: 'eve' })
    await until(() => store.envelopes(TRACE).length === 1)
    expect(store.envelopes(TRACE)[0]?.payload).toEqual({ pauseId: 'p', action: 'continue', cause: 'viewer' })
  })

  it('are no way to send controls to others', async () => {
    const { hub, problems } = hubInMemory()
    const app = new FakeApp(hub).hello()
    app.sendText(JSON.stringify({ gm: 1, seq: 1, ts: 5, runId: '*', type: 'mode.set', payload: { mode: 'step' } }))
    expect(problems[0]?.code).toBe('not-an-event')
    expect(hub.debugState().mode).toBe('run')
  })
})

describe('two senders in one run that the client numbers', () => {
  it('are refused aloud while the first is connected', () => {
    const { hub, problems } = hubInMemory()
    new FakeApp(hub).hello({ senderId: 'a' }).event('node.started', started, 'run_1')
    const second = new FakeApp(hub).hello({ senderId: 'b' })
    second.event('node.started', started, 'run_1')
    expect(second.peer.closing).toMatchObject({ code: 1008, reason: expect.stringContaining('second-sender') })
    expect(problems[0]?.code).toBe('refused')
  })

  it('are one when the first comes back before its loss was noticed, and allowed when it is gone', () => {
    const { hub } = hubInMemory()
    const first = new FakeApp(hub).hello({ senderId: 'a' })
    first.event('node.started', started, 'run_1')
    first.pause('p', 'run_1')
    const back = new FakeApp(hub).hello({ senderId: 'a', resumeToken: tokenOf(first) })
    expect(first.peer.closing?.reason).toContain('newer connection')
    expect(hub.pauses()).toEqual([])
    back.event('node.started', started, 'run_1')
    expect(back.peer.closing).toBeUndefined()
    back.disconnect()
    const other = new FakeApp(hub).hello({ senderId: 'b' })
    other.event('node.started', started, 'run_1')
    expect(other.peer.closing).toBeUndefined()
  })

  it('are fine in a trace, which the store numbers', () => {
    const { hub } = hubInMemory()
    new FakeApp(hub).hello({ senderId: 'a' }).event('node.started', started, TRACE)
    const second = new FakeApp(hub).hello({ senderId: 'b' })
    second.event('node.started', started, TRACE)
    expect(second.peer.closing).toBeUndefined()
  })
})

describe('a run that its app claims', () => {
  const claim = { capabilities: ['run-claim'] }

  function claimed() {
    let nowMs = 0
    const parts = hubInMemory({ claimGraceMs: 100, nowMs: () => nowMs })
    const owner = new FakeApp(parts.hub).hello({ ...claim, senderId: 'a' })
    owner.event('node.started', started, 'run_1')
    return {
      ...parts,
      owner,
      pass(ms: number) {
        nowMs += ms
      },
    }
  }

  it('can’t be had by whoever says the same senderId', () => {
    const { hub, owner } = claimed()
    const thief = new FakeApp(hub).hello({ ...claim, senderId: 'a' })
    expect(owner.peer.closing).toBeUndefined()
    thief.event('run.finished', { status: 'ok' }, 'run_1')
    expect(thief.peer.closing?.reason).toContain('second-sender')
  })

  it('stays its own within the grace period, and no longer', () => {
    const { hub, owner, pass } = claimed()
    owner.disconnect()
    pass(99)
    const early = new FakeApp(hub).hello({ ...claim, senderId: 'b' })
    early.event('node.started', started, 'run_1')
    expect(early.peer.closing?.code).toBe(1008)
    pass(1)
    const late = new FakeApp(hub).hello({ ...claim, senderId: 'b' })
    late.event('node.started', started, 'run_1')
    expect(late.peer.closing).toBeUndefined()
  })

  it('is its own again when it shows a token, also an older one, whose successor may have been lost', () => {
    const { hub, owner } = claimed()
    const first = tokenOf(owner)
    owner.disconnect()
    const second = new FakeApp(hub).hello({ ...claim, senderId: 'a', resumeToken: first })
    second.event('node.started', started, 'run_1')
    second.disconnect()
    const third = new FakeApp(hub).hello({ ...claim, senderId: 'a', resumeToken: first })
    third.event('node.started', started, 'run_1')
    expect([second.peer.closing, third.peer.closing]).toEqual([undefined, undefined])
  })

  it('has its held calls again when it comes back and still holds them', () => {
    const { hub, owner } = claimed()
    owner.pause('p', 'run_1')
    owner.disconnect()
    expect(hub.pauses()).toEqual([])
    const back = new FakeApp(hub).hello({ ...claim, senderId: 'a', resumeToken: tokenOf(owner) })
    back.pause('p', 'run_1')
    expect(hub.pauses()).toMatchObject([{ pauseId: 'p', state: 'open' }])
  })

  it('is not claimed from anybody who did not ask for it: then it is free as soon as its app is gone', () => {
    const { hub } = hubInMemory()
    const app = new FakeApp(hub).hello({ senderId: 'a' })
    app.event('node.started', started, 'run_1')
    app.disconnect()
    const next = new FakeApp(hub).hello({ senderId: 'b' })
    next.event('node.started', started, 'run_1')
    expect(next.peer.closing).toBeUndefined()
  })
})

describe('the limits of an app', () => {
  const frameOf = (bytes: number) => {
    const envelope = { gm: 1, seq: 0, ts: 5, runId: 'run_1', type: 'x', payload: { text: '' } }
    envelope.payload.text = 'x'.repeat(bytes - JSON.stringify(envelope).length)
    return JSON.stringify(envelope)
  }

  it('take a frame of the largest size and refuse one byte more', () => {
    const { hub } = hubInMemory({ limits: { appFrameBytes: 1000 } })
    const app = new FakeApp(hub)
    app.sendText(frameOf(1000))
    expect(app.peer.closing).toBeUndefined()
    app.sendText(frameOf(1001))
    expect(app.peer.closing).toEqual({ code: 1009, reason: 'frame-too-large: 1001 bytes, at most 1000' })
  })

  it('let a burst pass, refuse more, and refill with time', () => {
    let nowMs = 0
    const { hub } = hubInMemory({ limits: { appBurstFrames: 3, appFramesPerSecond: 1 }, nowMs: () => nowMs })
    const app = new FakeApp(hub)
    for (let index = 0; index < 3; index += 1) app.sendText('{}')
    nowMs = 1000
    app.sendText('{}')
    expect(app.peer.closing).toBeUndefined()
    app.sendText('{}')
    expect(app.peer.closing).toMatchObject({ code: 1008, reason: expect.stringContaining('rate-limited') })
  })

  it('bound what waits for a store that is stuck', async () => {
    const { hub, store } = hubInMemory({ limits: { appPendingBytes: 2000 } })
    store.append = () => new Promise(() => undefined)
    const app = new FakeApp(hub)
    app.sendText(frameOf(1000))
    app.sendText(frameOf(1000))
    await settle()
    expect(app.peer.closing).toBeUndefined()
    app.sendText(frameOf(1000))
    expect(app.peer.closing).toMatchObject({ code: 1013, reason: expect.stringContaining('overloaded') })
  })

  it('bound how many calls one app holds', () => {
    const { hub } = hubInMemory({ limits: { appHeldCalls: 2 } })
    const app = new FakeApp(hub).hello()
    app.pause('p1', TRACE)
    app.pause('p2', TRACE)
    expect(app.peer.closing).toBeUndefined()
    app.pause('p3', TRACE)
    expect(app.peer.closing).toMatchObject({ code: 1008, reason: expect.stringContaining('too-many-held-calls') })
    expect(hub.pauses()).toEqual([])
  })
})

describe('what the collector is told of sessions', () => {
  it('is which runs an app speaks for, once each, and that it is gone', async () => {
    const { hub, told } = hubInMemory()
    const app = new FakeApp(hub).hello()
    app.event('node.started', started, TRACE)
    app.event('node.token', { nodeId: 'n', deltas: [] }, TRACE)
    app.event('node.started', started, 'run_1')
    app.disconnect()
    app.disconnect()
    await settle()
    expect(told).toEqual([`attached ${TRACE}`, 'attached run_1', `detached ${TRACE} run_1`])
  })
})

describe('breakpoints and mode', () => {
  it('are shared by all viewers and relayed to every app', () => {
    const { hub } = hubInMemory()
    const app = new FakeApp(hub).hello()
    const greeted = new FakeApp(hub)
    const [left, right] = [new FakeUi(hub), new FakeUi(hub)]
    left.setBreakpoint({ kind: 'tool', name: 'search' })
    left.setMode('step')
    right.clearBreakpoint({ name: 'search', kind: 'tool' })
    expect(app.controls.map(({ type, runId, seq }) => [type, runId, seq])).toEqual([
      ['hello.ack', '*', 0],
      ['breakpoint.set', '*', 1],
      ['mode.set', '*', 2],
      ['breakpoint.clear', '*', 3],
    ])
    expect(greeted.controls).toEqual([])
    const states = [
      { type: 'state', breakpoints: [{ point: 'error' }, { kind: 'tool', name: 'search' }], mode: 'run' },
      { type: 'state', breakpoints: [{ point: 'error' }, { kind: 'tool', name: 'search' }], mode: 'step' },
      { type: 'state', breakpoints: [{ point: 'error' }], mode: 'step' },
    ]
    expect(left.received('state')).toEqual(states)
    expect(right.received('state')).toEqual(states)
  })

  it('exist once, whatever the order of their fields', () => {
    const { hub } = hubInMemory()
    const app = new FakeApp(hub).hello()
    const viewer = new FakeUi(hub)
    viewer.setBreakpoint({ kind: 'tool', name: 'a' })
    viewer.setBreakpoint({ name: 'a', kind: 'tool' })
    viewer.setBreakpoint({ name: 'a', kind: 'tool', point: 'before' })
    expect(hub.debugState().breakpoints).toHaveLength(3)
    expect(app.received('breakpoint.set')).toHaveLength(2)
  })

  it('are bounded in number and size, and the viewer learns why', () => {
    const { hub } = hubInMemory({ limits: { breakpoints: 2, matcherBytes: 40 } })
    const viewer = new FakeUi(hub)
    viewer.setBreakpoint({ name: 'x'.repeat(29) })
    expect(viewer.received('error')).toEqual([])
    viewer.setBreakpoint({ name: 'x'.repeat(30) })
    viewer.setBreakpoint({ name: 'one too many' })
    expect(viewer.received('error').map(({ message }) => message)).toEqual([
      'A breakpoint may have at most 40 bytes.',
      'At most 2 breakpoints can be set. Clear one first.',
    ])
  })
})

describe('disposing of the hub', () => {
  it('closes everybody and waits until what they sent is stored', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello()
    const viewer = new FakeUi(hub)
    viewer.subscribe('*')
    app.event('node.started', started, TRACE)
    await hub.dispose()
    expect(store.envelopes(TRACE)).toHaveLength(1)
    expect(app.peer.closing?.code).toBe(1001)
    expect(viewer.peer.closing?.code).toBe(1001)
    expect(store.listening).toBe(0)
  })
})
