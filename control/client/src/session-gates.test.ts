import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSession } from './create-session.ts'
import type { SessionOptions } from './options.ts'
import { type FakeViewerOptions, startFakeViewer } from './testing/fake-viewer.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const search = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' } as const

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function attachedPair(viewerOptions: FakeViewerOptions = {}, options: SessionOptions = {}) {
  const viewer = await startFakeViewer({ breakpoints: [{}, { point: 'after' }, { point: 'error' }], ...viewerOptions })
  cleanups.push(() => viewer.close())
  const lines: string[] = []
  const session = createSession({ url: viewer.url, env: {}, logger: { warn: (line) => lines.push(line) }, ...options })
  cleanups.push(() => session.dispose())
  expect(await session.ready()).toBe(true)
  return { viewer, session, lines }
}

describe('a held call', () => {
  it('describes itself, so that nobody needs another event to show it', async () => {
    const { viewer, session, lines } = await attachedPair()
    const node = { ...search, parentInstanceId: 'agent-1' }
    const gate = session.gate('error', node, {
      runId: TRACE,
      input: { q: 1 },
      output: 'half',
      error: new RangeError('bad rate'),
      actions: ['continue', 'inject'],
    })
    const paused = await viewer.event('exec.paused')
    expect(paused.runId).toBe(TRACE)
    expect(paused.payload).toMatchObject({
      ...node,
      point: 'error',
      reason: 'error',
      actions: ['continue', 'inject'],
      editable: false,
      input: { q: 1 },
      output: 'half',
      error: { name: 'RangeError', message: 'bad rate' },
      matcher: { point: 'error' },
    })
    expect(session.stats().heldGates).toBe(1)
    expect(lines.join()).toContain(`HOLDING tool search at the error gate — resume it in http://127.0.0.1:${viewer.port}`)
    viewer.resume(paused, 'continue', { requestId: 'r-1' })
    expect(await gate).toEqual({ action: 'continue' })
    expect((await viewer.event('exec.resumed')).payload).toMatchObject({
      pauseId: paused.payload.pauseId,
      action: 'continue',
      cause: 'viewer',
      requestId: 'r-1',
      nodeId: 'tool:search',
      instanceId: 'call-1',
      heldMs: expect.any(Number),
    })
  })

  it.each([
    ['continue', undefined, { action: 'continue' }],
    ['retry', undefined, { action: 'retry' }],
    ['inject', { any: 'value' }, { action: 'inject', output: { any: 'value' } }],
    ['inject', undefined, { action: 'inject', output: undefined }],
  ] as const)('is released with %s %j', async (action, output, decision) => {
    const { viewer, session } = await attachedPair()
    const gate = session.gate('after', search)
    viewer.resume(await viewer.event('exec.paused'), action, { output })
    expect(await gate).toEqual(decision)
  })

  it('is independent of another one of the same tool', async () => {
    const { viewer, session } = await attachedPair()
    const left = session.gate('before', { ...search, instanceId: 'left' })
    const right = session.gate('before', { ...search, instanceId: 'right' })
    const [pausedLeft, pausedRight] = [await viewer.event('exec.paused'), await viewer.event('exec.paused', 2)]
    expect(pausedLeft.payload.pauseId).not.toBe(pausedRight.payload.pauseId)
    viewer.resume(pausedRight, 'inject', { output: 'right' })
    expect(await right).toEqual({ action: 'inject', output: 'right' })
    expect(session.stats().heldGates).toBe(1)
    viewer.resume(pausedLeft, 'inject', { output: 'left' })
    expect(await left).toEqual({ action: 'inject', output: 'left' })
  })

  it('is held at every call in step mode, and no more in run mode', async () => {
    const { viewer, session } = await attachedPair({ breakpoints: [], mode: 'step' })
    const gate = session.gate('before', search)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.reason).toBe('step')
    viewer.setMode('run')
    viewer.resume(paused, 'continue')
    await gate
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
  })

  it('goes on by itself after the set time', async () => {
    const { viewer, session } = await attachedPair({}, { pauseTimeoutMs: 10 })
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
    expect((await viewer.event('exec.paused')).payload.deadlineMs).toEqual(expect.any(Number))
    expect((await viewer.event('exec.resumed')).payload).toMatchObject({ action: 'continue', cause: 'timeout' })
  })

  it('goes on when the debugger is gone, and the record of it reaches the next one', async () => {
    const { viewer, session } = await attachedPair({}, { retryIntervalMs: 5 })
    const gates = [session.gate('before', search), session.gate('error', search, { error: new Error('x') })]
    await viewer.event('exec.paused', 2)
    viewer.disconnect()
    expect(await Promise.all(gates)).toEqual([{ action: 'continue' }, { action: 'continue' }])
    await viewer.event('exec.resumed', 2)
    expect(viewer.events('exec.resumed').map(({ payload }) => payload.cause)).toEqual(['link-lost', 'link-lost'])
  })

  it('goes on when the session is disposed, and what was recorded is still sent', async () => {
    const { viewer, session } = await attachedPair()
    const gate = session.gate('before', search)
    await viewer.event('exec.paused')
    await session.dispose()
    expect(await gate).toEqual({ action: 'continue' })
    expect((await viewer.event('exec.resumed')).payload.cause).toBe('disposed')
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
    session.emit('graph.hint', { nodes: [] })
    expect(session.stats()).toMatchObject({ attached: false, heldGates: 0 })
  })
})

describe('abort', () => {
  it('aborts the run’s signal before the gate answers, with one AbortError for every later gate', async () => {
    const { viewer, session } = await attachedPair()
    const signal = session.runSignal(TRACE)
    const wasAborted = session.gate('before', search, { runId: TRACE }).then((decision) => ({ decision, aborted: signal.aborted }))
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    const { decision, aborted } = await wasAborted
    expect(aborted).toBe(true)
    expect(decision).toEqual({ action: 'abort', reason: signal.reason })
    expect(signal.reason).toMatchObject({ name: 'AbortError' })
    const later = await session.gate('error', search, { runId: TRACE })
    expect(later.action === 'abort' && later.reason).toBe(signal.reason)
  })

  it('stays in force when the debugger goes away, until the run is forgotten', async () => {
    const { viewer, session } = await attachedPair()
    const gate = session.gate('before', search, { runId: TRACE })
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await gate
    await viewer.close()
    expect(await session.gate('before', search, { runId: TRACE })).toMatchObject({ action: 'abort' })
    session.endRun(TRACE)
    expect(await session.gate('before', search, { runId: TRACE })).toEqual({ action: 'continue' })
    expect(session.runSignal(TRACE).aborted).toBe(false)
  })

  it('does not touch another run', async () => {
    const { viewer, session } = await attachedPair()
    const one = session.gate('before', search, { runId: 'one' })
    const two = session.gate('before', search, { runId: 'two' })
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    expect(await one).toMatchObject({ action: 'abort' })
    viewer.resume(await viewer.event('exec.paused', 2), 'continue')
    expect(await two).toEqual({ action: 'continue' })
    expect(session.runSignal('two').aborted).toBe(false)
  })
})

describe('an edited input', () => {
  it('replaces the named keys of the live input', async () => {
    const { viewer, session } = await attachedPair()
    const gate = session.gate('before', search, { input: { q: 'old', limit: 3 }, editable: true })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.editable).toBe(true)
    viewer.resume(paused, 'continue', { input: { q: 'new' } })
    expect(await gate).toEqual({ action: 'continue', input: { q: 'new', limit: 3 } })
    expect((await viewer.event('exec.resumed')).payload.edited).toEqual({ after: { q: 'new', limit: 3 } })
  })

  it('is the whole input where inputs are hidden', async () => {
    const { viewer, session } = await attachedPair({}, { hideToolArgs: true })
    const gate = session.gate('before', search, { input: { q: 'old', limit: 3 }, editable: true })
    viewer.resume(await viewer.event('exec.paused'), 'continue', { input: { q: 'new' } })
    expect(await gate).toEqual({ action: 'continue', input: { q: 'new' } })
  })

  it('goes through the caller’s check, and a refused one leaves the call held', async () => {
    const { viewer, session } = await attachedPair()
    const validate = async (input: unknown) =>
      Number.isInteger((input as { limit: unknown }).limit)
        ? { ok: true as const, value: input }
        : { ok: false as const, message: 'limit must be a number' }
    const gate = session.gate('error', search, { input: { limit: 3 }, error: new Error('x'), editable: true, validate })
    const paused = await viewer.event('exec.paused')
    viewer.resume(paused, 'retry', { input: { limit: 'many' }, requestId: 'r-1' })
    expect((await viewer.event('exec.refused')).payload).toEqual({
      pauseId: paused.payload.pauseId,
      code: 'schema',
      message: 'limit must be a number',
      requestId: 'r-1',
    })
    expect(session.stats().heldGates).toBe(1)
    viewer.resume(paused, 'retry', { input: { limit: 5 } })
    expect(await gate).toEqual({ action: 'retry', input: { limit: 5 } })
  })

  it('is announced as possible only where the server can relay it, and can be turned off', async () => {
    const { viewer, session } = await attachedPair({ hubCapabilities: [] }, { env: { GRAPHMIND_DISABLE_EDIT_INPUT: '1' } })
    expect((await viewer.event('hello')).payload.capabilities).not.toContain('edit-input')
    void session.gate('before', search, { input: {}, editable: true })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.editable).toBe(false)
    viewer.resume(paused, 'continue', { input: { q: 1 } })
    expect((await viewer.event('exec.refused')).payload.code).toBe('disabled')
  })

  it('or an injected value that stands for a hidden or cut one never goes back into the program', async () => {
    const { viewer, session } = await attachedPair()
    const gate = session.gate('before', search, { input: { q: 1 }, editable: true })
    const paused = await viewer.event('exec.paused')
    viewer.resume(paused, 'inject', { output: { key: '__REDACTED__' } })
    viewer.resume(paused, 'continue', { input: { q: { __graphmindTruncated: true } } })
    await viewer.event('exec.refused', 2)
    expect(viewer.events('exec.refused').map(({ payload }) => payload.code)).toEqual(['placeholder', 'truncated'])
    viewer.resume(paused, 'continue')
    expect(await gate).toEqual({ action: 'continue' })
  })
})

describe('a gate with no debugger', () => {
  it('answers with one shared, frozen promise', async () => {
    const session = createSession({ url: 'ws://127.0.0.1:9/ingest', env: {}, logger: { warn: () => undefined } })
    cleanups.push(() => session.dispose())
    void session.gate('before', search)
    const first = session.gate('before', search)
    expect(session.gating).toBe(false)
    expect(session.gate('error', search)).toBe(first)
    expect(Object.isFrozen(await first)).toBe(true)
  })

  it('answers the same when attached and nothing matches', async () => {
    const { session } = await attachedPair({ breakpoints: [{ name: 'other' }] })
    expect(session.gate('before', search)).toBe(session.gate('after', search))
  })
})

describe('a caller that has its own words for a hold', () => {
  it('says them in place of the session, once the call is held', async () => {
    const { viewer, session, lines } = await attachedPair()
    const said: string[] = []
    const gate = session.gate('before', search, { runId: TRACE, onHold: () => said.push('held') })
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    await gate
    expect(said).toEqual(['held'])
    expect(lines.join()).not.toContain('HOLDING')
  })

  it('hears nothing of a call that passes', async () => {
    const { session } = await attachedPair({ breakpoints: [] })
    const said: string[] = []
    await session.gate('before', search, { runId: TRACE, onHold: () => said.push('held') })
    expect(said).toEqual([])
  })
})

describe('a call that nobody waits for any more', () => {
  it('is let go, and nobody is said to have chosen that', async () => {
    const { viewer, session } = await attachedPair()
    const waiting = new AbortController()
    const gate = session.gate('before', search, { runId: TRACE, signal: waiting.signal })
    await viewer.event('exec.paused')
    waiting.abort()
    expect(await gate).toEqual({ action: 'continue' })
    expect((await viewer.event('exec.resumed')).payload).toMatchObject({ action: 'continue', cause: 'disposed' })
  })

  it('is not held at all', async () => {
    const { session } = await attachedPair()
    expect(await session.gate('before', search, { runId: TRACE, signal: AbortSignal.abort() })).toEqual({ action: 'continue' })
    expect(session.stats().heldGates).toBe(0)
  })
})

describe('a call that has not reached its gate yet', () => {
  it.each([
    [[{ point: 'after' }], 'run', true],
    [[{ point: 'after', name: 'other' }], 'run', false],
    [[{ point: 'after', where: 'output == 1' }], 'run', true],
    [[{ point: 'after', where: 'output ==' }], 'run', false],
    [[{ point: 'after', log: true }], 'run', false],
    [[], 'step', false],
  ] as const)('may be held at its after gate with %j in mode %s: %s', async (breakpoints, mode, expected) => {
    const { session } = await attachedPair({ breakpoints: [...breakpoints], mode })
    expect(session.mightHold('after', search, TRACE)).toBe(expected)
  })

  it('may be held at its error gate in step mode, and nowhere once the debugger is gone', async () => {
    const { viewer, session } = await attachedPair({ breakpoints: [], mode: 'step' })
    expect(session.mightHold('error', search, TRACE)).toBe(true)
    await viewer.close()
    await vi.waitFor(() => expect(session.attached).toBe(false))
    expect(session.mightHold('error', search, TRACE)).toBe(false)
  })
})
