import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PACKAGE = new URL('./index.ts', import.meta.url).href

/** Runs a program in which nobody is attached; resolves to what it printed. */
async function run(body: string): Promise<unknown> {
  const program = `
    import { GraphMindSpanProcessor } from '${PACKAGE}'
    import { trace } from '@opentelemetry/api'
    import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
    const processor = new GraphMindSpanProcessor({ url: 'ws://127.0.0.1:1/ingest', logger: { warn() {} } })
    const provider = new BasicTracerProvider({ spanProcessors: [processor] })
    trace.setGlobalTracerProvider(provider)
    ${body}
    process.exit()`
  // No collection of garbage in between: what was allocated stays in sight.
  const flags = ['--expose-gc', '--max-semi-space-size=128', '--min-semi-space-size=128']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    cwd: new URL('..', import.meta.url),
    env: { PATH: process.env['PATH'] },
  })
  return JSON.parse(stdout)
}

it('allocates nothing for the spans of a program that nobody debugs', async () => {
  const bytesPerSpan = await run(`
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
    const tracer = new BasicTracerProvider().getTracer('app')
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' }
    const { context } = await import('@opentelemetry/api')
    const around = trace.setSpanContext(context.active(), parent)
    const spans = Array.from({ length: 100 }, () => tracer.startSpan('work', { attributes }, around))
    for (const span of spans) span.end()
    const pass = (times) => {
      // By index: an iterator allocates until the loop is compiled.
      for (let turn = 0; turn < times * 100; turn += 1) {
        const span = spans[turn % 100]
        processor.onStart(span, around)
        processor.onEnd(span)
      }
    }
    pass(5000)
    // Compiling and collecting go on beside the program, so one try alone says little.
    const tries = []
    for (let go = 0; go < 5; go += 1) {
      gc()
      const before = process.memoryUsage().heapUsed
      pass(2000)
      tries.push((process.memoryUsage().heapUsed - before) / 200_000)
    }
    console.log(tries.sort((one, other) => one - other)[2])`)
  // The smallest object takes 12; what there is comes from the loop itself.
  expect(bytesPerSpan).toBeLessThan(4)
})

it('runs no timer for them', async () => {
  const timers = await run(`
    await processor.ready({ timeoutMs: 50 })
    const real = globalThis.setTimeout
    let timers = 0
    globalThis.setTimeout = (...args) => { timers += 1; return real(...args) }
    const tracer = trace.getTracer('app')
    for (let index = 0; index < 100; index += 1) await tracer.startActiveSpan('work', async (span) => span.end())
    console.log(timers)`)
  expect(timers).toBe(0)
})
