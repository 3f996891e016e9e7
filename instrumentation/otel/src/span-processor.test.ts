import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { context, createContextKey, trace } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, it } from 'vitest'
import { GraphMindSpanProcessor } from './span-processor.ts'
import { startFakeCollector } from './testing/fake-collector.ts'
import { type Program, startProgram } from './testing/program.ts'
import { VERSION } from './version.ts'

let program: Program
afterEach(async () => await program.stop())

describe('a span', () => {
  it('is shown at its start and again at its end, as one sender’s', async () => {
    program = await startProgram()
    const span = trace.getTracer('app', '1.2.3').startSpan('work', { attributes: { early: 'yes' } })
    const start = await program.collector.span('work', 'start')
    expect(start).toMatchObject({
      endNanos: 0n,
      status: 0,
      attributes: { early: 'yes' },
      scope: 'app',
      resource: { 'service.name': 'trip-planner' },
    })
    span.setAttribute('late', [1, 2])
    span.recordException(new Error('oh'))
    span.setStatus({ code: 2 })
    span.end()
    const end = await program.collector.span('work', 'end')
    expect(end).toMatchObject({ spanId: start.spanId, status: 2, attributes: { early: 'yes', late: [1, 2] } })
    expect(end.endNanos).toBeGreaterThan(0n)
    expect(end.events.map(({ name, attributes }) => [name, attributes['exception.message']])).toEqual([['exception', 'oh']])
    const hello = await program.collector.viewer.event('hello')
    expect(hello.payload).toMatchObject({ spans: 'otlp', sdk: { name: '@graphmind-ai/otel', version: VERSION } })
    expect([start, end].map((copy) => copy.attributes['graphmind.session'])).toEqual([hello.payload.senderId, hello.payload.senderId])
  })

  it('shows in its start copy what it was at its start', async () => {
    program = await startProgram()
    const span = trace.getTracer('app').startSpan('work', { attributes: { step: 1 } })
    span.setAttribute('step', 2)
    expect((await program.collector.span('work', 'start')).attributes['step']).toBe(1)
    span.end()
  })

  it('reaches other processors as the program made it', async () => {
    const seen: ReadableSpan[] = []
    const other: SpanProcessor = {
      onStart: () => undefined,
      onEnd: (span) => void seen.push(span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }
    program = await startProgram({ other })
    trace
      .getTracer('app')
      .startSpan('work', { attributes: { mine: 1 } })
      .end()
    await program.collector.span('work', 'end')
    expect(seen[0]?.attributes).toEqual({ mine: 1 })
    expect(seen[0]?.events).toEqual([])
  })
})

describe('a run', () => {
  it('is announced on the channel by its local root, under the trace’s id', async () => {
    program = await startProgram()
    const root = trace.getTracer('app').startSpan('invoke_agent', {
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' },
    })
    const started = await program.collector.viewer.event('run.started')
    expect(started).toMatchObject({
      runId: root.spanContext().traceId,
      payload: { app: 'trip-planner', sdk: { name: 'opentelemetry', version: '2.12.1' }, meta: { name: 'planner' } },
    })
    root.end()
  })
})

describe('the collector', () => {
  it('gets again, when it comes back, all that is kept', async () => {
    program = await startProgram()
    const { collector } = program
    trace.getTracer('app').startSpan('before').end()
    await collector.span('before', 'end')
    const count = collector.spans.length
    collector.viewer.disconnect()
    await collector.until(() => collector.viewer.connections === 2)
    await collector.until(() => collector.spans.length >= count * 2)
  })

  it('gets spans of the time when it was not there', async () => {
    const first = await startFakeCollector()
    const { port } = first.viewer
    await first.close()
    program = await startProgram({ url: `ws://127.0.0.1:${port}/ingest`, attach: false })
    trace.getTracer('app').startSpan('dark').end()
    await program.processor.forceFlush()
    const second = await startFakeCollector({ port })
    expect(await program.processor.ready()).toBe(true)
    expect(await second.span('dark', 'end')).toBeDefined()
    expect(await second.viewer.event('run.started')).toBeDefined()
    await second.close()
  })

  it('is told how many spans were lost, and the host hears of it once', async () => {
    const first = await startFakeCollector()
    const { port } = first.viewer
    await first.close()
    program = await startProgram({ url: `ws://127.0.0.1:${port}/ingest`, attach: false })
    const tracer = trace.getTracer('app')
    const root = tracer.startSpan('root')
    const runId = root.spanContext().traceId
    const parent = trace.setSpan(context.active(), root)
    // A place for the start and one for the end of each; starts that go are no loss.
    for (let index = 0; index < 2600; index += 1) tracer.startSpan(`s${index}`, {}, parent).end()
    root.end()
    const second = await startFakeCollector({ port })
    await program.processor.ready()
    const hint = await second.viewer.event('graph.hint')
    expect(hint.runId).toBe(runId)
    expect(hint.payload.gap).toMatchObject({ droppedCount: 100, reason: 'spans-dropped' })
    expect(program.warnings.filter((warning) => warning.includes('being lost'))).toHaveLength(1)
    await second.close()
  })

  it('may refuse spans: that is said once, and the program goes on', async () => {
    program = await startProgram()
    program.collector.status = 400
    trace.getTracer('app').startSpan('one').end()
    await program.processor.forceFlush()
    trace.getTracer('app').startSpan('two').end()
    await program.processor.forceFlush()
    expect(program.warnings.filter((warning) => warning.includes('refused'))).toHaveLength(1)
    program.collector.status = 200
    trace.getTracer('app').startSpan('three').end()
    await program.collector.span('three', 'end')
    expect(program.collector.spans.some((span) => span.name === 'one')).toBe(false)
  })

  it('may be busy: the spans come again later, once', async () => {
    program = await startProgram()
    program.collector.status = 503
    trace.getTracer('app').startSpan('one').end()
    await program.processor.forceFlush()
    program.collector.status = 200
    await program.processor.forceFlush()
    expect(program.collector.spans.map((span) => span.attributes['graphmind.span.phase'])).toEqual(['start', 'end'])
  })

  it('may ask for a token, which spans and the channel bring from GRAPHMIND_TOKEN', async () => {
    const collector = await startFakeCollector({ token: 'secret' })
    program = await startProgram({ url: collector.url, env: { GRAPHMIND_TOKEN: 'secret' } })
    trace.getTracer('app').startSpan('let in').end()
    expect(await collector.span('let in', 'end')).toBeDefined()
    expect(program.warnings).toEqual([])
    await collector.close()
  })

  it.each([undefined, 'wrong'])('refuses a program with the token %s, which hears why and goes on', async (token) => {
    const collector = await startFakeCollector({ token: 'secret' })
    program = await startProgram({ url: collector.url, attach: false, env: token === undefined ? {} : { GRAPHMIND_TOKEN: token } })
    expect(await program.processor.ready({ timeoutMs: 500 })).toBe(false)
    expect(await trace.getTracer('app').startActiveSpan('work', async (span) => span.end())).toBeUndefined()
    await program.processor.forceFlush()
    expect(collector.spans).toEqual([])
    expect(program.warnings.join('\n')).toContain('GRAPHMIND_TOKEN')
    await collector.close()
  })

  it('is found at an OTEL endpoint that says it is one', async () => {
    const collector = await startFakeCollector()
    const endpoint = `http://127.0.0.1:${collector.viewer.port}`
    program = await startProgram({ url: '', env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, attach: false })
    trace.getTracer('app').startSpan('found').end()
    expect(await collector.span('found', 'end')).toBeDefined()
    expect(await collector.viewer.event('run.started')).toBeDefined()
    await collector.close()
  })
})

describe('the processor', () => {
  it('flushes on demand, shuts down once, and is silent afterwards', async () => {
    program = await startProgram()
    const tracer = trace.getTracer('app')
    tracer.startSpan('flushed').end()
    await program.processor.forceFlush()
    expect(program.collector.spans.map((span) => span.name)).toEqual(['flushed', 'flushed'])
    const open = tracer.startSpan('open')
    await Promise.all([program.processor.shutdown(), program.processor.shutdown()])
    const count = program.collector.spans.length
    expect(count).toBe(3)
    open.end()
    program.processor.onStart(open as never)
    await program.processor.forceFlush()
    expect(program.collector.spans).toHaveLength(count)
    expect(await program.processor.ready({ timeoutMs: 10 })).toBe(false)
  })

  it('makes its own requests where no instrumentation traces them', async () => {
    const suppressed = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')
    const requests: unknown[] = []
    const heard = () => requests.push(context.active().getValue(suppressed))
    program = await startProgram()
    const { collector } = program
    // From here on there is a context manager; the first connection was made before it.
    subscribe('http.client.request.start', heard)
    try {
      await trace.getTracer('app').startActiveSpan('work', async (span) => span.end())
      await program.processor.forceFlush()
      collector.viewer.disconnect()
      await collector.until(() => collector.viewer.connections === 2)
      expect(requests.length).toBeGreaterThan(1)
      expect(new Set(requests)).toEqual(new Set([true]))
    } finally {
      unsubscribe('http.client.request.start', heard)
    }
  })

  it('lets no mistake of its own out, and says so once', async () => {
    program = await startProgram()
    const broken = { attributes: {}, resource: {}, startTime: [0, 0], instrumentationScope: {} }
    program.processor.onStart(broken)
    program.processor.onEnd(broken)
    expect(program.warnings.filter((warning) => warning.includes('Something went wrong'))).toHaveLength(1)
  })

  it.each([
    ['GRAPHMIND_DISABLED=1', { GRAPHMIND_DISABLED: '1', GRAPHMIND: '1' }],
    ['NODE_ENV=production', { NODE_ENV: 'production' }],
  ])('does nothing under %s', async (_name, env) => {
    program = await startProgram({ env, attach: false })
    const list = Reflect.get(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS')
    trace.getTracer('app').startActiveSpan('work', async (span) => span.end())
    await program.processor.forceFlush()
    expect(await program.processor.ready()).toBe(false)
    expect(program.collector.spans).toEqual([])
    expect(program.collector.viewer.connections).toBe(0)
    expect(list ?? []).toEqual([])
    expect(program.warnings).toEqual([])
  })

  it('works under NODE_ENV=production with GRAPHMIND=1', async () => {
    program = await startProgram({ env: { NODE_ENV: 'production', GRAPHMIND: '1' } })
    trace.getTracer('app').startSpan('work').end()
    expect(await program.collector.span('work', 'end')).toBeDefined()
  })

  it('does not hold a call twice when there are two of it', async () => {
    program = await startProgram({ breakpoints: [{ kind: 'tool' }] })
    const second = new GraphMindSpanProcessor({ url: program.collector.url, env: {} })
    await second.ready()
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' }
    const result = trace.getTracer('app').startActiveSpan('search', { attributes }, async () => 1)
    program.collector.viewer.resume(await program.collector.viewer.event('exec.paused'), 'continue')
    expect(await result).toBe(1)
    expect(program.collector.viewer.events('exec.paused')).toHaveLength(1)
    await second.shutdown()
  })

  it('says the version of its package', async () => {
    program = await startProgram({ attach: false })
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ version: VERSION })
  })
})
