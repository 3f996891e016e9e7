import { describe, expect, it } from 'vitest'
import { Assembly, instanceNamed, parentName } from '../testing/assembly.ts'
import { spanId, type TestSpan } from '../testing/spans.ts'

const assembled = (...spans: readonly TestSpan[]) => {
  const assembly = new Assembly()
  assembly.add(...spans)
  return assembly
}
const boss: TestSpan = { id: 1, type: 'agent', name: 'boss', end: 20 }
const asking = (id: number, start: number, ...calls: readonly (readonly [id: string, name: string])[]): TestSpan => ({
  id,
  parent: 1,
  type: 'llm',
  start,
  end: start + 1,
  attributes: {
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Where to?' }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: calls.map(([call, name]) => ({ type: 'tool_call', id: call, name, arguments: { city: name } })) },
    ]),
  },
})
const answering = (id: number, start: number, ...results: readonly (readonly [id: string, result: string])[]): TestSpan => ({
  id,
  parent: 1,
  type: 'llm',
  start,
  end: start + 1,
  attributes: {
    'gen_ai.input.messages': JSON.stringify(
      results.map(([call, response]) => ({ role: 'tool', parts: [{ type: 'tool_call_response', id: call, response }] })),
    ),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Lisbon.' }] }]),
  },
})
const tool = (id: number, name: string, start: number, more: Partial<TestSpan> = {}): TestSpan => ({
  id,
  parent: 1,
  type: 'tool',
  name,
  start,
  end: start + 1,
  ...more,
})

describe('what a tool does not say itself', () => {
  const asked = asking(2, 1, ['c-1', 'find'])
  const told = answering(4, 5, ['c-1', 'none left'])

  it.each([
    ['from the top', (spans: readonly TestSpan[]) => [spans]],
    ['child first, one by one', (spans: readonly TestSpan[]) => spans.toReversed().map((span) => [span])],
  ])('is taken from the request before and after it, %s', (_order, batches) => {
    const spans = [boss, asked, tool(3, 'find', 3, { attributes: { 'gen_ai.tool.call.id': 'c-1' } }), told]
    const assembly = new Assembly()
    for (const batch of batches(spans)) assembly.add(...batch)
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ input: { city: 'find' }, output: 'none left', status: 'ok' })
  })

  it('is the reason of a failure without words, told once', () => {
    const failed = tool(3, 'find', 3, { error: '', attributes: { 'gen_ai.tool.call.id': 'c-1' } })
    const assembly = new Assembly()
    for (const span of [failed, asked, told, boss]) assembly.add(span)
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ status: 'error', errors: [{ message: 'none left' }] })
  })

  it('is said at the end of the run if nobody finds words', () => {
    const assembly = assembled({ ...boss, phase: 'start' }, tool(3, 'find', 3, { error: '' }))
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ status: 'error', errors: [] })
    assembly.add(boss)
    expect(instanceNamed(assembly.picture(), 'find').errors).toHaveLength(1)
  })
})

describe('a tool that has no span', () => {
  const asked = asking(2, 1, ['c-1', 'find'], ['c-2', 'book'])
  const told = answering(4, 5, ['c-1', 'two'], ['c-2', 'Error: sold out'])

  it('is derived from the messages when the other tools have spans', () => {
    const run = assembled(boss, asked, tool(3, 'find', 3), told).picture()
    expect(instanceNamed(run, 'book')).toMatchObject({
      id: 'call:c-2',
      derived: true,
      toolCallId: 'c-2',
      input: { city: 'book' },
      status: 'error',
      errors: [{ message: 'sold out' }],
    })
    expect([parentName(run, 'book'), instanceNamed(run, 'find').toolCallId]).toEqual(['boss', 'c-1'])
  })

  it('is not made up where no tool of the program has one, nor before its result is known', () => {
    const count = (...spans: readonly TestSpan[]) =>
      [
        ...assembled(boss, asked, ...spans)
          .picture()
          .instances.values(),
      ].filter((instance) => instance.derived === true).length
    expect([count(told), count(tool(3, 'find', 3)), count(tool(3, 'find', 3), told)]).toEqual([0, 0, 1])
  })

  it('becomes the span that comes late after all', () => {
    const assembly = assembled(boss, asked, tool(3, 'find', 3), told)
    assembly.add(tool(5, 'book', 3, { error: 'sold out', attributes: { 'gen_ai.tool.call.id': 'c-2' } }))
    const run = assembly.picture()
    expect([...run.instances.values()].filter((instance) => instance.name === 'book').map(({ id, derived }) => [id, derived])).toEqual([
      [spanId(5), undefined],
    ])
  })
})

describe('an agent that says nothing of its own', () => {
  it.each([
    ['from the top', (spans: readonly TestSpan[]) => [spans]],
    ['child first, one by one', (spans: readonly TestSpan[]) => spans.toReversed().map((span) => [span])],
  ])('was asked what its first step was asked, and answered what its last one did, %s', (_order, batches) => {
    const assembly = new Assembly()
    for (const batch of batches([boss, asking(2, 1, ['c-1', 'find']), answering(4, 5, ['c-1', 'two'])])) assembly.add(...batch)
    expect(instanceNamed(assembly.picture(), 'boss')).toMatchObject({ input: 'Where to?', output: 'Lisbon.' })
  })
})

describe('a chain of a vocabulary without agents', () => {
  const chain: TestSpan = { id: 1, name: 'planner', end: 9, attributes: { 'langsmith.span.kind': 'chain' } }
  const step: TestSpan = { id: 2, parent: 1, name: 'step', start: 1, end: 2, attributes: { 'langsmith.span.kind': 'llm' } }
  const use: TestSpan = { id: 3, parent: 1, name: 'find', start: 3, end: 4, attributes: { 'langsmith.span.kind': 'tool' } }

  it('is an agent once it has run a model call and a tool, in any order', () => {
    for (const spans of [
      [chain, step, use],
      [use, step, chain],
    ]) {
      const assembly = new Assembly()
      for (const span of spans) assembly.add(span)
      const run = assembly.picture()
      expect(instanceNamed(run, 'planner').nodeId).toBe('agent:planner')
      expect(instanceNamed(run, 'find').parentId).toBe('agent:planner')
    }
    expect(instanceNamed(assembled(chain, step).picture(), 'planner').nodeId).toBe('chain:planner')
  })
})
