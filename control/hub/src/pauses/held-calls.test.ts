import { emptyRun, foldEnvelope } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeApp, FakeUi, hubInMemory, settle, until } from '../../test-support/fake-peers.ts'
import { SILENCE_MS } from './desk.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function heldCall() {
  const parts = hubInMemory()
  const app = new FakeApp(parts.hub).hello({ senderId: 's' })
  app.pause('p', TRACE, { input: { q: 1 } })
  return { ...parts, app }
}

describe('a held call', () => {
  it('is listed with what is needed to show it', () => {
    const { hub, told } = heldCall()
    expect(hub.pauses()).toEqual([
      {
        runId: TRACE,
        pauseId: 'p',
        nodeId: 'tool:search',
        point: 'before',
        state: 'open',
        since: 5,
        payload: expect.objectContaining({ input: { q: 1 } }),
      },
    ])
    expect(told).toContain(`held ${TRACE} 1`)
  })

  it('is kept with whether anybody was watching when it began, whatever the app claims', async () => {
    const { hub, store, app } = heldCall()
    app.pause('claimed', TRACE, { watched: true })
    const viewer = new FakeUi(hub)
    app.pause('seen', TRACE)
    viewer.disconnect()
    app.pause('left', TRACE)
    await until(() => store.envelopes(TRACE, 'exec.paused').length === 4)
    expect(store.envelopes(TRACE, 'exec.paused').map(({ payload }) => payload)).toMatchObject([
      { pauseId: 'p', watched: false },
      { pauseId: 'claimed', watched: false },
      { pauseId: 'seen', watched: true },
      { pauseId: 'left', watched: false },
    ])
    expect(hub.pause(TRACE, 'seen')?.payload['watched']).toBe(true)
  })

  it('is released by a viewer, who gets the app’s answer and is named in the record', async () => {
    const { hub, store, app, told } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'p', action: 'inject', output: { flight: 'OS 355' }, requestId: 'r-1' })
    expect(app.received('exec.resume')).toEqual([{ pauseId: 'p', action: 'inject', output: { flight: 'OS 355' }, requestId: 'r-1' }])
    expect(app.controls.at(-1)?.runId).toBe(TRACE)
    expect(viewer.received('resume.result')).toEqual([])
    app.resumed('p', TRACE, { action: 'inject', injected: { output: { flight: 'OS 355' } }, requestId: 'r-1' })
    await until(() => viewer.received('resume.result').length === 1)
    expect(viewer.received('resume.result')).toEqual([
      { type: 'resume.result', runId: TRACE, pauseId: 'p', requestId: 'r-1', outcome: 'resumed' },
    ])
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 1)
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toMatchObject({ requestId: 'r-1', principal: 'viewer' })
    expect(hub.pauses()).toEqual([])
    expect(told).toContain(`held ${TRACE} 0`)
  })

  it('relays only what a resume may carry', () => {
    const { hub, app } = heldCall()
    new FakeUi(hub).resume(TRACE, { pauseId: 'p', action: 'continue', output: 'not with continue', principal: 'root', extra: 1 })
    expect(app.received('exec.resume')).toEqual([{ pauseId: 'p', action: 'continue', requestId: expect.any(String) }])
  })

  it('goes to the first who asks; the second learns who was first', async () => {
    const { hub, app } = heldCall()
    const [first, second] = [new FakeUi(hub, 'ada'), new FakeUi(hub, 'bob')]
    first.resume(TRACE, { pauseId: 'p', action: 'continue', requestId: 'r-1' })
    second.resume(TRACE, { pauseId: 'p', action: 'abort', requestId: 'r-2' })
    await until(() => second.received('resume.result').length === 1)
    expect(second.received('resume.result')[0]).toMatchObject({ outcome: 'taken', code: 'pause-taken', by: 'ada', requestId: 'r-2' })
    expect(second.received('error')[0]).toMatchObject({ code: 'pause-taken', runId: TRACE, pauseId: 'p' })
    expect(app.received('exec.resume')).toHaveLength(1)
    app.resumed('p', TRACE, { requestId: 'r-1' })
    await until(() => first.received('resume.result').length === 1)
    expect(first.received('resume.result')[0]?.outcome).toBe('resumed')
    second.resume(TRACE, { pauseId: 'p', action: 'continue' })
    await until(() => second.received('resume.result').length === 2)
    expect(second.received('resume.result')[1]).toMatchObject({ outcome: 'taken', by: 'ada' })
  })

  it('stays held when the app refuses, and can be released again', async () => {
    const { hub, app } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'p', action: 'continue', input: { q: 'x' }, requestId: 'r-1' })
    expect(app.received('exec.resume')[0]).toMatchObject({ input: { q: 'x' } })
    app.event('exec.refused', { pauseId: 'p', code: 'schema', message: 'q must be a number', requestId: 'r-1' }, TRACE)
    await until(() => viewer.received('resume.result').length === 1)
    expect(viewer.received('resume.result')[0]).toMatchObject({ outcome: 'refused', code: 'schema', message: 'q must be a number' })
    expect(hub.pauses()[0]?.state).toBe('open')
    viewer.resume(TRACE, { pauseId: 'p', action: 'continue', requestId: 'r-2' })
    app.resumed('p', TRACE, { requestId: 'r-2' })
    await until(() => viewer.received('resume.result').length === 2)
    expect(viewer.received('resume.result')[1]?.outcome).toBe('resumed')
  })

  it('opens again after five silent seconds', async () => {
    const { hub } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'p', action: 'continue' })
    vi.advanceTimersByTime(SILENCE_MS - 1)
    await settle()
    expect(viewer.received('resume.result')).toEqual([])
    vi.advanceTimersByTime(1)
    await until(() => viewer.received('resume.result').length === 1)
    expect(viewer.received('resume.result')[0]).toMatchObject({ outcome: 'timeout' })
    expect(hub.pauses()[0]?.state).toBe('open')
  })

  it('may be asked for with more patience, and a late answer still counts', async () => {
    const { hub, app } = heldCall()
    const patient = hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', requestId: 'r-1', principal: 'agent', waitMs: 30_000 })
    vi.advanceTimersByTime(SILENCE_MS)
    expect(hub.pauses()[0]?.state).toBe('open')
    const second = hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', requestId: 'r-2', principal: 'viewer' })
    app.resumed('p', TRACE, { requestId: 'r-1' })
    expect(await patient).toEqual({ outcome: 'resumed' })
    expect(await second).toMatchObject({ outcome: 'taken', by: 'agent' })
  })

  it('may be asked for with less patience, and stays taken meanwhile', async () => {
    const { hub } = heldCall()
    const hasty = hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', principal: 'agent', operator: ' An\u0000na ', waitMs: 10 })
    vi.advanceTimersByTime(10)
    expect(await hasty).toMatchObject({ outcome: 'timeout' })
    expect(await hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', principal: 'viewer' })).toMatchObject({
      outcome: 'taken',
      by: 'agent (An na)',
    })
  })

  it('names in the record what the person called themselves, made printable and short', async () => {
    const { hub, app, store } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'p', action: 'continue', requestId: 'r', operator: `Anna\n${'x'.repeat(100)}` })
    expect(app.received('exec.resume')).toEqual([{ pauseId: 'p', action: 'continue', requestId: 'r' }])
    app.resumed('p', TRACE, { requestId: 'r', operator: 'somebody else' })
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 1)
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toMatchObject({ operator: `Anna ${'x'.repeat(59)}` })
  })

  it('tells listeners of every change until they stop', async () => {
    const { hub } = hubInMemory()
    const seen: number[] = []
    const stop = hub.onPauses(() => seen.push(hub.pauses().length))
    const app = new FakeApp(hub).hello()
    app.pause('p', TRACE)
    app.resumed('p', TRACE)
    stop()
    app.pause('q', TRACE)
    expect(seen).toEqual([1, 0])
    expect(hub.pause(TRACE, 'q')).toMatchObject({ pauseId: 'q' })
    expect(hub.pause(TRACE, 'p')).toBeUndefined()
  })

  it('never gets back what stood for a hidden or cut value', async () => {
    const { hub, app } = heldCall()
    const answers = await Promise.all([
      hub.resume({ runId: TRACE, pauseId: 'p', action: 'inject', output: ['__REDACTED__'], principal: 'agent' }),
      hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', input: { q: { __graphmindTruncated: true } }, principal: 'agent' }),
    ])
    expect(answers).toMatchObject([
      { outcome: 'refused', code: 'placeholder' },
      { outcome: 'refused', code: 'truncated' },
    ])
    expect(app.received('exec.resume')).toEqual([])
  })

  it('that nobody knows is answered, too', async () => {
    const { hub } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'other', action: 'continue' })
    await until(() => viewer.received('resume.result').length === 1)
    expect(viewer.received('resume.result')[0]).toMatchObject({ outcome: 'no-such-pause' })
    expect(viewer.received('error')[0]).toMatchObject({ code: 'no-such-pause' })
  })

  it('of another app can’t be released by a stranger’s word', async () => {
    const { hub, store } = heldCall()
    const stranger = new FakeApp(hub).hello({ senderId: 'stranger' })
    stranger.resumed('p', TRACE)
    await settle()
    expect(hub.pauses()).toHaveLength(1)
    expect(store.envelopes(TRACE, 'exec.resumed')).toEqual([])
  })

  it('is reported with its principal when an agent releases it over HTTP', async () => {
    const { hub, store, app } = heldCall()
    const answer = hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', principal: 'agent' })
    app.resumed('p', TRACE, { requestId: app.received('exec.resume')[0]?.requestId })
    expect(await answer).toEqual({ outcome: 'resumed' })
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 1)
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toMatchObject({ principal: 'agent' })
  })
})

describe('when the app’s socket is gone', () => {
  it('its held calls are closed, the record says why, and whoever waited learns it', async () => {
    const { hub, store, app, told } = heldCall()
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: 'p', action: 'continue' })
    app.disconnect()
    await until(() => viewer.received('resume.result').length === 1)
    expect(viewer.received('resume.result')[0]).toMatchObject({ outcome: 'timeout', code: 'no-owner' })
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 1)
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toEqual({
      pauseId: 'p',
      action: 'continue',
      cause: 'link-lost',
      nodeId: 'tool:search',
    })
    expect(hub.pauses()).toEqual([])
    expect(told.slice(-2)).toEqual([`held ${TRACE} 0`, `detached ${TRACE}`])
  })

  it('the app’s own account of it, replayed later, folds into the same picture', async () => {
    const { hub, store, app } = heldCall()
    app.disconnect()
    const back = new FakeApp(hub).hello({ senderId: 's' })
    back.event(
      'exec.paused',
      { pauseId: 'p', nodeId: 'tool:search', point: 'before', kind: 'tool', name: 'search', input: { q: 1 } },
      TRACE,
      0,
    )
    back.event('exec.resumed', { pauseId: 'p', action: 'continue', cause: 'link-lost', heldMs: 12, nodeId: 'tool:search' }, TRACE, 1)
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 2)
    expect(hub.pauses()).toEqual([])
    expect(store.envelopes(TRACE, 'exec.paused')).toHaveLength(1)
    const picture = emptyRun(TRACE)
    for (const envelope of store.envelopes(TRACE)) foldEnvelope(picture, envelope)
    expect(picture.pauses.get('p')?.released).toMatchObject({ action: 'continue', cause: 'link-lost' })
  })

  it('nothing is made up in a run that the app numbers itself', async () => {
    const { hub, store } = hubInMemory()
    const app = new FakeApp(hub).hello({ senderId: 's' })
    app.pause('p', 'run_1')
    app.disconnect()
    await settle()
    expect(store.envelopes('run_1').map(({ type }) => type)).toEqual(['exec.paused'])
    expect(hub.pauses()).toEqual([])
  })
})

describe('a call that nobody can see', () => {
  function unwatched(unwatchedHoldMs?: number) {
    const parts = hubInMemory()
    const app = new FakeApp(parts.hub).hello({ ...(unwatchedHoldMs === undefined ? {} : { unwatchedHoldMs }) })
    return { ...parts, app }
  }

  it('is let go after the time its app said, and no person is named for it', async () => {
    const { app, store } = unwatched(100)
    app.pause('p', TRACE)
    vi.advanceTimersByTime(99)
    expect(app.received('exec.resume')).toEqual([])
    vi.advanceTimersByTime(1)
    const [command] = app.received('exec.resume')
    expect(command).toMatchObject({ pauseId: 'p', action: 'continue' })
    app.resumed('p', TRACE, { requestId: command?.requestId })
    await until(() => store.envelopes(TRACE, 'exec.resumed').length === 1)
    const { payload } = store.envelopes(TRACE, 'exec.resumed')[0] ?? {}
    expect(payload).toMatchObject({ action: 'continue', cause: 'timeout', unwatched: true })
    expect(payload).not.toHaveProperty('principal')
  })

  it('is held for ever when its app said nothing', () => {
    const { app } = unwatched()
    app.pause('p', TRACE)
    vi.advanceTimersByTime(86_400_000)
    expect(app.received('exec.resume')).toEqual([])
  })

  it('is not let go while a viewer is connected, and its time runs anew when the last one leaves', () => {
    const { hub, app } = unwatched(100)
    const [one, two] = [new FakeUi(hub), new FakeUi(hub)]
    app.pause('p', TRACE)
    vi.advanceTimersByTime(1000)
    one.disconnect()
    one.disconnect()
    vi.advanceTimersByTime(1000)
    const stopWatching = hub.watch()
    two.disconnect()
    vi.advanceTimersByTime(1000)
    expect(app.received('exec.resume')).toEqual([])
    stopWatching()
    vi.advanceTimersByTime(100)
    expect(app.received('exec.resume')).toHaveLength(1)
  })

  it('is tried again when its app does not answer', async () => {
    const { app } = unwatched(100)
    app.pause('p', TRACE)
    vi.advanceTimersByTime(100 + SILENCE_MS)
    await settle()
    vi.advanceTimersByTime(100)
    expect(app.received('exec.resume')).toHaveLength(2)
  })
})
