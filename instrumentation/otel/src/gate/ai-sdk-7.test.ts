import { OpenTelemetry } from '@ai-sdk/otel'
import { registerTelemetry } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Calls, runPlanner } from '../testing/planner.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { adapt } from './adapted.ts'

const fails = () => {
  throw new TypeError('rate is undefined')
}

describe.each(['generate', 'stream'] as const)('AI SDK 7, %s', (how) => {
  let program: Program
  let calls: Calls

  beforeEach(() => {
    calls = { convert: 0, model: 0 }
  })
  afterEach(async () => {
    await program.stop()
    Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS')
  })

  async function start(breakpoints: Parameters<typeof startProgram>[0] = {}) {
    program = await startProgram(breakpoints)
    registerTelemetry(new OpenTelemetry())
    return program.collector.viewer
  }

  it('holds a failing tool at its span, and the model gets the injected value', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    const answer = runPlanner(how, calls, fails)
    const paused = await viewer.event('exec.paused')
    const started = await program.collector.span('execute_tool convert', 'start')
    expect(paused).toMatchObject({
      runId: started.traceId,
      payload: {
        nodeId: 'tool:convert',
        kind: 'tool',
        name: 'convert',
        point: 'error',
        instanceId: started.spanId,
        input: { amount: 10 },
        error: { name: 'TypeError', message: 'rate is undefined' },
        actions: ['continue', 'retry', 'inject', 'abort'],
      },
    })
    viewer.resume(paused, 'inject', { output: { euros: 9 } })
    expect(await answer).toContain('{"euros":9}')
    expect(calls).toEqual({ convert: 1, model: 2 })
    const ended = await program.collector.span('execute_tool convert', 'end')
    expect(ended.attributes).toMatchObject({ 'graphmind.injected': true, 'gen_ai.tool.call.result': '{"euros":9}' })
    expect(ended.attributes['graphmind.heldMs']).toBeGreaterThanOrEqual(0)
    expect(ended.status).toBe(0)
  })

  it('holds a tool although an adapter holds another one with its name', async () => {
    adapt({}, { kind: 'tool', name: 'convert' })
    const viewer = await start({ breakpoints: [{ kind: 'tool' }] })
    const answer = runPlanner(how, calls, () => ({ euros: 7 }))
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    expect(await answer).toContain('{"euros":7}')
  })

  it('holds a tool whose result says that it failed, without a breakpoint', async () => {
    const viewer = await start()
    const answer = runPlanner(how, calls, (time) => (time === 1 ? { success: false } : { euros: 8 }))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({
      nodeId: 'tool:convert',
      point: 'after',
      reason: 'breakpoint',
      output: { success: false },
      smart: { rule: 'error-result' },
    })
    viewer.resume(paused, 'inject', { output: { euros: 9 } })
    expect(await answer).toContain('{"euros":9}')
  })

  it('runs the tool again on retry, and tells how often', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    const answer = runPlanner(how, calls, (time) => (time === 1 ? fails() : { euros: 8 }))
    viewer.resume(await viewer.event('exec.paused'), 'retry')
    expect(await answer).toContain('{"euros":8}')
    expect(calls).toEqual({ convert: 2, model: 2 })
    expect((await program.collector.span('execute_tool convert', 'end')).attributes).toMatchObject({ 'graphmind.attempt': 2 })
  })

  it('passes every gate again on retry', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }, { kind: 'tool' }] })
    const answer = runPlanner(how, calls, fails)
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    viewer.resume(await viewer.event('exec.paused', 2), 'retry')
    viewer.resume(await viewer.event('exec.paused', 3), 'continue')
    viewer.resume(await viewer.event('exec.paused', 4), 'continue')
    await answer
    expect(viewer.events('exec.paused').map(({ payload }) => payload.point)).toEqual(['before', 'error', 'before', 'error'])
  })

  it('lets the failure through on continue, as the SDK would have shown it to the model', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    const answer = runPlanner(how, calls, fails)
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    expect(await answer).toContain('rate is undefined')
    expect((await program.collector.span('execute_tool convert', 'end')).status).toBe(2)
  })

  it('ends the run on abort: the model is never asked again', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    const answer = runPlanner(how, calls, fails)
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls).toEqual({ convert: 1, model: 1 })
    expect(viewer.events('exec.paused')).toHaveLength(1)
    const root = await program.collector.span('invoke_agent mock', 'end')
    expect(root.events.map(({ attributes }) => attributes['exception.type'])).toEqual(['AbortError'])
  })

  it('puts a value in the tool’s place without running it', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'tool', name: 'convert' }] })
    const answer = runPlanner(how, calls, fails)
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 'nine euros' })
    expect(await answer).toContain('nine euros')
    expect(calls.convert).toBe(0)
  })

  it('replaces a good result at the after gate', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'tool', point: 'after' }] })
    const answer = runPlanner(how, calls, () => ({ euros: 1 }))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ output: { euros: 1 }, actions: ['continue', 'inject', 'abort'] })
    viewer.resume(paused, 'inject', { output: { euros: 2 } })
    expect(await answer).toContain('{"euros":2}')
    expect(calls.convert).toBe(1)
    await program.collector.until(() =>
      program.collector.spans.some((span) => span.name === 'execute_tool convert' && span.attributes['graphmind.injected'] === true),
    )
  })

  it('ends the run on abort after the tool', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'tool', point: 'after' }] })
    const answer = runPlanner(how, calls, () => ({ euros: 1 }))
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls).toEqual({ convert: 1, model: 1 })
  })

  it('answers in the model’s place', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'llm' }] })
    const answer = runPlanner(how, calls, fails)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ nodeId: 'llm:step', actions: ['continue', 'inject', 'abort'] })
    viewer.resume(paused, 'inject', { output: { text: 'I know it by heart.' } })
    expect(await answer).toBe('I know it by heart.')
    expect(calls).toEqual({ convert: 0, model: 0 })
    expect((await program.collector.span('chat mock', 'end')).attributes).toMatchObject({ 'graphmind.injected': true })
  })

  it('can ask for a tool in the model’s place', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'llm' }] })
    const answer = runPlanner(how, calls, () => ({ euros: 3 }))
    const output = { toolCalls: [{ id: 'call-9', name: 'convert', input: { amount: 3 } }] }
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output })
    viewer.resume(await viewer.event('exec.paused', 2), 'continue')
    expect(await answer).toContain('{"euros":3}')
    expect(calls).toEqual({ convert: 1, model: 1 })
  })

  it('stops before the model on abort', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'llm' }] })
    const answer = runPlanner(how, calls, fails)
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls.model).toBe(0)
  })

  it('holds after the model’s last piece, which can then only go on or abort', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'llm', point: 'after' }] })
    const answer = runPlanner(how, calls, () => ({ euros: 4 }))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.actions).toEqual(how === 'stream' ? ['continue', 'abort'] : ['continue', 'retry', 'inject', 'abort'])
    viewer.resume(paused, 'abort')
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls).toEqual({ convert: 0, model: 1 })
  })

  it('runs the tool with arguments that a person edited, checked against its schema', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'tool' }] })
    const inputs: unknown[] = []
    const answer = runPlanner(how, calls, (_time, input) => inputs.push(input))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.editable).toBe(true)
    viewer.resume(paused, 'continue', { input: { amount: 'ten' } })
    expect((await viewer.event('exec.refused')).payload.code).toBe('schema')
    viewer.resume(paused, 'continue', { input: { amount: 12 } })
    await answer
    expect(inputs).toEqual([{ amount: 12 }])
  })

  it('does not offer what recording turned off makes impossible', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    const answer = runPlanner(how, calls, fails, { recordOutputs: false })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.actions).toEqual(['continue', 'retry', 'abort'])
    viewer.resume(paused, 'continue')
    expect(await answer).toContain('rate is undefined')
  })

  it('says that a call with integrations of its own can’t be held', async () => {
    const viewer = await start({ breakpoints: [{ point: 'error' }] })
    expect(await runPlanner(how, calls, fails, { integrations: [new OpenTelemetry()] })).toContain('rate is undefined')
    expect(viewer.events('exec.paused')).toHaveLength(0)
    const started = await program.collector.span('execute_tool convert', 'start')
    expect(started.attributes['graphmind.ungated']).toContain('telemetry integrations')
  })

  it('marks nothing as ungated that it can hold', async () => {
    await start()
    await runPlanner(how, calls, () => 1)
    await program.collector.span('invoke_agent mock', 'end')
    expect(program.collector.spans.filter((span) => 'graphmind.ungated' in span.attributes)).toEqual([])
  })

  it('lets everything run when the SDK has no OTel integration', async () => {
    program = await startProgram({ breakpoints: [{ point: 'error' }, { kind: 'tool' }, { kind: 'llm' }] })
    expect(await runPlanner(how, calls, () => 'seven')).toContain('seven')
    expect(program.collector.viewer.events('exec.paused')).toHaveLength(0)
  })

  it('lets a held tool go when the debugger is lost', async () => {
    const viewer = await start({ breakpoints: [{ kind: 'tool' }] })
    const answer = runPlanner(how, calls, () => 'seven')
    await viewer.event('exec.paused')
    viewer.disconnect()
    expect(await answer).toContain('seven')
  })
})

describe('the AI SDK 7 integration list', () => {
  afterEach(() => Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS'))

  it('has the hook first, also when others come first later, and not at all after shutdown', async () => {
    const other = new OpenTelemetry()
    registerTelemetry(other)
    const program = await startProgram()
    const list = () => Reflect.get(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS') as unknown[]
    expect(list()[1]).toBe(other)
    const usurper = {}
    list().unshift(usurper)
    program.provider.getTracer('any').startSpan('x').end()
    expect(list()).toHaveLength(3)
    expect(list()[2]).toBe(other)
    expect(list()[1]).toBe(usurper)
    await program.stop()
    expect(list()).toHaveLength(2)
  })
})
