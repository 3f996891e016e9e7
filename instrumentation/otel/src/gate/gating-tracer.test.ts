import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { context, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { type Program, type ProgramOptions, startProgram } from '../testing/program.ts'
import { adapt, adapterArrives } from './adapted.ts'

const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search',
  'gen_ai.tool.call.id': 'call-1',
  'gen_ai.tool.call.arguments': '{"q":"lisbon"}',
}
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.provider.name': 'p' }
const AI_CALL = {
  'ai.operationId': 'ai.toolCall',
  'ai.toolCall.name': 'search',
  'ai.toolCall.id': 'call-1',
  'ai.toolCall.args': '{"q":"x"}',
}
const AGENT = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' }

let program: Program
afterEach(async () => await program.stop())

async function start(options: ProgramOptions) {
  program = await startProgram(options)
  return { viewer: program.collector.viewer, tracer: trace.getTracer('app') }
}

/** What most instrumentations do around awaited work. */
function traced<Value>(
  tracer: Tracer,
  name: string,
  attributes: Record<string, string>,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

describe('identical calls in a row', () => {
  it('are counted also while no debugger was attached: one that comes late holds the next', async () => {
    const { viewer, tracer } = await start({ attach: false })
    const search = () => traced(tracer, 'search', TOOL, () => 'found')
    await traced(tracer, 'agent', AGENT, async () => {
      // Nothing has been read from a socket yet, so nobody can be attached.
      await search()
      await search()
      expect(await program.processor.ready()).toBe(true)
      const third = search()
      const paused = await viewer.event('exec.paused')
      expect(paused.payload).toMatchObject({ nodeId: 'tool:search', point: 'before', reason: 'loop', loop: { kind: 'repeat', repeats: 3 } })
      viewer.resume(paused, 'continue')
      expect(await third).toBe('found')
    })
  })
})

describe('calls in a circle', () => {
  it('are seen also as far as they went by while no debugger was attached', async () => {
    const { viewer, tracer } = await start({ attach: false })
    const BOOK = { ...TOOL, 'gen_ai.tool.name': 'book' }
    const result = { ...TOOL, 'gen_ai.tool.call.result': '"found"' }
    const search = () => traced(tracer, 'search', result, () => 'found')
    const book = () => traced(tracer, 'book', { ...BOOK, 'gen_ai.tool.call.result': '"full"' }, () => 'full')
    await traced(tracer, 'agent', AGENT, async () => {
      for (const call of [search, book, search, book]) await call()
      expect(await program.processor.ready()).toBe(true)
      for (const call of [search, book]) await call()
      const seventh = search()
      const paused = await viewer.event('exec.paused')
      expect(paused.payload).toMatchObject({ nodeId: 'tool:search', reason: 'loop', loop: { kind: 'cycle', period: 2 } })
      viewer.resume(paused, 'continue')
      expect(await seventh).toBe('found')
    })
  })
})

describe('an awaited span', () => {
  it('of a model that was cut off in a tool call is held by what it says of its answer', async () => {
    const { viewer, tracer } = await start({})
    const call = { type: 'tool_call', id: 'c1', name: 'search', arguments: '{"q":"lis' }
    const chat = tracer.startActiveSpan('chat', { attributes: CHAT }, async (span) => {
      span.setAttribute('gen_ai.response.finish_reasons', ['max_tokens'])
      span.setAttribute('gen_ai.output.messages', JSON.stringify([{ role: 'assistant', parts: [call] }]))
      span.end()
      return 'answer'
    })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({
      nodeId: 'llm:step',
      point: 'after',
      smart: { rule: 'truncated-tool-call', detail: 'It ended with length and asked for 1 tool call.' },
    })
    viewer.resume(paused, 'continue')
    expect(await chat).toBe('answer')
  })

  it('is held before its callback runs, under the span around it that is drawn', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    let ran = 0
    const result = traced(tracer, 'agent', AGENT, () => traced(tracer, 'search', TOOL, () => ++ran))
    const paused = await viewer.event('exec.paused')
    const [agent, tool] = [await program.collector.span('agent', 'start'), await program.collector.span('search', 'start')]
    expect(paused.payload).toMatchObject({
      nodeId: 'tool:search',
      point: 'before',
      instanceId: tool.spanId,
      parentInstanceId: agent.spanId,
      input: { q: 'lisbon' },
      actions: ['continue', 'inject', 'abort'],
    })
    expect(ran).toBe(0)
    viewer.resume(paused, 'continue')
    expect(await result).toBe(1)
    expect((await program.collector.span('search', 'end')).attributes['graphmind.heldMs']).toBeGreaterThanOrEqual(0)
  })

  it('gives the injected value in place of the tool’s, and is ended', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const result = traced(tracer, 'search', TOOL, () => 'real')
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 'injected' })
    expect(await result).toBe('injected')
    expect((await program.collector.span('search', 'end')).attributes).toMatchObject({ 'graphmind.injected': true })
  })

  it('runs again on retry, in a new span that says so, with all gates again', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ point: 'error' }] })
    let tries = 0
    const result = traced(tracer, 'search', TOOL, () => {
      tries += 1
      if (tries < 3) throw new Error(`try ${tries}`)
      return tries
    })
    viewer.resume(await viewer.event('exec.paused'), 'retry')
    viewer.resume(await viewer.event('exec.paused', 2), 'retry')
    expect(await result).toBe(3)
    const ends = () => program.collector.spans.filter((span) => span.endNanos > 0n)
    await program.collector.until(() => new Set(ends().map((span) => span.spanId)).size === 3)
    const starts = program.collector.spans.filter((span) => span.endNanos === 0n)
    expect(starts.map((span) => span.attributes['graphmind.attempt'])).toEqual([undefined, 2, 3])
  })

  it('throws the reason on abort, and so does every later gate of the run', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    let chats = 0
    const result = traced(tracer, 'agent', AGENT, async () => {
      const first = await traced(tracer, 'search', TOOL, () => 1).catch((error: unknown) => error)
      const second = await traced(tracer, 'chat', CHAT, () => ++chats).catch((error: unknown) => error)
      return { first, second }
    })
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    const { first, second } = await result
    expect(first).toMatchObject({ name: 'AbortError' })
    expect(second).toBe(first)
    expect(chats).toBe(0)
    const [tool, agent] = [await program.collector.span('search', 'end'), await program.collector.span('agent', 'end')]
    for (const span of [tool, agent]) expect(span.events.map(({ attributes }) => attributes['exception.type'])).toEqual(['AbortError'])
  })

  it('forgets an abort with the end of the run', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool', name: 'search' }] })
    const result = traced(tracer, 'search', TOOL, () => 1)
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(await traced(tracer, 'chat', CHAT, () => 'fine')).toBe('fine')
  })

  it('holds one error once on its way up', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ point: 'error' }] })
    const result = traced(tracer, 'search', TOOL, () =>
      traced(tracer, 'chat', CHAT, () => {
        throw new Error('deep')
      }),
    )
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    await expect(result).rejects.toThrow('deep')
    expect(viewer.events('exec.paused').map(({ payload }) => payload.nodeId)).toEqual(['llm:step'])
  })

  it('holds one call once: two spans that stand for it have one gate', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const result = traced(tracer, 'search', TOOL, () => traced(tracer, 'search inner', TOOL, () => 'done'))
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    expect(await result).toBe('done')
    expect(viewer.events('exec.paused')).toHaveLength(1)
  })

  it('holds an agent’s tool inside the same tool', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const again = { ...TOOL, 'gen_ai.tool.call.id': 'call-2' }
    const result = traced(tracer, 'search', TOOL, () =>
      traced(tracer, 'agent', AGENT, () => traced(tracer, 'search 2', again, () => 'done')),
    )
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    viewer.resume(await viewer.event('exec.paused', 2), 'continue')
    expect(await result).toBe('done')
  })

  it('does not offer to make up a model’s answer, whose shape only its author knows', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'llm' }] })
    const result = traced(tracer, 'chat', CHAT, () => 'hello')
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.actions).toEqual(['continue', 'abort'])
    viewer.resume(paused, 'inject', { output: 'x' })
    expect((await viewer.event('exec.refused')).payload.code).toBe('unsupported')
    viewer.resume(paused, 'continue')
    expect(await result).toBe('hello')
  })

  it('is no failure to look at when its caller called it off', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ point: 'error' }] })
    const stop = new DOMException('enough', 'AbortError')
    await expect(
      traced(tracer, 'search', TOOL, () => {
        throw stop
      }),
    ).rejects.toBe(stop)
    expect(viewer.events('exec.paused')).toHaveLength(0)
  })
})

describe('an awaited span that no vocabulary knows', () => {
  it.each([[{ kind: 'custom' }], [{ name: 'load orders' }], [{ kinds: ['tool', 'custom'] }], [{ namePattern: 'load*' }]] as const)(
    'is held when somebody asks for %j',
    async (matcher) => {
      const { viewer, tracer } = await start({ breakpoints: [matcher as BreakpointMatcher] })
      let ran = 0
      const result = traced(tracer, 'load orders', {}, () => ++ran)
      const paused = await viewer.event('exec.paused')
      expect(paused.payload).toMatchObject({ nodeId: 'custom:load orders', kind: 'custom', actions: ['continue', 'inject', 'abort'] })
      expect(paused.payload).not.toHaveProperty('explicitOnly')
      viewer.resume(paused, 'inject', { output: 7 })
      expect(await result).toBe(7)
      expect(ran).toBe(0)
    },
  )

  it.each<[string, Partial<ProgramOptions>]>([
    ['a general breakpoint', { breakpoints: [{}, { point: 'after' }, { point: 'error' }, { namePattern: '*' }] }],
    ['step mode', { mode: 'step' }],
  ])('is not held by %s', async (_name, options) => {
    const { viewer, tracer } = await start(options)
    expect(await traced(tracer, 'load orders', {}, () => 1)).toBe(1)
    await expect(
      traced(tracer, 'load orders', {}, () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await program.processor.forceFlush()
    expect(viewer.events('exec.paused')).toEqual([])
  })

  it('leaves the tool around it to be held at the error that passes through', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ point: 'error' }] })
    const fail = () => Promise.reject(new Error('no'))
    const result = traced<unknown>(tracer, 'search', TOOL, () => traced(tracer, 'load orders', {}, fail))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.nodeId).toBe('tool:search')
    viewer.resume(paused, 'inject', { output: 1 })
    expect(await result).toBe(1)
  })
})

it('holds an error where a breakpoint wants it, although it passed a gate further in', async () => {
  const { viewer, tracer } = await start({ breakpoints: [{ point: 'error', name: 'search' }] })
  const inner = { ...TOOL, 'gen_ai.tool.name': 'lookup', 'gen_ai.tool.call.id': 'call-2' }
  const result = traced<unknown>(tracer, 'search', TOOL, () => traced(tracer, 'lookup', inner, () => Promise.reject(new Error('no'))))
  const paused = await viewer.event('exec.paused')
  expect(paused.payload.nodeId).toBe('tool:search')
  viewer.resume(paused, 'inject', { output: 1 })
  expect(await result).toBe(1)
})

describe('a span that nobody awaits', () => {
  it('runs at once and stays synchronous, and says why no breakpoint can hold it', async () => {
    const { tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const value = tracer.startActiveSpan('search', { attributes: TOOL }, (span) => {
      span.end()
      return 7
    })
    expect(value).toBe(7)
    expect((await program.collector.span('search', 'start')).attributes['graphmind.ungated']).toContain('not async')
  })

  it('says so when it came by startSpan', async () => {
    const { tracer } = await start({})
    tracer.startSpan('search', { attributes: TOOL }).end()
    expect((await program.collector.span('search', 'start')).attributes['graphmind.ungated']).toContain('startSpan')
  })

  it('says nothing when it is no tool and no model call', async () => {
    const { tracer } = await start({})
    tracer.startSpan('agent', { attributes: AGENT }).end()
    expect((await program.collector.span('agent', 'start')).attributes).not.toHaveProperty('graphmind.ungated')
  })
})

describe('holding', () => {
  it('can be turned off, and says so at every call', async () => {
    const { viewer, tracer } = await start({ hold: false, breakpoints: [{ kind: 'tool' }] })
    expect(await traced(tracer, 'search', TOOL, () => 1)).toBe(1)
    expect(viewer.events('exec.paused')).toHaveLength(0)
    expect((await program.collector.span('search', 'start')).attributes['graphmind.ungated']).toContain('hold: false')
  })

  it('reaches tracers that were made before the provider was registered', async () => {
    const early = trace.getTracer('early')
    const { viewer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const result = traced(early, 'search', TOOL, () => 1)
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 2 })
    expect(await result).toBe(2)
  })

  it('passes every form of startActiveSpan on', async () => {
    const { tracer } = await start({})
    for (const attached of [true, false]) {
      if (!attached) program.collector.viewer.disconnect()
      await program.collector.until(() => attached || program.collector.viewer.connections > 0)
      expect(tracer.startActiveSpan('a', (span) => span.isRecording())).toBe(true)
      expect(tracer.startActiveSpan('b', {}, (span) => span.isRecording())).toBe(true)
      expect(tracer.startActiveSpan('c', {}, context.active(), (span) => span.isRecording())).toBe(true)
    }
  })
})

describe('the spans of AI SDK 6', () => {
  const ROOT = { 'ai.operationId': 'ai.generateText', 'ai.request.headers.user-agent': 'ai/6.0.325' }

  it('get a tool result in the SDK’s own shape in place of a call', async () => {
    const { viewer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const tracer = trace.getTracer('ai')
    const result = traced(tracer, 'ai.generateText', ROOT, () => traced<unknown>(tracer, 'ai.toolCall', AI_CALL, () => 'never'))
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 5 })
    expect(await result).toEqual({
      type: 'tool-result',
      toolCallId: 'call-1',
      toolName: 'search',
      input: { q: 'x' },
      output: 5,
      dynamic: false,
    })
  })

  it('are held at an error that the SDK returns instead of throwing', async () => {
    const { viewer } = await start({ breakpoints: [{ point: 'error' }] })
    const tracer = trace.getTracer('ai')
    const failed = {
      type: 'tool-error',
      toolCallId: 'call-1',
      toolName: 'search',
      input: { q: 'x' },
      error: new Error('no'),
      dynamic: true,
    }
    const result = traced(tracer, 'ai.generateText', ROOT, () => traced<unknown>(tracer, 'ai.toolCall', AI_CALL, () => failed))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.error).toMatchObject({ message: 'no' })
    viewer.resume(paused, 'inject', { output: 6 })
    expect(await result).toEqual({
      type: 'tool-result',
      toolCallId: 'call-1',
      toolName: 'search',
      input: { q: 'x' },
      output: 6,
      dynamic: true,
    })
  })

  it.each([
    ['ai.streamText', { 'ai.settings.maxSteps': '4' }, ['continue']],
    ['ai.generateText', { 'ai.settings.maxSteps': '4' }, ['continue', 'inject', 'abort']],
    ['ai.streamText', { 'ai.request.headers.user-agent': 'ai/6.0.325' }, ['continue', 'inject', 'abort']],
    ['ai.streamText', { 'ai.request.headers.user-agent': 'ai/5.0.277' }, ['continue']],
  ])('offer in %s of %j only what the SDK can take', async (operation, version, actions) => {
    const { viewer } = await start({ breakpoints: [{ kind: 'tool' }] })
    const tracer = trace.getTracer('ai')
    const root = { 'ai.operationId': operation, ...version }
    const result = traced(tracer, operation, root, () => traced(tracer, 'ai.toolCall', AI_CALL, () => 1))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.actions).toEqual(actions)
    viewer.resume(paused, 'continue')
    expect(await result).toBe(1)
  })
})

describe('a call that an adapter may hold further in', () => {
  const MODEL = { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.id': 'twin', 'ai.model.provider': 'openai.chat' }
  adapt({}, { kind: 'llm', name: 'twin', provider: 'openai.chat' })
  const EVERYWHERE = [{}, { point: 'after' }] as const

  it('is left to the adapter', async () => {
    const { viewer } = await start({ breakpoints: EVERYWHERE })
    const result = traced(trace.getTracer('ai'), 'ai.generateText.doGenerate', MODEL, () => {
      adapterArrives('llm', undefined)
      return 1
    })
    expect(await result).toBe(1)
    await program.processor.forceFlush()
    expect(viewer.events('exec.paused')).toEqual([])
  })

  it('is held after it, and says why not before, when it is another model with that id', async () => {
    const { viewer } = await start({ breakpoints: EVERYWHERE })
    let ran = 0
    const result = traced(trace.getTracer('ai'), 'ai.generateText.doGenerate', MODEL, () => ++ran)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.point).toBe('after')
    viewer.resume(paused, 'continue')
    expect(await result).toBe(1)
    await program.collector.until(() =>
      program.collector.spans.some((span) => String(span.attributes['graphmind.ungated']).includes('Another tool or model with this name')),
    )
  })

  it('is held in full when its provider tells it from the wrapped one', async () => {
    const { viewer } = await start({ breakpoints: [{}] })
    const other = { ...MODEL, 'ai.model.provider': 'azure.chat' }
    const result = traced(trace.getTracer('ai'), 'ai.generateText.doGenerate', other, () => 1)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.point).toBe('before')
    viewer.resume(paused, 'continue')
    expect(await result).toBe(1)
  })

  it('is not taken for a model call that is made inside a tool', async () => {
    adapt({}, { kind: 'tool', name: 'ask-model' })
    const { viewer } = await start({ breakpoints: [{ point: 'after', kind: 'tool' }] })
    const result = traced(trace.getTracer('ai'), 'ai.toolCall', { ...AI_CALL, 'ai.toolCall.name': 'ask-model' }, () => {
      adapterArrives('llm', undefined)
      return 1
    })
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    expect(await result).toBe(1)
  })
})
