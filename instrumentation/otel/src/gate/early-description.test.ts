import { type Span, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { type Program, type ProgramOptions, startProgram } from '../testing/program.ts'

let program: Program
afterEach(async () => await program.stop())

async function start(options: ProgramOptions) {
  program = await startProgram(options)
  return { viewer: program.collector.viewer, tracer: trace.getTracer('openinference-core') }
}

/** As OpenInference does it: a bare span, described in the callback, around work that may be async or not. */
function traced<Result>(tracer: Tracer, name: string, kind: string, work: () => Result): Result {
  return tracer.startActiveSpan(name, { attributes: undefined as never }, (span: Span) => {
    span.setAttributes({ 'openinference.span.kind': kind, 'input.value': 'Lima' })
    try {
      return work()
    } finally {
      span.end()
    }
  })
}

describe('work in a span that is described only in its callback', () => {
  it('is held before it runs, shown as what it is, and runs once', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    let ran = 0
    const result = traced(tracer, 'search', 'TOOL', async () => ++ran)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ nodeId: 'tool:search', input: 'Lima' })
    expect(ran).toBe(0)
    await program.collector.until(() => program.collector.spans.some((span) => span.attributes['openinference.span.kind'] === 'TOOL'))
    viewer.resume(paused, 'continue')
    expect(await result).toBe(1)
    expect(ran).toBe(1)
  })

  it('stays synchronous when it is, also with errors watched', async () => {
    const { tracer } = await start({ breakpoints: [{ point: 'error' }, { kind: 'tool', point: 'after' }] })
    expect(traced(tracer, 'add', 'TOOL', () => 3)).toBe(3)
    expect(() =>
      traced(tracer, 'fail', 'TOOL', () => {
        throw new Error('sync')
      }),
    ).toThrow('sync')
  })

  it('runs once when nobody describes the span', async () => {
    const { tracer } = await start({ breakpoints: [{ kind: 'tool' }] })
    let ran = 0
    expect(tracer.startActiveSpan('bare', () => ++ran)).toBe(1)
    expect(ran).toBe(1)
  })

  it('is tried again under a span of its own', async () => {
    const { viewer, tracer } = await start({ breakpoints: [{ kind: 'tool', point: 'after' }] })
    let ran = 0
    const result = traced(tracer, 'search', 'TOOL', async () => ++ran)
    const first = await viewer.event('exec.paused')
    viewer.resume(first, 'retry')
    const second = await viewer.event('exec.paused', 2)
    expect(second.payload.instanceId).not.toBe(first.payload.instanceId)
    viewer.resume(second, 'continue')
    expect(await result).toBe(2)
  })
})

it('holds a Langfuse observation, which ends its span when its callback throws', async () => {
  program = await startProgram({ breakpoints: [{ kind: 'tool' }] })
  const result = trace.getTracer('langfuse-sdk').startActiveSpan('get_weather', {}, (span) => {
    try {
      span.setAttributes({ 'langfuse.observation.type': 'tool' })
      return Promise.resolve(19).finally(() => span.end())
    } catch (error) {
      span.setStatus({ code: 2, message: 'Unknown error' })
      span.end()
      throw error
    }
  })
  const paused = await program.collector.viewer.event('exec.paused')
  expect(paused.payload).toMatchObject({ nodeId: 'tool:get_weather', actions: ['continue', 'inject', 'abort'] })
  program.collector.viewer.resume(paused, 'continue')
  expect(await result).toBe(19)
  expect((await program.collector.span('get_weather', 'end')).status).toBe(0)
})

it('shows a failed Traceloop tool as ended, although Traceloop leaves its span open', async () => {
  const { viewer } = await start({ breakpoints: [{ point: 'error' }] })
  const result = trace.getTracer('@traceloop/node-server-sdk').startActiveSpan('search.tool', {}, async () => {
    throw new TypeError('no rooms')
  })
  const paused = await viewer.event('exec.paused')
  expect(paused.payload).toMatchObject({ nodeId: 'tool:search', error: { name: 'TypeError', message: 'no rooms' } })
  const ended = await program.collector.span('search.tool', 'end')
  expect(ended).toMatchObject({ status: 2, events: [{ attributes: { 'exception.type': 'TypeError' } }] })
  viewer.resume(paused, 'continue')
  await expect(result).rejects.toThrow('no rooms')
})
