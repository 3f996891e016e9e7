import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { afterEach, describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import type { SessionOptions } from './options.ts'
import { startFakeViewer } from './testing/fake-viewer.ts'

const search = { nodeId: 'tool:search', kind: 'tool', name: 'search' } as const

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function attachedPair(breakpoints: readonly BreakpointMatcher[], options: SessionOptions = {}) {
  const viewer = await startFakeViewer({ breakpoints })
  cleanups.push(() => viewer.close())
  const lines: string[] = []
  const session = createSession({ url: viewer.url, env: {}, logger: { warn: (line) => lines.push(line) }, ...options })
  cleanups.push(() => session.dispose())
  expect(await session.ready()).toBe(true)
  return { viewer, session, lines }
}

describe('a breakpoint with a condition', () => {
  it('that arrives later is asked by the very next call, though its language is still to be loaded', async () => {
    const { viewer, session } = await attachedPair([{ point: 'after' }])
    const first = session.gate('after', search)
    viewer.setBreakpoint({ id: 'bp-1', where: 'input.amount > 10' })
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    await first
    const small = session.gate('before', search, { input: { amount: 9 } })
    expect(await small).toEqual({ action: 'continue' })
    const large = session.gate('before', search, { input: { amount: 11 } })
    const paused = await viewer.event('exec.paused', 2)
    expect(paused.payload).toMatchObject({ input: { amount: 11 }, matcher: { id: 'bp-1' } })
    expect(viewer.events('breakpoint.hit').map(({ payload }) => payload)).toEqual([{ id: 'bp-1', nodeId: 'tool:search', point: 'before' }])
    viewer.resume(paused, 'continue')
    await large
  })

  it('may ask for usage and duration after a call, and for the error of a failed one', async () => {
    const { viewer, session } = await attachedPair([
      { point: 'after', where: 'usage.outputTokens > 100 && duration > 20' },
      { point: 'error', where: 'error.name == "RangeError"' },
    ])
    void session.gate('after', search, { usage: { inputTokens: 1, outputTokens: 101 }, durationMs: 30 })
    void session.gate('error', search, { error: new RangeError('bad rate') })
    expect(await session.gate('error', search, { error: new TypeError('other') })).toEqual({ action: 'continue' })
    await viewer.event('exec.paused', 2)
    expect(session.stats().heldGates).toBe(2)
  })

  it('sees nothing that is hidden: asking bit by bit would give it away', async () => {
    const where = 'input.password.startsWith("s") || output == "secret"'
    const { viewer, session } = await attachedPair([{ id: 'bp-1', where }], { hideToolArgs: true, hideOutputs: true })
    expect(await session.gate('before', search, { input: { password: 'secret' }, output: 'secret' })).toEqual({ action: 'continue' })
    expect(viewer.events('breakpoint.hit')).toEqual([])
  })

  it('that fails is reported and holds nothing', async () => {
    const { viewer, session } = await attachedPair([{ id: 'bp-1', where: 'input.text > 3' }])
    expect(await session.gate('before', search, { input: { text: 'a' } })).toEqual({ action: 'continue' })
    const { payload } = await viewer.event('breakpoint.hit')
    expect(payload).toEqual({ id: 'bp-1', nodeId: 'tool:search', point: 'before', error: expect.stringContaining('overload') })
  })
})

describe('a breakpoint beyond the contract', () => {
  it('keeps its count over a lost link', async () => {
    const { viewer, session } = await attachedPair([{ id: 'bp-1', hits: '2' }], { retryIntervalMs: 5 })
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
    viewer.disconnect()
    await viewer.event('hello', 2)
    expect(await session.ready()).toBe(true)
    void session.gate('before', search)
    expect(session.stats().heldGates).toBe(1)
  })

  it('that only logs marks the call and lets it pass', async () => {
    const { viewer, session } = await attachedPair([{ id: 'log', log: true, namePattern: '/^sea/' }])
    expect(await session.gate('before', { ...search, instanceId: 'call-1' })).toEqual({ action: 'continue' })
    const { payload } = await viewer.event('breakpoint.hit')
    expect(payload).toEqual({ id: 'log', nodeId: 'tool:search', instanceId: 'call-1', point: 'before', logged: true })
    expect(viewer.events('exec.paused')).toEqual([])
  })

  it('is replaced by one with the same id, and gone when it is cleared', async () => {
    const { viewer, session } = await attachedPair([{ id: 'bp-1', name: 'search' }, { point: 'after' }])
    const held = session.gate('before', search)
    const paused = await viewer.event('exec.paused')
    viewer.setBreakpoint({ id: 'bp-1', name: 'other' })
    viewer.clearBreakpoint({ point: 'after' })
    viewer.resume(paused, 'continue')
    await held
    expect(await session.gate('before', search)).toEqual({ action: 'continue' })
    expect(await session.gate('after', search)).toEqual({ action: 'continue' })
  })
})

describe('a loop', () => {
  const callOf = (instanceId: string) => ({ ...search, instanceId, input: { q: 'LIS' } })

  it('is held at the third identical call, with the evidence', async () => {
    const { viewer, session } = await attachedPair([])
    for (const instanceId of ['a', 'b']) {
      session.emit('node.started', callOf(instanceId))
      expect(await session.gate('before', { ...search, instanceId })).toEqual({ action: 'continue' })
    }
    session.emit('node.started', callOf('c'))
    const gate = session.gate('before', { ...search, instanceId: 'c' })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({
      reason: 'loop',
      loop: { repeats: 3, kind: 'repeat', firstInstanceId: 'a', lastInstanceId: 'c' },
    })
    const seqs = viewer.events('node.started').map(({ seq }) => seq)
    expect([paused.payload.loop?.firstSeq, paused.payload.loop?.lastSeq]).toEqual([seqs[0], seqs[2]])
    viewer.resume(paused, 'retry')
    expect(await gate).toEqual({ action: 'retry' })
    session.emit('node.started', callOf('d'))
    expect(await session.gate('before', { ...search, instanceId: 'd' })).toEqual({ action: 'continue' })
    session.emit('node.started', callOf('e'))
    void session.gate('before', { ...search, instanceId: 'e' })
    expect((await viewer.event('exec.paused', 2)).payload.loop?.repeats).toBe(4)
  })

  it('is seen at the gates of a program that reports its calls as spans', async () => {
    const { viewer, session } = await attachedPair([], { spans: 'otlp' })
    for (const instanceId of ['a', 'b', 'c']) void session.gate('before', { ...search, instanceId }, { input: { q: 1 }, runId: 'trace' })
    expect((await viewer.event('exec.paused')).payload).toMatchObject({ instanceId: 'c', reason: 'loop' })
    expect(session.stats().heldGates).toBe(1)
  })

  const other = { nodeId: 'tool:book', kind: 'tool', name: 'book' } as const
  const lap = [
    { node: search, input: { q: 'LIS' }, output: ['TP1'] },
    { node: other, input: { flight: 'TP1' }, output: 'sold out' },
  ]

  it('of several calls is held where its fourth lap begins, in programs that report their calls', async () => {
    const { viewer, session } = await attachedPair([])
    let calls = 0
    for (const { node, input, output } of [...lap, ...lap, ...lap]) {
      const call = { ...node, instanceId: `c${++calls}` }
      session.emit('node.started', { ...call, input })
      expect(await session.gate('before', call)).toEqual({ action: 'continue' })
      session.emit('node.finished', { ...call, output, durationMs: 1, status: 'ok' })
    }
    session.emit('node.started', { ...search, instanceId: 'c7', input: { q: 'LIS' } })
    void session.gate('before', { ...search, instanceId: 'c7' })
    const { payload } = await viewer.event('exec.paused')
    expect(payload).toMatchObject({
      reason: 'loop',
      loop: { kind: 'cycle', period: 2, laps: 3, repeats: 3, firstInstanceId: 'c1', lastInstanceId: 'c6', instanceIds: ['c5', 'c6'] },
    })
    expect(payload.loop?.fingerprint).toMatch(/^[0-9a-f]{32}$/)
  })

  it('of several calls is seen at the gates of a program that reports them as spans', async () => {
    const { viewer, session } = await attachedPair([], { spans: 'otlp' })
    let calls = 0
    for (const { node, input, output } of [...lap, ...lap, ...lap, ...lap.slice(0, 1)]) {
      const call = { ...node, instanceId: `c${++calls}` }
      void session.gate('before', call, { input, runId: 'trace' })
      void session.gate('after', call, { output, runId: 'trace' })
    }
    expect((await viewer.event('exec.paused')).payload).toMatchObject({ instanceId: 'c7', loop: { kind: 'cycle' } })
    expect(session.stats().heldGates).toBe(1)
  })

  it('of failures is held before the fourth call, unless a person gave one of them another result', async () => {
    const { viewer, session } = await attachedPair([{ point: 'error' }], { spans: 'otlp' })
    let calls = 0
    const fail = async (action: 'continue' | 'inject') => {
      const call = { ...search, instanceId: `c${++calls}` }
      const options = { input: { calls }, runId: 'trace' }
      await session.gate('before', call, options)
      const error = session.gate('error', call, { ...options, error: new Error('no rate') })
      viewer.resume(await viewer.event('exec.paused', calls), action, { output: 1 })
      await error
    }
    for (const action of ['continue', 'continue', 'inject', 'continue', 'continue', 'continue'] as const) await fail(action)
    void session.gate('before', { ...search, instanceId: 'c7' }, { input: {}, runId: 'trace' })
    expect((await viewer.event('exec.paused', 7)).payload).toMatchObject({
      point: 'before',
      reason: 'loop',
      loop: { kind: 'error-repeat', repeats: 3, instanceIds: ['c4', 'c5', 'c6'] },
    })
  })

  it('of any kind is nobody’s business with a threshold of 0, and only said once in mode warn', async () => {
    const playIn = async (env: Record<string, string>) => {
      const { viewer, session, lines } = await attachedPair([], { env, spans: 'otlp' })
      for (let call = 1; call <= 9; call += 1) {
        const { node, input, output } = lap[call % 2] ?? { node: search, input: {}, output: 1 }
        void session.gate('before', { ...node, instanceId: `c${call}` }, { input, runId: 'trace' })
        void session.gate('after', { ...node, instanceId: `c${call}` }, { output, runId: 'trace' })
      }
      expect(viewer.events('exec.paused')).toEqual([])
      expect(session.stats().heldGates).toBe(0)
      return lines.filter((line) => line.includes('again'))
    }
    expect(await playIn({ GRAPHMIND_LOOP_THRESHOLD: '0' })).toEqual([])
    expect(await playIn({ GRAPHMIND_ON_LOOP: 'warn' })).toEqual([
      '[graphmind] book begins the same 2 calls again, which came 3 times with the same results.',
      '[graphmind] search begins the same 2 calls again, which came 3 times with the same results.',
    ])
  })

  it('does not give hidden arguments away by its fingerprint', async () => {
    const { viewer, session } = await attachedPair([], { hideToolArgs: true })
    for (const instanceId of ['a', 'b', 'c']) void session.gate('before', { ...search, instanceId }, { input: { q: 1 } })
    const { payload } = await viewer.event('exec.paused')
    expect(payload).toMatchObject({ reason: 'loop', loop: { repeats: 3, fingerprint: '__REDACTED__' }, input: '__REDACTED__' })
  })

  it('is said once while nobody is attached, and held for a debugger that comes late', async () => {
    const viewer = await startFakeViewer()
    cleanups.push(() => viewer.close())
    const lines: string[] = []
    const session = createSession({ url: viewer.url, env: {}, logger: { warn: (line) => lines.push(line) } })
    cleanups.push(() => session.dispose())
    for (const instanceId of ['a', 'b', 'c', 'd']) session.emit('node.started', callOf(instanceId))
    expect(lines.filter((line) => line.includes('in a row'))).toEqual([
      '[graphmind] search was called 3 times in a row with the same arguments.',
    ])
    expect(await session.ready()).toBe(true)
    session.emit('node.started', callOf('e'))
    void session.gate('before', { ...search, instanceId: 'e' })
    expect((await viewer.event('exec.paused')).payload.loop?.repeats).toBe(5)
  })

  it('is nobody’s business where the guard is off', async () => {
    const { session } = await attachedPair([], { env: { GRAPHMIND_ON_LOOP: 'off' } })
    for (const instanceId of ['a', 'b', 'c', 'd'])
      expect(await session.gate('before', { ...search, instanceId }, { input: {} })).toEqual({ action: 'continue' })
  })
})
