import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeCollector, startFakeCollector } from '../testing/fake-collector.ts'

const FOLDER = new URL('../..', import.meta.url).pathname
const REGISTER = new URL('../register.ts', import.meta.url).href
const INDEX = new URL('../index.ts', import.meta.url).href
const TOOL = `{ attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' } }`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function startCollector(options: Parameters<typeof startFakeCollector>[0] = {}): Promise<FakeCollector> {
  const collector = await startFakeCollector(options)
  cleanups.push(() => collector.close())
  return collector
}

interface Start {
  readonly collector: FakeCollector
  readonly env?: Record<string, string>
  readonly extension?: 'mjs' | 'cjs'
  readonly args?: readonly string[]
}

/** Runs a program file under the preload; resolves when its process has ended. */
async function run(program: string, { collector, env = {}, extension = 'mjs', args = ['--import', REGISTER] }: Start): Promise<string> {
  mkdirSync(join(FOLDER, 'node_modules'), { recursive: true })
  const folder = mkdtempSync(join(FOLDER, 'node_modules', '.register-'))
  const file = join(folder, `app.${extension}`)
  writeFileSync(join(folder, 'package.json'), '{"name":"trip-planner"}')
  writeFileSync(file, program)
  const child = spawn(process.execPath, [...args, file], {
    env: { GRAPHMIND_URL: collector.url, PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanups.push(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  return output
}

/** Names and phases of the copies that arrived, in order. */
const copies = (collector: FakeCollector) => collector.spans.map((span) => `${span.name} ${span.attributes['graphmind.span.phase']}`)

describe('the preload', () => {
  it('brings a provider to a program that has none, named after its package', async () => {
    const collector = await startCollector()
    const output = await run(
      `import { trace } from '@opentelemetry/api'
       const tracer = trace.getTracer('app')
       await tracer.startActiveSpan('outer', async (span) => { tracer.startSpan('inner').end(); span.end() })
       console.log('done')`,
      { collector },
    )
    expect(output).toBe('done\n')
    expect(copies(collector).sort()).toEqual(['inner end', 'inner start', 'outer end', 'outer start'])
    const [outer, inner] = [await collector.span('outer', 'end'), await collector.span('inner', 'end')]
    expect(inner.parentSpanId).toBe(outer.spanId)
    expect(collector.viewer.events('run.started')[0]?.payload.app).toBe('trip-planner')
  })

  it('does the same for a CommonJS program', async () => {
    const collector = await startCollector()
    await run(`require('@opentelemetry/api').trace.getTracer('app').startSpan('work').end()`, { collector, extension: 'cjs' })
    expect(copies(collector)).toEqual(['work start', 'work end'])
  })

  it('can be required, too', async () => {
    const collector = await startCollector()
    const args = ['--require', new URL('../register-at-once.ts', import.meta.url).pathname]
    await run(`require('@opentelemetry/api').trace.getTracer('app').startSpan('work').end()`, { collector, extension: 'cjs', args })
    // The start of a span that is over before the debugger answers says nothing more than its end.
    expect([...new Set(copies(collector))]).toEqual(['work end'])
  })

  it('is armed before the program’s first call', async () => {
    const collector = await startCollector({ breakpoints: [{ kind: 'tool' }] })
    const output = run(
      `import { trace } from '@opentelemetry/api'
       console.log(await trace.getTracer('app').startActiveSpan('search', ${TOOL}, async (span) => { span.end(); return 'real' }))`,
      { collector },
    )
    collector.viewer.resume(await collector.viewer.event('exec.paused'), 'inject', { output: 'injected' })
    expect(await output).toContain('injected')
  })

  it('joins the provider that the program registers later, and changes nothing for its own processors', async () => {
    const collector = await startCollector({ breakpoints: [{ kind: 'tool' }] })
    const output = run(
      `import { trace } from '@opentelemetry/api'
       import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
       const tracer = trace.getTracer('asked for early')
       const exporter = new InMemorySpanExporter()
       const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
       console.log('registered', trace.setGlobalTracerProvider(provider))
       const result = await tracer.startActiveSpan('search', ${TOOL}, async (span) => { span.end(); span.end(); return 'real' })
       console.log(result, exporter.getFinishedSpans().map((span) => [span.name, Object.keys(span.attributes)]).join())`,
      { collector },
    )
    collector.viewer.resume(await collector.viewer.event('exec.paused'), 'continue')
    expect(await output).toContain('registered true')
    expect(await output).toContain('real search,gen_ai.operation.name,gen_ai.tool.name')
    expect(copies(collector)).toEqual(['search start', 'search end'])
  })

  it('joins tracers that a program takes from its own provider once that is registered', async () => {
    const collector = await startCollector({ breakpoints: [{ kind: 'tool' }] })
    const ended = run(
      `import { trace } from '@opentelemetry/api'
       import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
       const provider = new BasicTracerProvider()
       trace.setGlobalTracerProvider(provider)
       console.log(await provider.getTracer('app').startActiveSpan('search', ${TOOL}, async (span) => { span.end(); return 'real' }))`,
      { collector },
    )
    collector.viewer.resume(await collector.viewer.event('exec.paused'), 'inject', { output: 'injected' })
    expect(await ended).toContain('injected\n')
    expect(copies(collector)).toContain('search end')
  })

  it('reports once in a program that has the processor in its code as well', async () => {
    const collector = await startCollector()
    await run(
      `import { GraphMindSpanProcessor } from '${INDEX}'
       import { trace } from '@opentelemetry/api'
       import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
       const provider = new BasicTracerProvider({ spanProcessors: [new GraphMindSpanProcessor()] })
       trace.setGlobalTracerProvider(provider)
       trace.getTracer('app').startSpan('work').end()
       await provider.shutdown()`,
      { collector },
    )
    expect(copies(collector)).toEqual(['work start', 'work end'])
    expect(collector.viewer.events('hello')).toHaveLength(1)
  })

  it('delivers what is left when the program calls process.exit', async () => {
    const collector = await startCollector()
    await run(
      `import { registerGraphMind } from '${INDEX}'
       import { trace } from '@opentelemetry/api'
       const span = trace.getTracer('app').startSpan('work')
       await registerGraphMind().forceFlush()
       span.end()
       process.exit(0)`,
      { collector },
    )
    expect((await collector.span('work', 'end')).name).toBe('work')
  })

  it('leaves worker threads alone', async () => {
    const collector = await startCollector()
    const output = await run(
      `import { isMainThread, Worker } from 'node:worker_threads'
       import { trace } from '@opentelemetry/api'
       trace.getTracer('app').startSpan(isMainThread ? 'main' : 'worker').end()
       if (isMainThread) new Worker(new URL(import.meta.url)).on('exit', (code) => console.log('worker', code))`,
      { collector },
    )
    expect(output).toBe('worker 0\n')
    expect(copies(collector)).toEqual(['main start', 'main end'])
    expect(collector.viewer.connections).toBe(1)
  })

  it.each([{ NODE_ENV: 'production' }, { GRAPHMIND_DISABLED: '1', GRAPHMIND: '1' }])('does nothing at all under %o', async (env) => {
    const collector = await startCollector()
    const output = await run(
      `import { trace } from '@opentelemetry/api'
       const span = trace.getTracer('app').startSpan('work')
       console.log(span.isRecording())
       span.end()`,
      { collector, env },
    )
    expect(output).toBe('false\n')
    expect(collector.viewer.connections).toBe(0)
  })

  it('works in production when it is asked for by name', async () => {
    const collector = await startCollector()
    const env = { NODE_ENV: 'production', GRAPHMIND: '1', OTEL_SERVICE_NAME: 'shop' }
    await run(`import { trace } from '@opentelemetry/api'; trace.getTracer('app').startSpan('work').end()`, { collector, env })
    expect(collector.viewer.events('run.started')[0]?.payload.app).toBe('shop')
  })

  it('lets a program run as always when nothing listens', async () => {
    const collector = await startFakeCollector()
    await collector.close()
    expect(
      await run(`import { trace } from '@opentelemetry/api'; trace.getTracer('a').startSpan('b').end(); console.log('done')`, {
        collector,
      }),
    ).toBe('done\n')
  })
})

it('can be required from CommonJS', async () => {
  const collector = await startCollector()
  const output = await run(`console.log(typeof require('@graphmind-ai/otel').GraphMindSpanProcessor)`, {
    collector,
    extension: 'cjs',
    args: [],
  })
  expect(output).toBe('function\n')
})
