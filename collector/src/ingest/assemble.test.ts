import { describe, expect, it } from 'vitest'
import { withAnnounced } from '../otlp/start-notice.ts'
import { Assembly, canonical, instanceNamed, parentName } from '../testing/assembly.ts'
import { BASE_MS, decodeSpans, spanId, type TestSpan, TRACE } from '../testing/spans.ts'

const assembled = (...spans: readonly TestSpan[]) => {
  const assembly = new Assembly()
  assembly.add(...spans)
  return assembly
}
const types = (assembly: Assembly) => assembly.events.map((event) => event.type)
const payloads = (assembly: Assembly, type: string) =>
  assembly.events.filter((event) => event.type === type).map((event) => JSON.parse(event.json) as Record<string, unknown>)

describe('assemble', () => {
  it('tells a trace that comes from the top in the order of the contract', () => {
    const assembly = assembled(
      { id: 1, type: 'agent', name: 'boss', end: 9 },
      { id: 2, parent: 1, type: 'tool', name: 'find', start: 1, end: 5 },
    )
    expect(types(assembly)).toEqual(['run.started', 'node.started', 'node.finished', 'node.started', 'node.finished', 'run.finished'])
    const run = assembly.picture()
    expect([run.runId, run.app, run.name, run.status, run.startedAt, run.finishedAt]).toEqual([
      TRACE,
      'test-app',
      'boss',
      'ok',
      BASE_MS,
      BASE_MS + 9,
    ])
    expect(instanceNamed(run, 'find')).toMatchObject({
      id: spanId(2),
      nodeId: 'tool:find',
      kind: 'tool',
      parentInstanceId: spanId(1),
      parentId: 'agent:boss',
      status: 'ok',
      durationMs: 4,
      startNanos: `${BASE_MS + 1}000000`,
      endNanos: `${BASE_MS + 5}000000`,
      traceId: TRACE,
      spanId: spanId(2),
    })
  })

  it('names the parent’s node once a late parent has come', () => {
    const assembly = assembled({ id: 2, parent: 1, type: 'tool', name: 'find', start: 1, end: 5 })
    expect(instanceNamed(assembly.picture(), 'find')).not.toHaveProperty('parentId')
    assembly.add({ id: 1, type: 'agent', name: 'boss', end: 9 })
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ parentInstanceId: spanId(1), parentId: 'agent:boss' })
    expect(types(assembly).filter((type) => type === 'node.finished')).toHaveLength(2)
  })

  it('gives the children of plumbing to the nearest shown ancestor, whichever comes first', () => {
    const spans: TestSpan[] = [
      { id: 1, type: 'agent', name: 'boss', end: 9 },
      { id: 2, parent: 1, type: 'web', start: 1, end: 8 },
      { id: 3, parent: 2, type: 'web', start: 2, end: 7 },
      { id: 4, parent: 3, type: 'tool', name: 'find', start: 3, end: 5 },
    ]
    for (const order of [spans, spans.toReversed(), [spans[3], spans[1], spans[0], spans[2]]]) {
      const run = assembled(...order.filter((span) => span !== undefined)).picture()
      expect(run.instances.size).toBe(2)
      expect(parentName(run, 'find')).toBe('boss')
      expect(instanceNamed(run, 'find').parentId).toBe('agent:boss')
    }
  })

  it('says of plumbing where it belongs only when something pointed at it', () => {
    const boss: TestSpan = { id: 1, type: 'agent', name: 'boss', end: 9 }
    const web: TestSpan = { id: 2, parent: 1, type: 'web', start: 1, end: 8 }
    const tool: TestSpan = { id: 3, parent: 2, type: 'tool', name: 'find', start: 3, end: 5 }
    expect([...assembled(boss, web, tool).picture().aliases]).toEqual([])
    expect([...assembled(tool, web, boss).picture().aliases]).toEqual([[spanId(2), spanId(1)]])
  })

  it('draws plumbing at the root as a custom node', () => {
    const run = assembled(
      { id: 1, type: 'web', name: 'GET /', end: 9 },
      { id: 2, parent: 1, type: 'agent', name: 'boss', start: 1, end: 8 },
    ).picture()
    expect(instanceNamed(run, 'GET /')).toMatchObject({ kind: 'custom', nodeId: 'custom:GET /' })
    expect(parentName(run, 'boss')).toBe('GET /')
  })

  it('counts a span with a remote parent as root until that parent comes', () => {
    const assembly = assembled({ id: 2, parent: 1, remote: true, type: 'agent', name: 'inner', start: 1, end: 5 })
    expect([assembly.picture().status, assembly.picture().name]).toEqual(['ok', 'inner'])
    assembly.add({ id: 1, type: 'agent', name: 'outer', phase: 'start' })
    expect([assembly.picture().status, assembly.picture().name]).toEqual(['running', 'outer'])
    assembly.add({ id: 1, type: 'agent', name: 'outer', end: 9, phase: 'end', error: 'broke' })
    expect([assembly.picture().status, assembly.picture().finishedAt]).toEqual(['error', BASE_MS + 9])
  })

  it('lets the root decide: a tool that failed fails no run', () => {
    const run = assembled(
      { id: 1, type: 'agent', name: 'boss', end: 9 },
      { id: 2, parent: 1, type: 'tool', name: 'find', start: 1, end: 5, error: 'not there' },
    ).picture()
    expect(run.status).toBe('ok')
    expect(instanceNamed(run, 'find').errors.map((error) => error.message)).toEqual(['not there'])
    expect(assembled({ id: 1, type: 'agent', name: 'boss', end: 9, error: 'broke' }).picture()).toMatchObject({
      status: 'error',
      error: { message: 'broke' },
    })
  })

  it('goes on running while a root is open, and when another root comes after the first ended', () => {
    const assembly = assembled({ id: 1, type: 'agent', name: 'boss', phase: 'start' })
    expect(assembly.picture().status).toBe('running')
    assembly.add({ id: 1, type: 'agent', name: 'boss', end: 9, phase: 'end' })
    expect(assembly.picture().status).toBe('ok')
    assembly.add({ id: 2, type: 'agent', name: 'later', start: 20, phase: 'start' })
    expect(assembly.picture().status).toBe('running')
    assembly.add({ id: 2, type: 'agent', name: 'later', start: 20, end: 30, phase: 'end' })
    expect([assembly.picture().status, assembly.picture().name, assembly.picture().finishedAt]).toEqual(['ok', 'boss', BASE_MS + 30])
  })

  it('never shows a length below zero', () => {
    const run = assembled({ id: 1, type: 'agent', name: 'boss', start: 9, end: 3 }).picture()
    expect([instanceNamed(run, 'boss').durationMs, run.finishedAt]).toEqual([0, BASE_MS + 9])
  })
})

describe('copies of one span', () => {
  const start: TestSpan = { id: 1, type: 'tool', name: 'find', phase: 'start', attributes: { 'gen_ai.tool.call.arguments': '{"q":1}' } }
  const end: TestSpan = { ...start, end: 5, phase: 'end', attributes: { ...start.attributes, 'gen_ai.tool.call.result': '"yes"' } }

  it('shows a start copy as running and finishes it with the end copy, sending the input once', () => {
    const assembly = assembled(start)
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ status: 'running', input: { q: 1 } })
    assembly.add(end)
    expect(instanceNamed(assembly.picture(), 'find')).toMatchObject({ status: 'ok', input: { q: 1 }, output: 'yes' })
    expect(payloads(assembly, 'node.finished')).toEqual([expect.not.objectContaining({ input: expect.anything() })])
    expect(payloads(assembly, 'node.started')).toHaveLength(1)
  })

  it('sends with the end what became known only then', () => {
    const assembly = assembled({ ...start, attributes: {} })
    assembly.add(end)
    expect(payloads(assembly, 'node.finished')).toEqual([expect.objectContaining({ input: { q: 1 }, output: 'yes' })])
  })

  it('ignores a start copy that comes after the end', () => {
    const assembly = assembled(end)
    expect(assembly.add(start)).toEqual([])
  })

  it('lets our copy stand over another exporter’s, which only fills what is absent', () => {
    const other: TestSpan = {
      ...end,
      attributes: { 'gen_ai.tool.call.result': '"theirs"', 'gen_ai.tool.call.arguments': '{"q":2}', 'gen_ai.tool.call.id': 'call-1' },
    }
    const { phase: _phase, ...theirs } = other
    const one = assembled(end, theirs)
    expect(instanceNamed(one.picture(), 'find')).toMatchObject({ output: 'yes', input: { q: 1 }, toolCallId: 'call-1' })
    expect(canonical(assembled(theirs, end).picture())).toEqual(canonical(one.picture()))
  })

  it('takes a different final copy of the same rank for a correction', () => {
    const { phase: _phase, ...plain } = end
    const assembly = assembled(plain, { ...plain, attributes: { 'gen_ai.tool.call.result': '"better"' } })
    expect(instanceNamed(assembly.picture(), 'find').output).toBe('better')
  })

  it('carries what our processor says of the hold', () => {
    const assembly = assembled({
      ...end,
      attributes: { ...end.attributes, 'graphmind.heldMs': 40, 'graphmind.injected': true, 'graphmind.attempt': 2 },
    })
    expect(payloads(assembly, 'node.started')[0]).toMatchObject({ attempt: 2 })
    expect(payloads(assembly, 'node.finished')[0]).toMatchObject({ heldMs: 40, injected: true })
  })
})

describe('twins', () => {
  const outer: TestSpan = {
    id: 2,
    parent: 1,
    type: 'llm',
    start: 1,
    end: 8,
    attributes: { 'gen_ai.usage.input_tokens': 30, 'gen_ai.usage.output_tokens': 4, 'gen_ai.output.messages': '"outer"' },
  }
  const inner: TestSpan = {
    id: 3,
    parent: 2,
    type: 'llm',
    start: 2,
    end: 7,
    attributes: { 'gen_ai.usage.input_tokens': 30, 'gen_ai.usage.output_tokens': 4, 'gen_ai.provider.name': 'example' },
  }
  const boss: TestSpan = { id: 1, type: 'agent', name: 'boss', end: 9 }
  const tool: TestSpan = { id: 4, parent: 3, type: 'tool', name: 'find', start: 3, end: 4 }

  it.each([
    ['from the top', [boss, outer, inner, tool], spanId(2)],
    ['child first', [tool, inner, outer, boss], spanId(3)],
    [
      'the plumbing between them last',
      [boss, { ...inner, parent: 5 }, outer, { id: 5, parent: 2, type: 'web', start: 1, end: 8 }] as TestSpan[],
      spanId(3),
    ],
  ])('makes one instance of a model call seen twice, %s: the first one stored keeps its id', (_order, spans, keeper) => {
    const run = assembled(...spans).picture()
    const calls = [...run.instances.values()].filter((instance) => instance.kind === 'llm')
    expect(calls.map((call) => call.id)).toEqual([keeper])
    expect(calls[0]).toMatchObject({
      usage: { inputTokens: 30, outputTokens: 4 },
      provider: 'example',
      parentId: 'agent:boss',
      durationMs: 7,
    })
    if (spans.includes(tool)) expect(parentName(run, 'find')).toBe('boss')
  })

  it('keeps calls apart that report different tokens', () => {
    const other = { ...inner, attributes: { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 4 } }
    expect([...assembled(boss, outer, other).picture().instances.values()].filter((instance) => instance.kind === 'llm')).toHaveLength(2)
  })

  it('shows a wrapped call once while both run, and twice again when its end proves it another call', () => {
    const live = (span: TestSpan): TestSpan => ({
      id: span.id,
      parent: span.parent ?? 0,
      type: 'llm',
      start: span.start ?? 0,
      phase: 'start',
    })
    const assembly = assembled({ ...boss, phase: 'start' }, live(outer), live(inner))
    const calls = () => [...assembly.picture().instances.values()].filter((instance) => instance.kind === 'llm')
    expect(calls().map((call) => [call.id, call.status])).toEqual([[spanId(2), 'running']])
    const other = { ...inner, attributes: { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 4 } }
    assembly.add({ ...other, phase: 'end' }, { ...outer, phase: 'end' }, boss)
    expect(calls().map((call) => [call.id, call.usage?.inputTokens, call.status])).toEqual([
      [spanId(2), 30, 'ok'],
      [spanId(3), 7, 'ok'],
    ])
  })

  it('takes back what it said of a call that turned out to be another', () => {
    const start: TestSpan = { id: 2, parent: 1, type: 'llm', start: 1, phase: 'start' }
    const named = { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 4, 'gen_ai.response.id': 'resp-9' }
    const assembly = assembled({ ...boss, phase: 'start' }, start, { ...inner, attributes: named, error: 'overloaded' })
    assembly.add({ ...outer, phase: 'end' }, boss)
    const [own, other] = [...assembly.picture().instances.values()].filter((instance) => instance.kind === 'llm')
    expect(own).toMatchObject({ id: spanId(2), status: 'ok', errors: [], usage: { inputTokens: 30 } })
    expect(own?.extra).not.toHaveProperty('responseId')
    expect(other).toMatchObject({ id: spanId(3), status: 'error', extra: { responseId: 'resp-9' }, usage: { inputTokens: 7 } })
  })

  it('joins spans that name the same response, even when the inner one ends later', () => {
    const named = { 'gen_ai.response.id': 'resp-1' }
    const long = { ...inner, end: 60, attributes: named }
    const run = assembled(boss, { ...outer, attributes: named }, long).picture()
    expect([...run.instances.values()].filter((instance) => instance.kind === 'llm')).toHaveLength(1)
  })

  it('takes two instrumentations side by side for one call only when they agree', () => {
    const beside = (tokens: number, scope: string): TestSpan => ({
      ...inner,
      parent: 1,
      scope,
      attributes: { 'gen_ai.usage.input_tokens': tokens, 'gen_ai.usage.output_tokens': 4 },
    })
    const count = (other: TestSpan) =>
      [...assembled(boss, outer, other).picture().instances.values()].filter((instance) => instance.kind === 'llm').length
    expect([count(beside(30, 'other')), count(beside(7, 'other')), count(beside(30, 'test'))]).toEqual([1, 2, 2])
  })

  // Each may hold the next one within the tolerance of the clocks, and the last one the first.
  it.each([[[2, 3, 4]], [[3, 4, 2]], [[4, 2, 3]], [[4, 3, 2]]])(
    'ends for calls side by side of which each could be outside the next, in the order %j',
    (order) => {
      const attributes = { 'gen_ai.response.id': 'resp-1' }
      const times = new Map([
        [2, { start: 10, end: 20 }],
        [3, { start: 11, end: 22 }],
        [4, { start: 9, end: 19 }],
      ])
      const spans = order.map((id): TestSpan => ({ id, parent: 1, type: 'llm', scope: `scope ${id}`, attributes, ...times.get(id) }))
      const run = assembled({ ...boss, end: 30 }, ...spans).picture()
      expect(run.instances.size).toBeGreaterThan(1)
    },
  )

  it('keeps two calls in a wrapper apart when neither is surely the wrapper’s own', () => {
    const plain = (id: number, start: number): TestSpan => ({ id, parent: 2, type: 'llm', start, end: start + 1 })
    const { attributes: _attributes, ...wrapper } = outer
    const run = assembled(plain(5, 2), plain(6, 4), wrapper, boss).picture()
    expect([...run.instances.values()].filter((instance) => instance.kind === 'llm')).toHaveLength(3)
  })
})

describe('start notices', () => {
  const pending: TestSpan = {
    id: 9,
    parent: 2,
    name: 'plan',
    start: 1,
    end: 1,
    attributes: { 'logfire.span_type': 'pending_span', 'logfire.msg_template': 'plan', 'logfire.pending_parent_id': spanId(1) },
  }
  const done: TestSpan = {
    id: 2,
    parent: 1,
    name: 'plan',
    start: 1,
    end: 5,
    attributes: { 'logfire.span_type': 'span', 'logfire.msg_template': 'plan' },
  }

  it('shows the announced span as running until it comes itself, whichever comes first', () => {
    const assembly = new Assembly()
    for (const span of withAnnounced(decodeSpans([pending]))) assembly.addDecoded(span)
    expect([instanceNamed(assembly.picture(), 'plan').status, instanceNamed(assembly.picture(), 'plan').parentInstanceId]).toEqual([
      'running',
      spanId(1),
    ])
    for (const span of withAnnounced(decodeSpans([done, pending]))) assembly.addDecoded(span)
    expect(instanceNamed(assembly.picture(), 'plan')).toMatchObject({ id: spanId(2), status: 'ok', durationMs: 4 })
  })
})

describe('odd trees', () => {
  it('shows every span of a circle once, and keeps the healthy part', () => {
    const run = assembled(
      { id: 1, type: 'agent', name: 'boss', end: 9 },
      { id: 2, parent: 3, type: 'tool', name: 'ping', start: 1, end: 2 },
      { id: 3, parent: 2, type: 'tool', name: 'pong', start: 1, end: 2 },
      { id: 4, parent: 4, type: 'tool', name: 'self', start: 1, end: 2 },
      { id: 5, parent: 1, type: 'tool', name: 'find', start: 1, end: 2 },
    ).picture()
    expect([...run.instances.values()].map((instance) => instance.name).sort()).toEqual(['boss', 'find', 'ping', 'pong', 'self'])
    expect([parentName(run, 'find'), run.status, run.name]).toEqual(['boss', 'ok', 'boss'])
  })

  it('ends for a circle of plumbing', () => {
    const run = assembled(
      { id: 1, parent: 2, type: 'web', end: 9 },
      { id: 2, parent: 1, type: 'web', end: 9 },
      { id: 3, parent: 1, type: 'tool', name: 'find', end: 2 },
    ).picture()
    expect(instanceNamed(run, 'find').status).toBe('ok')
  })

  it.each([
    ['from the top', false],
    ['from the bottom', true],
  ])('takes a chain of 6,000 spans %s', (_name, reversed) => {
    const chain = Array.from(
      { length: 6000 },
      (_unused, index): TestSpan => ({
        id: index + 1,
        ...(index === 0 ? {} : { parent: index }),
        type: index % 2 === 0 ? 'custom' : 'web',
        name: `n-${index}`,
        start: index,
        end: 20_000 - index,
      }),
    )
    const assembly = assembled(...(reversed ? chain.toReversed() : chain))
    const run = assembly.picture()
    expect(run.instances.size).toBe(3000)
    expect(run.instances.get(spanId(5999))?.parentInstanceId).toBe(spanId(5997))
    expect(assembly.events.length).toBeLessThan(25_000)
  })
})

describe('hints', () => {
  const roster = '[{"type":"function","name":"find"},{"type":"function","name":"book"}]'
  const call = (id: number): TestSpan => ({
    id,
    parent: 1,
    type: 'llm',
    start: id,
    end: id + 1,
    attributes: { 'gen_ai.tool.definitions': roster },
  })

  it('announces a roster once, under the agent that will run the tools', () => {
    const assembly = assembled({ id: 1, type: 'agent', name: 'boss', phase: 'start' }, call(2), call(3))
    expect(payloads(assembly, 'graph.hint')).toHaveLength(1)
    expect([...assembly.picture().hints.values()].map((hint) => [hint.nodeId, hint.parentId])).toEqual([
      ['tool:find', 'agent:boss'],
      ['tool:book', 'agent:boss'],
    ])
  })

  it('says where the tools belong once the agent has come', () => {
    const assembly = assembled(call(2), { id: 1, type: 'agent', name: 'boss', end: 9 })
    expect(assembly.picture().hints.get('tool:find')?.parentId).toBe('agent:boss')
  })
})
