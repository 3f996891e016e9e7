import { describe, expect, it } from 'vitest'
import { createEnvelope, type Envelope } from '../envelope.ts'
import { event, finished, fold, RUN_ID, type StoryEvent, started } from '../test-support/story.ts'
import { emptyRun, foldEnvelope } from './fold.ts'

const SEARCH = 'tool:search'
const failed = (instanceId: string, message = 'boom'): StoryEvent =>
  event('node.error', { nodeId: SEARCH, instanceId, error: { name: 'Error', message } })
const said = (instanceId: string, v: string): StoryEvent =>
  event('node.token', { nodeId: 'llm:step', instanceId, deltas: [{ t: 'text', v }] })

describe('an instance', () => {
  it('runs from its start to its end', () => {
    const run = fold(
      started('a', SEARCH, { input: { q: 'x' }, startTimeUnixNano: '1000000001' }),
      finished('a', SEARCH, { output: [1], endTimeUnixNano: '2000000001' }),
    )
    expect(run.instances.get('a')).toMatchObject({
      status: 'ok',
      kind: 'tool',
      name: 'search',
      startedAt: 1000,
      endedAt: 1001,
      startNanos: '1000000001',
      endNanos: '2000000001',
      durationMs: 10,
      input: { q: 'x' },
      output: [1],
      firstSeq: 0,
      lastSeq: 1,
    })
  })

  it('has no field that was not sent', () => {
    const run = fold(started('a', SEARCH))
    expect(run.instances.get('a')).toStrictEqual({
      id: 'a',
      nodeId: SEARCH,
      kind: 'tool',
      name: 'search',
      status: 'running',
      startedAt: 1000,
      errors: [],
      pauseIds: [],
      firstSeq: 0,
      lastSeq: 0,
      extra: {},
    })
  })

  it('keeps fields this version does not know', () => {
    const run = fold(started('a', SEARCH, { providerExecuted: true }), finished('a', SEARCH, { hook: 'onStep' }))
    expect(run.instances.get('a')?.extra).toEqual({ providerExecuted: true, hook: 'onStep' })
    const fromWire = JSON.parse('{"nodeId":"tool:search","instanceId":"b","kind":"tool","name":"search","__proto__":{"polluted":true}}')
    const other = fold(started('b', SEARCH, fromWire))
    expect(Object.keys(other.instances.get('b')?.extra ?? {})).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('polluted')
  })

  it('is an error from its node.error on, also when a finish says ok later', () => {
    expect(fold(started('a', SEARCH), failed('a')).instances.get('a')).toMatchObject({ status: 'error', endedAt: 1001 })
    expect(fold(started('a', SEARCH), failed('a'), finished('a', SEARCH)).instances.get('a')?.status).toBe('error')
  })

  it('gathers streamed text by channel', () => {
    const run = fold(
      started('a', 'llm:step'),
      event('node.token', { nodeId: 'llm:step', instanceId: 'a', deltas: [{ t: 'reasoning', v: 'hm' }] }),
      event('node.token', {
        nodeId: 'llm:step',
        instanceId: 'a',
        deltas: [
          { t: 'text', v: 'Lis' },
          { t: 'text', v: 'bon' },
          { t: 'tool-args', v: '{' },
        ],
      }),
    )
    expect(run.instances.get('a')?.stream).toEqual({
      text: 'Lisbon',
      reasoning: 'hm',
      toolArgs: '{',
      chunks: 4,
      firstAt: 1001,
      lastAt: 1002,
    })
  })

  it('takes its input from the end when it was not known at the start, and the model the answer names', () => {
    const run = fold(started('a', 'llm:step', { model: 'asked' }), finished('a', 'llm:step', { input: 'late', model: 'answered' }))
    expect(run.instances.get('a')).toMatchObject({ input: 'late', model: 'answered' })
  })

  it('joins what was hidden at its start and at its end', () => {
    const run = fold(
      started('a', SEARCH, { redaction: { count: 1, keys: ['input'] } }),
      finished('a', SEARCH, { redaction: { count: 2, keys: ['output', 'input'] } }),
    )
    expect(run.instances.get('a')?.redaction).toEqual({ count: 3, keys: ['input', 'output'] })
  })

  it('keeps an output that really is null', () => {
    expect(fold(started('a', SEARCH), finished('a', SEARCH, { output: null })).instances.get('a')).toHaveProperty('output', null)
  })
})

describe('a node.started for a known instance', () => {
  it('replaces what and where it is, keeps what it does not name, and clears what it names null', () => {
    const run = fold(
      started('p', 'agent:planner'),
      started('a', 'custom:span', { input: 1, parentId: 'agent:planner', parentInstanceId: 'p', model: 'm' }),
      finished('a', 'custom:span', { output: 2 }),
      started('a', SEARCH, { parentInstanceId: null }, 900),
    )
    const instance = run.instances.get('a')
    expect(instance).toMatchObject({
      nodeId: SEARCH,
      kind: 'tool',
      input: 1,
      output: 2,
      model: 'm',
      parentId: 'agent:planner',
      status: 'ok',
      startedAt: 900,
    })
    expect(instance).not.toHaveProperty('parentInstanceId')
    expect(run.instances.size).toBe(2)
    expect(run.startedAt).toBe(900)
  })
})

describe('an alias', () => {
  it('takes the instance out; its children, tokens and holds belong to the other one, also those that came before', () => {
    const run = fold(
      started('outer', 'llm:step'),
      started('inner', 'llm:step', { parentInstanceId: 'outer', model: 'm' }),
      said('inner', 'hi'),
      event('exec.paused', { pauseId: 'p', nodeId: 'llm:step', instanceId: 'inner', point: 'before' }),
      started('child', SEARCH, { parentInstanceId: 'inner' }),
      started('inner', 'llm:step', { aliasOf: 'outer' }),
      said('inner', ' there'),
    )
    expect([...run.instances.keys()]).toEqual(['outer', 'child'])
    expect(run.instances.get('outer')).toMatchObject({ status: 'paused', model: 'm', stream: { text: 'hi there' }, pauseIds: ['p'] })
    expect(run.instances.get('child')?.parentInstanceId).toBe('outer')
    expect(run.pauses.get('p')?.instanceId).toBe('outer')
    expect(run.aliases).toEqual(new Map([['inner', 'outer']]))
  })

  it('fills only what the other one lacks', () => {
    const run = fold(
      started('inner', 'llm:step', { input: 'inner', derived: true }),
      finished('inner', 'llm:step', { output: 'inner', usage: { inputTokens: 1, outputTokens: 1 } }),
      started('inner', 'llm:step', { aliasOf: 'outer' }),
      started('outer', 'llm:step', { input: 'outer' }),
      finished('outer', 'llm:step', { durationMs: 70, output: 'outer' }),
    )
    expect(run.instances.get('outer')).toMatchObject({ input: 'outer', output: 'outer', durationMs: 70, usage: { inputTokens: 1 } })
    expect(run.instances.get('outer')).not.toHaveProperty('derived')
  })

  it('of a chain leads to its end, which may come last', () => {
    const chain = [started('a', SEARCH, { aliasOf: 'b' }), started('b', SEARCH, { aliasOf: 'c' })]
    expect(fold(...chain, finished('a', SEARCH)).instances.size).toBe(0)
    const run = fold(...chain, finished('a', SEARCH), started('c', SEARCH))
    expect(run.instances.get('c')?.status).toBe('ok')
    expect(run.aliases.get('a')).toBe('c')
  })

  it('in a circle shows one of them, and of itself shows itself', () => {
    const run = fold(started('b', SEARCH, { aliasOf: 'a' }), started('a', SEARCH, { aliasOf: 'b' }), started('c', SEARCH, { aliasOf: 'c' }))
    expect([...run.instances.keys()]).toEqual(['a', 'c'])
  })

  it('that is withdrawn brings the instance back with what is its own', () => {
    const run = fold(
      started('a', SEARCH),
      started('b', SEARCH, { aliasOf: 'a' }),
      finished('b', SEARCH, { output: 1 }),
      started('b', SEARCH, { aliasOf: null }),
    )
    expect(run.instances.get('a')).toMatchObject({ status: 'running' })
    expect(run.instances.get('b')).toMatchObject({ status: 'ok', output: 1 })
    expect(run.aliases.size).toBe(0)
  })

  it('of a child for its parent takes the parent’s parent, so that nothing is its own child', () => {
    const run = fold(
      started('grand', 'agent:planner'),
      started('wrapper', 'custom:wrap', { parentInstanceId: 'grand', parentId: 'agent:planner' }),
      started('call', 'llm:step', { parentInstanceId: 'wrapper', parentId: 'custom:wrap' }),
      started('wrapper', 'custom:wrap', { aliasOf: 'call' }),
    )
    expect(run.instances.get('call')).toMatchObject({ parentInstanceId: 'grand', parentId: 'agent:planner' })
  })
})

describe('an event without instance id', () => {
  it('belongs to the most recent open instance of its node', () => {
    const run = fold(
      started('a', SEARCH),
      started('b', SEARCH),
      started('c', SEARCH),
      finished('c', SEARCH),
      event('node.finished', { nodeId: SEARCH, durationMs: 1, status: 'ok', output: 'b' }),
      event('node.error', { nodeId: SEARCH, error: { name: 'Error', message: 'a' } }),
    )
    expect(run.instances.get('b')?.output).toBe('b')
    expect(run.instances.get('a')?.errors).toHaveLength(1)
    expect(run.instances.get('c')).not.toHaveProperty('output')
  })

  it('belongs to the node’s last instance when none is open, and waits for the first when there is none', () => {
    const error = event('node.error', { nodeId: SEARCH, error: { name: 'Error', message: 'late' } })
    expect(fold(started('a', SEARCH), finished('a', SEARCH, { status: 'error' }), error).instances.get('a')?.errors).toHaveLength(1)
    expect(fold(error, started('a', SEARCH), started('b', SEARCH)).instances.get('a')?.errors).toHaveLength(1)
  })
})

describe('a run', () => {
  const runStarted = (fields: object = {}, ts?: number): StoryEvent =>
    event('run.started', { app: 'trips', sdk: { name: 'ai', version: '7' }, ...fields }, ts)

  it('is named by its meta and corrected by a second start', () => {
    const run = fold(
      runStarted({ meta: { name: 'first', source: 'live' } }),
      runStarted({ app: 'trip-planner', meta: { name: 'book-trip' } }, 500),
    )
    expect(run).toMatchObject({
      app: 'trip-planner',
      name: 'book-trip',
      meta: { name: 'book-trip', source: 'live' },
      startedAt: 500,
      status: 'running',
    })
  })

  it('ends, is corrected by a second end, and is not reopened by a late node', () => {
    const over = [
      runStarted(),
      event('run.finished', { status: 'error', error: { name: 'Error', message: 'x' } }),
      event('run.finished', { status: 'ok' }),
    ]
    const run = fold(...over, started('a', SEARCH))
    expect(run).toMatchObject({ status: 'ok', finishedAt: 1002 })
    expect(run).not.toHaveProperty('error')
    expect(fold(...over, runStarted())).toMatchObject({ status: 'ok' })
  })

  it('runs again when it is reopened', () => {
    const run = fold(runStarted(), event('run.finished', { status: 'ok' }), runStarted({ reopened: true }))
    expect(run.status).toBe('running')
    expect(run).not.toHaveProperty('finishedAt')
  })

  it('keeps hints, gaps and events it does not know', () => {
    const run = fold(
      event('graph.hint', {
        nodes: [{ nodeId: SEARCH, kind: 'tool', name: 'search' }],
        gap: { droppedCount: 3, fromSeq: 1, toSeq: 3, reason: 'buffer' },
      }),
    )
    const unknown: Envelope = { gm: 1, seq: 9, ts: 1, runId: RUN_ID, type: 'node.dreamt', payload: { of: 'sheep' } }
    expect(foldEnvelope(run, unknown).run).toBe(true)
    expect([...run.hints.keys()]).toEqual([SEARCH])
    expect(run.gaps).toEqual([{ droppedCount: 3, fromSeq: 1, toSeq: 3, reason: 'buffer' }])
    expect(run.unknown).toEqual([unknown])
    expect(run.lastSeq).toBe(9)
  })

  it('that was copied is refused, because the copy has lost the fold’s indexes', () => {
    const envelope = createEnvelope('run.finished', { status: 'ok' }, { runId: RUN_ID, seq: 0, ts: 0 })
    expect(() => foldEnvelope({ ...emptyRun(RUN_ID) }, envelope)).toThrow('emptyRun')
  })
})
