import { validatorFor } from '@graphmind-ai/client'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { clientUnderTest, everywhere, tool } from './support/client.ts'
import type { Frame } from './support/peer.ts'

// contract/client.md "Gating model" and "Abort", wire-protocol.md, parity.md 1.4: the client's gates. Each test is one promise.

const { session: sessionWith, attached } = clientUnderTest()

describe('a gate', () => {
  it('holds only when attached and a matcher hits; else it is one shared resolved promise', async () => {
    const detached = sessionWith().session
    void detached.gate('before', tool)
    expect(detached.gate('before', tool)).toBe(detached.gate('error', tool))
    const { session } = await attached({ breakpoints: [{ name: 'other' }] })
    expect(session.gate('before', tool)).toBe(session.gate('after', tool))
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
  })

  it.each<[Frame, string, Frame, boolean]>([
    [{}, 'before', {}, true],
    [{}, 'after', {}, false],
    [{}, 'error', {}, false],
    [{ point: 'after' }, 'after', {}, true],
    [{ point: 'error' }, 'error', {}, true],
    [{ kind: 'tool' }, 'before', {}, true],
    [{ kind: 'tool' }, 'before', { kind: 'llm' }, false],
    [{ name: 'search' }, 'before', {}, true],
    [{ name: 'search' }, 'before', { name: 'book' }, false],
    [{ kind: 'tool', name: 'search', point: 'error' }, 'error', {}, true],
    [{ kind: 'llm', name: 'search' }, 'before', {}, false],
  ])('every field present on %j must match at %s of %j: %s', async (matcher, point, node, holds) => {
    const { session } = await attached({ breakpoints: [matcher] })
    void session.gate(point as 'before', { ...tool, ...node })
    expect(session.stats().heldGates).toBe(holds ? 1 : 0)
  })

  it('in step mode holds at every before and error, not at after', async () => {
    const { session, peer } = await attached({ mode: 'step' })
    void session.gate('before', tool)
    void session.gate('error', tool)
    expect(await session.gate('after', tool)).toEqual({ action: 'continue' })
    expect([await peer.payload('exec.paused'), await peer.payload('exec.paused', 2)].map(({ reason }) => reason)).toEqual(['step', 'step'])
  })

  it('follows breakpoint.set, breakpoint.clear (identical matchers only) and mode.set while attached', async () => {
    const { session, peer } = await attached({ breakpoints: [{ point: 'after' }] })
    let holds = 0
    const hold = async (point: 'before' | 'after') => {
      const gate = session.gate(point, tool)
      holds += 1
      const paused = await peer.event('exec.paused', holds)
      return async () => {
        peer.resume(paused, 'continue')
        await gate
      }
    }
    // What is sent while a call is held has arrived when its release has.
    const first = await hold('after')
    peer.control('breakpoint.set', { matcher: { kind: 'tool', name: 'search' } })
    peer.control('breakpoint.set', { matcher: { name: 'search', kind: 'tool' } })
    peer.control('breakpoint.clear', { matcher: { kind: 'tool' } })
    await first()
    const second = await hold('before')
    peer.control('breakpoint.clear', { matcher: { name: 'search', kind: 'tool' } })
    peer.control('mode.set', { mode: 'step' })
    await second()
    const third = await hold('before')
    expect(await peer.payload('exec.paused', 3)).toMatchObject({ reason: 'step' })
    peer.control('mode.set', { mode: 'run' })
    await third()
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
  })

  it('emits exec.paused while held, describing itself, and exec.resumed on release', async () => {
    const { session, peer } = await attached(everywhere)
    const node = { ...tool, parentInstanceId: 'agent-1' }
    const gate = session.gate('error', node, { input: { q: 1 }, error: new RangeError('bad rate'), runId: 'run-1' })
    const paused = await peer.event('exec.paused')
    expect(paused).toMatchObject({ runId: 'run-1', payload: { ...node, point: 'error', reason: 'error', input: { q: 1 } } })
    expect(paused['payload']).toMatchObject({ pauseId: expect.any(String), error: { name: 'RangeError', message: 'bad rate' } })
    peer.resume(paused, 'continue', { requestId: 'r-1' })
    expect(await gate).toEqual({ action: 'continue' })
    expect(await peer.event('exec.resumed')).toMatchObject({
      runId: 'run-1',
      payload: {
        pauseId: (paused['payload'] as Frame)['pauseId'],
        action: 'continue',
        cause: 'viewer',
        requestId: 'r-1',
        instanceId: 'call-1',
      },
    })
  })

  it.each<[string, Frame, Frame]>([
    ['continue', {}, { action: 'continue' }],
    ['retry', {}, { action: 'retry' }],
    ['inject', { output: { any: ['value'] } }, { action: 'inject', output: { any: ['value'] } }],
    ['inject', { output: null }, { action: 'inject', output: null }],
    ['inject', {}, { action: 'inject', output: undefined }],
  ])('is decided by exec.resume: %s %j', async (action, more, decision) => {
    for (const point of ['before', 'after', 'error'] as const) {
      const { session, peer } = await attached(everywhere)
      const gate = session.gate(point, tool)
      peer.resume(await peer.event('exec.paused'), action, more)
      expect(await gate).toEqual(decision)
    }
  })

  it('is independent of parallel ones: two concurrent calls hold two pauses, each resumable on its own', async () => {
    const { session, peer } = await attached(everywhere)
    const [left, right] = [session.gate('before', { ...tool, instanceId: 'l' }), session.gate('before', { ...tool, instanceId: 'r' })]
    const [first, second] = [await peer.event('exec.paused'), await peer.event('exec.paused', 2)]
    expect((first['payload'] as Frame)['pauseId']).not.toBe((second['payload'] as Frame)['pauseId'])
    peer.resume(second, 'inject', { output: 'r' })
    expect(await right).toEqual({ action: 'inject', output: 'r' })
    expect(session.stats().heldGates).toBe(1)
    peer.resume(first, 'continue')
    expect(await left).toEqual({ action: 'continue' })
  })

  it('ignores a command for a pause it does not know, and a second one for the same', async () => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate('before', tool)
    const paused = await peer.event('exec.paused')
    peer.control('exec.resume', { pauseId: 'nobody', action: 'abort' })
    peer.resume(paused, 'inject', { output: 1 })
    peer.resume(paused, 'abort')
    expect(await gate).toEqual({ action: 'inject', output: 1 })
    void session.gate('before', tool)
    await peer.event('exec.paused', 2)
    expect(peer.events('exec.resumed')).toHaveLength(1)
  })
})

describe('a hold that lets go by itself', () => {
  it('does so on disconnect, all at once, with continue; breakpoints and mode are forgotten until the next ack', async () => {
    const { session, peer } = await attached({ ...everywhere, mode: 'step' }, { retryIntervalMs: 60_000 })
    const gates = [session.gate('before', tool), session.gate('after', tool), session.gate('error', tool)]
    await peer.event('exec.paused', 3)
    peer.socket.terminate()
    expect(await Promise.all(gates)).toEqual([{ action: 'continue' }, { action: 'continue' }, { action: 'continue' }])
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
    expect(session.stats()).toMatchObject({ attached: false, heldGates: 0 })
  })

  it('tells so to the next debugger: exec.resumed is emitted also when the client releases a gate on its own', async () => {
    const { debug, session, peer } = await attached(everywhere, { retryIntervalMs: 1 })
    const gate = session.gate('before', tool)
    await peer.event('exec.paused')
    await peer.cut()
    await gate
    const second = await debug.connection(2)
    await second.event('hello')
    second.ack()
    expect(await second.payload('exec.resumed')).toMatchObject({ action: 'continue', cause: 'link-lost' })
    expect(second.events('exec.paused')).toHaveLength(1)
  })

  it('does so after pauseTimeoutMs, and by default never', async () => {
    const { session, peer } = await attached(everywhere, { pauseTimeoutMs: 10 })
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
    expect(await peer.payload('exec.resumed')).toMatchObject({ action: 'continue', cause: 'timeout' })
    expect(await peer.payload('exec.paused')).toMatchObject({ deadlineMs: expect.any(Number) })
  })

  it('does so on dispose, and what was recorded is still sent', async () => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate('before', tool)
    await peer.event('exec.paused')
    await session.dispose()
    expect(await gate).toEqual({ action: 'continue' })
    expect(await peer.payload('exec.resumed')).toMatchObject({ cause: 'disposed' })
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
  })
})

describe('abort', () => {
  it('aborts that run’s controller with an AbortError-named reason before the gate promise resolves', async () => {
    const { session, peer } = await attached(everywhere)
    const run = session.run('r', async (context) => {
      const decision = await session.gate('before', tool)
      expect(context.signal.aborted).toBe(true)
      expect(context.signal.reason).toMatchObject({ name: 'AbortError' })
      expect(decision).toMatchObject({ action: 'abort', reason: context.signal.reason })
      throw context.signal.reason
    })
    peer.resume(await peer.event('exec.paused'), 'abort')
    await expect(run).rejects.toMatchObject({ name: 'AbortError' })
    expect(await peer.payload('run.finished')).toMatchObject({ status: 'aborted' })
  })

  it('makes every later gate of that run answer abort with the same reason, and touches no other run', async () => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate('before', tool, { runId: 'one' })
    peer.resume(await peer.event('exec.paused'), 'abort')
    const first = await gate
    const later = await session.gate('error', tool, { runId: 'one' })
    expect(later).toEqual(first)
    void session.gate('before', tool, { runId: 'two' })
    expect(session.stats().heldGates).toBe(1)
    expect(session.runSignal('two').aborted).toBe(false)
  })
})

describe('an edited input', () => {
  const input = { q: 'LIS', limit: 3 }

  it.each([
    ['before', 'continue'],
    ['after', 'retry'],
    ['error', 'retry'],
  ] as const)('at %s goes with %s: named top-level keys replace, new ones go after', async (point, action) => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate(point, tool, { input, editable: true })
    const paused = await peer.event('exec.paused')
    expect(paused['payload']).toMatchObject({ editable: true })
    peer.resume(paused, action, { input: { q: 'OPO', seats: 2 } })
    expect(await gate).toEqual({ action, input: { q: 'OPO', limit: 3, seats: 2 } })
    expect(await peer.payload('exec.resumed')).toMatchObject({ edited: { after: { q: 'OPO', limit: 3, seats: 2 } } })
  })

  it.each<[string, string, Frame, string]>([
    ['another action than continue at before', 'retry', { input: {} }, 'unsupported'],
    ['inject with an edit', 'inject', { input: {}, output: 1 }, 'unsupported'],
    ['no object', 'continue', { input: 'text' }, 'shape'],
    ['a list', 'continue', { input: [] }, 'shape'],
    ['a prototype', 'continue', { input: JSON.parse('{"a":{"__proto__":{"x":1}}}') }, 'shape'],
    ['the redaction placeholder', 'continue', { input: { q: '__REDACTED__' } }, 'placeholder'],
    ['a truncation marker', 'continue', { input: { q: 'a…[graphmind: truncated]' } }, 'truncated'],
    ['a truncation marker of another SDK', 'continue', { input: { q: '<12 bytes>' } }, 'truncated'],
    ['an injected placeholder', 'inject', { output: { key: '__REDACTED__' } }, 'placeholder'],
  ])('is refused for %s, and the gate stays held', async (_what, action, more, code) => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate('before', tool, { input, editable: true })
    const paused = await peer.event('exec.paused')
    peer.resume(paused, action, { ...more, requestId: 'r-1' })
    expect(await peer.payload('exec.refused')).toMatchObject({
      pauseId: (paused['payload'] as Frame)['pauseId'],
      code,
      requestId: 'r-1',
      message: expect.any(String),
    })
    expect(session.stats().heldGates).toBe(1)
    peer.resume(paused, 'continue')
    expect(await gate).toEqual({ action: 'continue' })
  })

  it('is refused where the gate is not editable, where the caller can’t do the action, and where edits are turned off', async () => {
    const { session, peer } = await attached(everywhere, { env: { GRAPHMIND_DISABLE_EDIT_INPUT: '1' } })
    expect((await peer.payload('hello'))['capabilities']).not.toContain('edit-input')
    void session.gate('before', tool, { input, editable: true })
    void session.gate('before', { ...tool, instanceId: 'b' }, { input })
    void session.gate('before', { ...tool, instanceId: 'c' }, { actions: ['continue', 'abort'] })
    const [off, plain, poor] = [await peer.event('exec.paused'), await peer.event('exec.paused', 2), await peer.event('exec.paused', 3)]
    expect([off, plain].map(({ payload }) => (payload as Frame)['editable'])).toEqual([false, false])
    peer.resume(off, 'continue', { input: {} })
    peer.resume(plain, 'continue', { input: {} })
    peer.resume(poor, 'inject', { output: 1 })
    await peer.event('exec.refused', 3)
    expect(peer.events('exec.refused').map(({ payload }) => (payload as Frame)['code'])).toEqual(['disabled', 'unsupported', 'unsupported'])
  })

  it.each([
    [
      'a Standard Schema',
      {
        '~standard': {
          version: 1,
          vendor: 'x',
          validate: (value: { limit: unknown }) =>
            typeof value.limit === 'number' ? { value } : { issues: [{ message: 'must be a number', path: ['limit'] }] },
        },
      },
    ],
    ['a JSON Schema', { type: 'object', properties: { limit: { type: 'number' } } }],
  ])('is checked by %s: what does not fit is refused with its words, what fits goes through', async (_what, schema) => {
    const { session, peer } = await attached(everywhere)
    const gate = session.gate('before', tool, { input, editable: true, validate: validatorFor(schema) })
    const paused = await peer.event('exec.paused')
    peer.resume(paused, 'continue', { input: { limit: 'secret-value' } })
    const refused = await peer.payload('exec.refused')
    expect(refused).toMatchObject({ code: 'schema', message: expect.stringContaining('limit') })
    expect(String(refused['message'])).not.toContain('secret-value')
    peer.resume(paused, 'continue', { input: { limit: 5 } })
    expect(await gate).toEqual({ action: 'continue', input: { q: 'LIS', limit: 5 } })
  })

  it('is the whole new input where inputs are hidden', async () => {
    const { session, peer } = await attached(everywhere, { hideInputs: true })
    const gate = session.gate('before', tool, { input, editable: true })
    peer.resume(await peer.event('exec.paused'), 'continue', { input: { q: 'OPO' } })
    expect(await gate).toEqual({ action: 'continue', input: { q: 'OPO' } })
    expect(await peer.payload('exec.resumed')).toMatchObject({ edited: { after: '__REDACTED__' } })
  })
})

describe('a breakpoint beyond the contract', () => {
  const heldBy = async (matcher: Frame, inputs: readonly unknown[], more: Frame = {}) => {
    const { session, peer } = await attached({ breakpoints: [{ id: 'bp', ...matcher }] })
    const held = inputs.map((input) => {
      const before = session.stats().heldGates
      void session.gate((more['point'] ?? 'before') as 'before', { ...tool, ...(more['node'] as object) }, { input, runId: 'run-1' })
      return session.stats().heldGates > before
    })
    session.emit('graph.hint', { nodes: [] })
    await peer.event('graph.hint')
    return { held, hits: peer.events('breakpoint.hit').map(({ payload }) => payload as Frame) }
  }

  it('announces what it can do', async () => {
    const { peer } = await attached()
    expect((await peer.payload('hello'))['capabilities']).toEqual(
      expect.arrayContaining(['run-claim', 'edit-input', 'bp-where', 'bp-hits', 'bp-log', 'bp-run', 'bp-once', 'bp-pattern']),
    )
  })

  it.each<[string, Frame, readonly unknown[], readonly boolean[]]>([
    ['where: holds only where it is true', { where: 'input.a > 1' }, [{ a: 1 }, { a: 2 }], [false, true]],
    ['where: an absent field compares false', { where: 'input.b > 1' }, [{ a: 1 }, undefined], [false, false]],
    ['hits 2: only the second', { hits: '2' }, [1, 2, 3], [false, true, false]],
    ['hits >= 2: from the second on', { hits: '>= 2' }, [1, 2, 3], [false, true, true]],
    ['hits % 2: each second', { hits: '% 2' }, [1, 2, 3, 4], [false, true, false, true]],
    ['once: the first', { once: true }, [1, 2], [true, false]],
    ['log: none', { log: true }, [1, 2], [false, false]],
    ['runId: that run', { runId: 'run-1' }, [1], [true]],
    ['runId: no other', { runId: 'run-2' }, [1], [false]],
    ['namePattern, a glob', { namePattern: 'sea*' }, [1], [true]],
    ['namePattern, a regular expression', { namePattern: '/^SEARCH$/i' }, [1], [true]],
    ['kinds', { kinds: ['llm', 'tool'] }, [1], [true]],
    ['kinds, another', { kinds: ['llm'] }, [1], [false]],
  ])('%s', async (_what, matcher, inputs, held) => {
    expect((await heldBy(matcher, inputs)).held).toEqual(held)
  })

  it('says breakpoint.hit with its id, the node and the instance, also for one that only logs', async () => {
    const hit = { id: 'bp', nodeId: 'tool:search', instanceId: 'call-1', point: 'before' }
    expect((await heldBy({}, [1])).hits).toEqual([hit])
    expect((await heldBy({ log: true }, [1])).hits).toEqual([{ ...hit, logged: true }])
  })

  it.each<[Frame]>([
    [{ where: 'input.text > 3' }],
    [{ where: 'input.' }],
    [{ where: 'process.exit()' }],
    [{ hits: 'many' }],
    [{ namePattern: '/(/' }],
  ])('reports an error in %j through breakpoint.hit, and never holds', async (matcher) => {
    const { held, hits } = await heldBy(matcher, [{ text: 'x' }, { text: 'x' }])
    expect(held).toEqual([false, false])
    expect(hits).toEqual([expect.objectContaining({ id: 'bp', error: expect.any(String) })])
  })

  it('asks nothing about hidden values', async () => {
    const { session } = await attached({ breakpoints: [{ where: 'input.password == "secret"' }] }, { hideInputs: true })
    void session.gate('before', tool, { input: { password: 'secret' } })
    expect(session.stats().heldGates).toBe(0)
  })

  it('is asked by the very next call, though its language is loaded by the first such matcher', async () => {
    const { session, peer } = await attached({ breakpoints: [{ point: 'after' }] })
    const barrier = session.gate('after', tool)
    const paused = await peer.event('exec.paused')
    peer.control('breakpoint.set', { matcher: { id: 'late', where: 'input.a > 1' } })
    peer.resume(paused, 'continue')
    await barrier
    void session.gate('before', tool, { input: { a: 2 } })
    expect(await peer.payload('exec.paused', 2)).toMatchObject({ matcher: { id: 'late' } })
  })
})

describe('identical calls in a row', () => {
  const call = (instanceId: string, input: unknown = { q: 1 }) => ({ ...tool, instanceId, input })

  it('hold the third with reason loop and the evidence; continue lets it run, the next one holds again', async () => {
    const { session, peer } = await attached()
    const gates = ['a', 'b', 'c'].map((instanceId) => {
      session.emit('node.started', call(instanceId))
      return session.gate('before', { ...tool, instanceId })
    })
    const paused = await peer.event('exec.paused')
    expect(paused['payload']).toMatchObject({ reason: 'loop', instanceId: 'c', loop: { repeats: 3, kind: 'repeat' } })
    const { firstSeq, lastSeq, fingerprint } = (paused['payload'] as { loop: Frame }).loop
    expect([firstSeq, lastSeq]).toEqual([peer.events('node.started')[0]?.['seq'], peer.events('node.started')[2]?.['seq']])
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/)
    peer.resume(paused, 'continue')
    await Promise.all(gates)
    session.emit('node.started', call('d'))
    void session.gate('before', { ...tool, instanceId: 'd' })
    expect(await peer.payload('exec.paused', 2)).toMatchObject({ loop: { repeats: 4 } })
  })

  it.each<[string, Frame, Frame | false | undefined, number]>([
    ['by default at 3', {}, undefined, 3],
    ['GRAPHMIND_LOOP_THRESHOLD=2', { GRAPHMIND_LOOP_THRESHOLD: '2' }, undefined, 2],
    ['GRAPHMIND_LOOP_THRESHOLD=0 turns it off', { GRAPHMIND_LOOP_THRESHOLD: '0' }, undefined, 0],
    ['GRAPHMIND_ON_LOOP=off', { GRAPHMIND_ON_LOOP: 'off' }, undefined, 0],
    ['GRAPHMIND_ON_LOOP=warn', { GRAPHMIND_ON_LOOP: 'warn' }, undefined, 0],
    ['GRAPHMIND_LOOP_ALLOW names the tool', { GRAPHMIND_LOOP_ALLOW: 'book, search' }, undefined, 0],
    ['loopGuard: false', {}, false, 0],
    ['loopGuard: {threshold: 2}', {}, { threshold: 2 }, 2],
  ])('%s', async (_what, env, loopGuard, heldAt) => {
    const { session } = await attached({}, { env: env as Record<string, string>, loopGuard })
    const held = [1, 2, 3, 4].find((index) => {
      void session.gate('before', { ...tool, instanceId: String(index) }, { input: { q: 1 } })
      return session.stats().heldGates > 0
    })
    expect(held ?? 0).toBe(heldAt)
  })

  it('do not count what differs, and not a retry that was asked for', async () => {
    const { session, peer } = await attached()
    const inputs = [{ q: 1 }, { q: 1 }, { q: 2 }, { q: 1, page: 1 }, { page: 1, q: 1.0 }]
    for (const [index, input] of inputs.entries()) void session.gate('before', { ...tool, instanceId: String(index) }, { input })
    expect(session.stats().heldGates).toBe(0)
    const gate = session.gate('before', { ...tool, instanceId: 'third' }, { input: { q: 1, page: 1 } })
    peer.resume(await peer.event('exec.paused'), 'retry')
    expect(await gate).toEqual({ action: 'retry' })
    expect(await session.gate('before', { ...tool, instanceId: 'retried' }, { input: { q: 1, page: 1 } })).toEqual({ action: 'continue' })
  })

  it('while nobody is attached are said once, naming the tool only, and a late debugger holds the next', async () => {
    const { session, lines } = sessionWith()
    for (const instanceId of ['a', 'b', 'c', 'd']) session.emit('node.started', call(instanceId, { secret: 'canary' }))
    await eventually(() => (lines.length > 0 ? true : undefined), 'the warning')
    expect(lines.filter((line) => line.includes('search'))).toHaveLength(1)
    expect(lines.join()).not.toContain('canary')
  })
})
