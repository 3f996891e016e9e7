import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'
import { LoopGuard, type WatchedCall } from './guard.ts'
import { type LoopGuardOptions, readLoopSettings } from './settings.ts'

const ignored = new Set(['_meta'])

function guardWith(options: LoopGuardOptions = {}) {
  const settings = readLoopSettings(options, {})
  if (settings === undefined) throw new Error('The guard is off.')
  const warnings: string[] = []
  const guard = new LoopGuard(settings, (_kind, message) => warnings.push(message))
  let seq = 0
  const callOf = (input: unknown, more: Partial<WatchedCall> = {}): WatchedCall => ({
    runId: 'run',
    nodeId: `tool:${more.name ?? 'search'}`,
    kind: 'tool',
    name: 'search',
    instanceId: `call-${seq}`,
    input,
    ...more,
  })
  return {
    guard,
    warnings,
    /** One call as an adapter makes it: reported, then at its gate. Answers how many repeats it is held for. */
    call(input: unknown, more: Partial<WatchedCall> = {}) {
      seq += 1
      const call = callOf(input, more)
      guard.started(call, seq, true)
      return guard.reached({ ...call, input: undefined }, seq)?.repeats
    },
    /** One call that nothing but its gate tells of. */
    gate(input: unknown, more: Partial<WatchedCall> = {}) {
      seq += 1
      return guard.reached(callOf(input, more), seq)
    },
    /** One call while nobody is attached. */
    detached(input: unknown) {
      seq += 1
      guard.started(callOf(input), seq, false)
    },
  }
}

describe('calls that went by unwatched', () => {
  it('count when they are told of, so that the next identical one is held', () => {
    const warnings: string[] = []
    const settings = readLoopSettings(undefined, {})
    if (settings === undefined) throw new Error('the guard is on by default')
    const guard = new LoopGuard(settings, (_kind, message) => warnings.push(message))
    const call = (instanceId: string) => ({ runId: 'r', nodeId: 'tool:a', kind: 'tool' as const, name: 'a', instanceId, input: { q: 1 } })
    guard.passed(call('1'), 0)
    guard.passed({ ...call('x'), input: undefined }, 0)
    guard.passed(call('2'), 0)
    expect(guard.reached(call('3'), 1)).toMatchObject({ repeats: 3, firstInstanceId: '1', lastInstanceId: '3' })
    guard.passed(call('4'), 2)
    expect(warnings).toEqual(['a was called 4 times in a row with the same arguments.'])
  })
})

describe('identical calls in a row', () => {
  it('are held from the third one on, each once', () => {
    const { call } = guardWith()
    expect([1, 2, 3, 4, 5].map(() => call({ q: 1 }))).toEqual([undefined, undefined, 3, 4, 5])
  })

  it('come with the evidence', () => {
    const { gate } = guardWith({ threshold: 2 })
    gate({ q: 1 })
    expect(gate({ q: 1 })).toEqual({
      repeats: 2,
      firstSeq: 1,
      lastSeq: 2,
      fingerprint: fingerprint('tool:search', { q: 1 }, ignored),
      kind: 'repeat',
      firstInstanceId: 'call-1',
      lastInstanceId: 'call-2',
    })
  })

  it('are broken by another watched call between, not by a model step', () => {
    const { call } = guardWith()
    call({ q: 1 })
    call({ q: 1 })
    call({ q: 1 }, { kind: 'llm', nodeId: 'llm:step', name: 'step' })
    expect(call({ q: 1 })).toBe(3)
    call({ q: 2 })
    expect([call({ q: 1 }), call({ q: 1 }), call({ q: 1 })]).toEqual([undefined, undefined, 3])
    call({ q: 1 }, { name: 'other' })
    expect(call({ q: 1 })).toBeUndefined()
  })

  it('are not broken by an allowed node, which is not watched at all', () => {
    const { call } = guardWith({ allowNodes: ['poll', 'tool:wait'] })
    call({ q: 1 })
    call({ q: 1 })
    for (const name of ['poll', 'poll', 'poll', 'wait', 'wait', 'wait']) expect(call({}, { name })).toBeUndefined()
    expect(call({ q: 1 })).toBe(3)
  })

  it('are counted apart in every run', () => {
    const { call, guard } = guardWith()
    call({ q: 1 })
    call({ q: 1 })
    expect(call({ q: 1 }, { runId: 'other' })).toBeUndefined()
    expect(call({ q: 1 })).toBe(3)
    guard.runEnded('run')
    expect(call({ q: 1 })).toBeUndefined()
  })

  it('are forgotten with the longest silent of more than 64 runs', () => {
    const { call } = guardWith()
    call({ q: 1 })
    call({ q: 1 })
    for (let index = 0; index < 64; index += 1) call({ q: 1 }, { runId: `run-${index}` })
    expect(call({ q: 1 })).toBeUndefined()
  })

  it('do not include a retry that a person asked for', () => {
    const { call, guard } = guardWith()
    call({ q: 1 })
    call({ q: 1 })
    expect(call({ q: 1 })).toBe(3)
    guard.retrying('run', 'tool:search')
    expect(call({ q: 1 })).toBeUndefined()
    expect(call({ q: 1 })).toBe(4)
  })

  it('go on after a retry that ran in the span of its first try', () => {
    const { gate, guard } = guardWith()
    gate({ q: 1 })
    gate({ q: 1 }, { instanceId: 'second' })
    guard.retrying('run', 'tool:search')
    expect(gate({ q: 1 }, { instanceId: 'second' })).toBeUndefined()
    expect(gate({ q: 1 })?.repeats).toBe(3)
  })

  it('count once when a call passes two gates', () => {
    const { gate } = guardWith()
    const again = () => [gate({ q: 1 }, { instanceId: 'same' })?.repeats, gate({ q: 1 }, { instanceId: 'same' })?.repeats]
    gate({ q: 1 })
    gate({ q: 1 })
    expect(again()).toEqual([3, undefined])
  })

  it('are warned of once while nobody could be asked, and a late debugger holds the next one', () => {
    const { call, detached, warnings } = guardWith()
    for (let index = 0; index < 5; index += 1) detached({ secret: 'canary' })
    expect(warnings).toEqual(['search was called 3 times in a row with the same arguments.'])
    expect(call({ secret: 'canary' })).toBe(6)
  })

  it('are only warned of in mode warn', () => {
    const { call, warnings } = guardWith({ mode: 'warn' })
    expect([1, 2, 3, 4].map(() => call({}))).toEqual([undefined, undefined, undefined, undefined])
    expect(warnings).toHaveLength(1)
  })

  it('are broken by arguments that can’t be read', () => {
    const { call } = guardWith()
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    expect([call(cycle), call(cycle), call(cycle)]).toEqual([undefined, undefined, undefined])
    call({ q: 1 })
    call({ q: 1 })
    call(cycle)
    expect(call({ q: 1 })).toBeUndefined()
  })
})

describe('a fingerprint', () => {
  const print = (input: unknown) => fingerprint('tool:search', input, ignored)

  it.each([
    ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['white space and the spelling of numbers in JSON text', '{ "a": 1.0, "b": [1e2] }', { a: 1, b: [100] }],
    ['ignored keys at any depth', { a: 1, _meta: { id: 1 }, b: [{ _meta: 2, c: 1 }] }, { a: 1, b: [{ c: 1 }], _meta: 7 }],
    ['absent fields', { a: 1, b: undefined }, { a: 1 }],
  ])('does not see %s', (_what, left, right) => {
    expect(print(left)).toBe(print(right))
    expect(print(left)).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    ['values', { a: 1 }, { a: 2 }],
    ['types', { a: 1 }, { a: '1' }],
    ['pages', { page: 1 }, { page: 2 }],
    ['the order of a list', [1, 2], [2, 1]],
    ['text that is no JSON', '{oops', '{oop'],
  ])('sees %s', (_what, left, right) => {
    expect(print(left)).not.toBe(print(right))
  })

  it('sees the node', () => {
    expect(fingerprint('tool:a', {}, ignored)).not.toBe(fingerprint('tool:b', {}, ignored))
  })
})

describe('the loop guard’s settings', () => {
  it('hold at three identical tool calls by default', () => {
    expect(readLoopSettings(undefined, {})).toEqual({
      threshold: 3,
      mode: 'pause',
      allowNodes: new Set(),
      ignoreKeys: new Set(['_meta']),
      kinds: new Set(['tool']),
    })
  })

  it.each<[LoopGuardOptions | false | undefined, Record<string, string>, unknown]>([
    [{ threshold: 5 }, { GRAPHMIND_LOOP_THRESHOLD: '7' }, { threshold: 7 }],
    [{ threshold: 5 }, { GRAPHMIND_LOOP_THRESHOLD: 'many' }, { threshold: 5 }],
    [{ threshold: 0 }, {}, undefined],
    [undefined, { GRAPHMIND_LOOP_THRESHOLD: '0' }, undefined],
    [false, { GRAPHMIND_ON_LOOP: 'pause' }, undefined],
    [undefined, { GRAPHMIND_ON_LOOP: 'warn' }, { mode: 'warn' }],
    [undefined, { GRAPHMIND_ON_LOOP: 'OFF' }, undefined],
    [undefined, { GRAPHMIND_ON_LOOP: 'none' }, undefined],
    [undefined, { GRAPHMIND_ON_LOOP: '0' }, undefined],
    [{ mode: 'off' }, { GRAPHMIND_ON_LOOP: 'yes' }, { mode: 'pause' }],
    [{ allowNodes: ['a'] }, { GRAPHMIND_LOOP_ALLOW: ' b, tool:c ,' }, { allowNodes: new Set(['a', 'b', 'tool:c']) }],
  ])('from %j and %j are %j', (option, environment, expected) => {
    const settings = readLoopSettings(option, environment)
    if (typeof expected !== 'object' || expected === null) expect(settings).toBeUndefined()
    else expect(settings).toMatchObject(expected)
  })
})
