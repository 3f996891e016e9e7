import { describe, expect, it } from 'vitest'
import type { PayloadOf } from '../envelope.ts'
import { event, finished, fold, type StoryEvent, started } from '../test-support/story.ts'

const SEARCH = 'tool:search'
const paused = (fields: Partial<PayloadOf<'exec.paused'>> = {}, ts?: number): StoryEvent =>
  event('exec.paused', { pauseId: 'p', nodeId: SEARCH, point: 'before', instanceId: 'a', ...fields }, ts)
const resumed = (fields: Partial<PayloadOf<'exec.resumed'>> = {}, ts?: number): StoryEvent =>
  event('exec.resumed', { pauseId: 'p', action: 'continue', ...fields }, ts)
const failed = event('node.error', { nodeId: SEARCH, instanceId: 'a', error: { name: 'Error', message: 'boom' } })

describe('a held call', () => {
  it('is paused until it is released, and says how long it was held', () => {
    const held = [started('a', SEARCH), paused()]
    expect(fold(...held).instances.get('a')).toMatchObject({ status: 'paused', pauseIds: ['p'] })
    const run = fold(...held, resumed({ heldMs: 640.5, requestId: 'r', principal: 'viewer' }))
    expect(run.instances.get('a')).toMatchObject({ status: 'running', heldMs: 640.5 })
    expect(run.pauses.get('p')?.released).toEqual({
      at: 1002,
      action: 'continue',
      cause: 'viewer',
      heldMs: 640.5,
      requestId: 'r',
      principal: 'viewer',
    })
  })

  it('is paused as soon as its instance is known', () => {
    const run = fold(
      paused({ kind: 'tool', name: 'search', input: { q: 1 }, actions: ['continue', 'abort'], editable: true }),
      started('a', SEARCH),
    )
    expect(run.instances.get('a')?.status).toBe('paused')
    expect(run.pauses.get('p')).toMatchObject({
      instanceId: 'a',
      reason: 'breakpoint',
      input: { q: 1 },
      actions: ['continue', 'abort'],
      editable: true,
    })
  })

  it('offers all actions when the gate names none', () => {
    expect(fold(paused()).pauses.get('p')).toMatchObject({ actions: ['continue', 'retry', 'inject', 'abort'], editable: false })
  })

  it('stays paused after its span has ended, since the program still waits', () => {
    expect(
      fold(started('a', SEARCH), failed, finished('a', SEARCH, { status: 'error' }), paused({ point: 'error' })).instances.get('a')?.status,
    ).toBe('paused')
  })

  it('shows the last refusal while it stays held', () => {
    const run = fold(
      started('a', SEARCH),
      paused(),
      event('exec.refused', { pauseId: 'p', code: 'schema', message: 'nights must be a number', requestId: 'r' }),
    )
    expect(run.pauses.get('p')?.refused).toEqual({ code: 'schema', message: 'nights must be a number', requestId: 'r' })
    expect(run.instances.get('a')?.status).toBe('paused')
  })

  it('without instance id is the node’s most recent open call', () => {
    const run = fold(started('b', SEARCH), started('a', SEARCH), event('exec.paused', { pauseId: 'p', nodeId: SEARCH, point: 'before' }))
    expect(run.pauses.get('p')?.instanceId).toBe('a')
    expect(run.instances.get('b')?.status).toBe('running')
  })

  it('without instance id, before the call, is never a finished one’s but waits for the next', () => {
    const before = event('exec.paused', { pauseId: 'p', nodeId: SEARCH, point: 'before' })
    const story = [started('b', SEARCH), finished('b', SEARCH), before]
    expect(fold(...story, started('b', SEARCH)).instances.get('b')?.status).toBe('ok')
    expect(fold(...story, started('a', SEARCH)).instances.get('a')?.status).toBe('paused')
  })

  it('moves to the instance its release names when the hold named none', () => {
    const run = fold(
      started('a', SEARCH),
      started('b', SEARCH),
      event('exec.paused', { pauseId: 'p', nodeId: SEARCH, point: 'after' }),
      resumed({ instanceId: 'a', action: 'inject', injected: { output: 1 } }),
    )
    expect(run.instances.get('a')).toMatchObject({ injected: { output: 1 }, pauseIds: ['p'] })
    expect(run.instances.get('b')).toMatchObject({ pauseIds: [] })
    expect(run.pauses.get('p')?.instanceId).toBe('a')
  })

  it('sums the time of every hold, over what the span says', () => {
    const run = fold(
      started('a', SEARCH),
      paused({}, 2000),
      resumed({}, 2500),
      paused({ pauseId: 'q', point: 'after' }, 3000),
      resumed({ pauseId: 'q', heldMs: 10 }, 3011),
      finished('a', SEARCH, { heldMs: 4 }),
    )
    expect(run.instances.get('a')).toMatchObject({ heldMs: 510, pauseIds: ['p', 'q'] })
    expect(fold(started('a', SEARCH), finished('a', SEARCH, { heldMs: 4 })).instances.get('a')?.heldMs).toBe(4)
  })
})

describe('an injected value', () => {
  const inject = resumed({ action: 'inject', injected: { output: 42 } })

  it('is the output, whatever the span says and whichever comes first', () => {
    const story = [started('a', SEARCH), paused({ point: 'after' }), inject, finished('a', SEARCH, { output: 41 })]
    expect(fold(...story).instances.get('a')).toMatchObject({ output: 42, injected: { output: 42 }, status: 'ok' })
    expect(fold(...story.toReversed()).instances.get('a')).toMatchObject({ output: 42, injected: { output: 42 }, status: 'ok' })
  })

  it('at an error makes the call ok and keeps the error listed, also when its span ended in error', () => {
    const story = [started('a', SEARCH), failed, paused({ point: 'error' }), inject]
    expect(fold(...story).instances.get('a')).toMatchObject({ status: 'ok', output: 42, endedAt: 1003, errors: [{ message: 'boom' }] })
    expect(fold(...story, finished('a', SEARCH, { status: 'error' })).instances.get('a')?.status).toBe('ok')
  })

  it('before the call leaves it to its own end', () => {
    expect(fold(started('a', SEARCH), paused(), inject).instances.get('a')).toMatchObject({ status: 'running', output: 42 })
  })

  it('known only from the span is its output', () => {
    expect(fold(started('a', SEARCH), finished('a', SEARCH, { output: 7, injected: true })).instances.get('a')?.injected).toEqual({
      output: 7,
    })
  })

  it('may be null', () => {
    const run = fold(started('a', SEARCH), paused(), resumed({ action: 'inject', injected: { output: null } }))
    expect(run.instances.get('a')).toHaveProperty('output', null)
  })
})

describe('an edited input', () => {
  it('is the input the call ran with, and stays marked', () => {
    const run = fold(
      started('a', SEARCH, { input: { q: 1 } }),
      paused(),
      resumed({ edited: { after: { q: 2 } } }),
      finished('a', SEARCH, { input: { q: 1 } }),
    )
    expect(run.instances.get('a')).toMatchObject({ input: { q: 2 }, edited: { after: { q: 2 } } })
  })

  it('of a retry belongs to the new attempt, unless this instance ran again itself', () => {
    const retry = [
      started('a', SEARCH, { input: 1 }),
      failed,
      paused({ point: 'error' }),
      resumed({ action: 'retry', edited: { after: 2 } }),
    ]
    expect(fold(...retry, finished('a', SEARCH, { status: 'error' })).instances.get('a')).toMatchObject({
      input: 1,
      edited: { after: 2 },
      status: 'error',
    })
    expect(fold(...retry, finished('a', SEARCH, { attempts: 2 })).instances.get('a')).toMatchObject({
      input: 2,
      edited: { after: 2 },
      status: 'ok',
    })
  })
})

describe('a retried error', () => {
  it('runs on in the same instance and is an error only when it fails once more', () => {
    const retried = [started('a', SEARCH), failed, paused({ point: 'error' }), resumed({ action: 'retry' })]
    expect(fold(...retried).instances.get('a')?.status).toBe('running')
    expect(fold(...retried, failed).instances.get('a')).toMatchObject({ status: 'error', errors: [{}, {}] })
  })
})
