import { describe, expect, it } from 'vitest'
import { canonical } from '../testing/assembly.ts'
import { spanId, type TestSpan } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'

const TRACE = (digit: string) => digit.repeat(32)
const SCOPE = 'openinference.instrumentation.langchain'
const agent: TestSpan = {
  id: 1,
  trace: TRACE('a'),
  name: 'planner',
  start: 0,
  end: 50,
  scope: SCOPE,
  attributes: { 'openinference.span.kind': 'AGENT', 'agent.name': 'planner' },
}
const counts = (prompt: number) => ({ 'llm.token_count.prompt': prompt, 'llm.token_count.completion': 3 })
const llm = (id: number, more: Partial<TestSpan>, prompt: number): TestSpan => ({
  id,
  start: 10,
  end: 20,
  ...more,
  attributes: { 'openinference.span.kind': 'LLM', ...counts(prompt) },
})
const inside = llm(2, { parent: 1, trace: TRACE('a'), scope: SCOPE }, 7)
const stray = llm(3, { trace: TRACE('b'), scope: 'openai', start: 11, end: 19 }, 7)
const merged = (store: TestStore) => store.run(TRACE('b'))['merged_into']

describe('traces that are one run', () => {
  it.each([
    ['the agent first', [agent, inside, stray]],
    ['the stray call first', [stray, inside, agent]],
  ])('are joined, and the call that both describe is one call: %s', (_order, spans) => {
    const store = new TestStore()
    for (const span of spans) store.add(span)
    expect(merged(store)).toBe(TRACE('a'))
    const shown = [...store.picture(TRACE('a')).instances.values()]
    expect(shown.map(({ kind, usage }) => [kind, usage?.inputTokens]).sort()).toEqual([
      ['agent', undefined],
      ['llm', 7],
    ])
    expect(store.picture(TRACE('b')).instances.get(spanId(3))?.status).toBe('ok')
  })

  it('stay apart when the call is another one, when two agents ran then, or when it began elsewhere', () => {
    const apart = (...spans: readonly TestSpan[]) => {
      const store = new TestStore()
      store.add(...spans)
      return merged(store)
    }
    expect(apart(agent, inside, llm(3, { trace: TRACE('b'), scope: 'openai', start: 11, end: 19 }, 8))).toBeNull()
    expect(apart(agent, inside, { ...agent, id: 4, trace: TRACE('c') }, stray)).toBeNull()
    expect(apart(agent, inside, { ...stray, service: 'other' })).toBeNull()
    expect(apart(agent, inside, { ...stray, end: 60 })).toBeNull()
  })

  it('are found over a restart, whichever came first', () => {
    for (const spans of [
      [agent, inside, stray],
      [stray, inside, agent],
    ]) {
      const store = new TestStore()
      for (const span of spans) {
        store.add(span)
        store.restarted()
      }
      expect(merged(store)).toBe(TRACE('a'))
    }
  })

  it.each([
    ['', false],
    [', also after a restart', true],
  ])('part again when a second agent turns out to have run then%s', (_when, restart) => {
    const second = { ...agent, id: 4, trace: TRACE('c'), name: 'other' }
    const store = new TestStore()
    store.add(agent, inside, stray)
    if (restart) store.restarted()
    expect([merged(store), store.run(TRACE('a'))['span_count']]).toEqual([TRACE('a'), 3])
    store.add(second)
    expect([merged(store), store.run(TRACE('a'))['span_count']]).toEqual([null, 2])
    const apart = new TestStore()
    apart.add(second, agent, inside, stray)
    for (const trace of ['a', 'b', 'c']) expect(canonical(store.picture(TRACE(trace)))).toEqual(canonical(apart.picture(TRACE(trace))))
    expect(store.run(TRACE('a'))['usage']).toBe(apart.run(TRACE('a'))['usage'])
  })

  it('keep their place over a restart, also for copies that come again', () => {
    const store = new TestStore()
    store.add(agent, inside, stray)
    const before = store.events(TRACE('a')).length
    store.restarted()
    store.add(stray, { ...inside, attributes: { ...inside.attributes, 'app.extra': 'x' } })
    expect([...store.picture(TRACE('a')).instances.values()]).toHaveLength(2)
    expect(store.events(TRACE('a')).length).toBeLessThan(before + 3)
  })
})
