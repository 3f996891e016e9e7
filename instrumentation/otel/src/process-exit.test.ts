import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type FakeCollector, startFakeCollector } from './testing/fake-collector.ts'

const PACKAGE = new URL('./index.ts', import.meta.url).href
const PROGRAM = `
  import { GraphMindSpanProcessor } from '${PACKAGE}'
  import { trace } from '@opentelemetry/api'
  import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
  const processor = new GraphMindSpanProcessor()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
  const tracer = trace.getTracer('app')
`
const SPAN = `tracer.startSpan('work').end(); console.log('done')`
const HELD = `
  await processor.ready()
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' }
  console.log(await tracer.startActiveSpan('search', { attributes }, async (span) => { span.end(); return 'real' }))
`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Runs a program that never shuts the processor down; resolves when its process has ended by itself. */
async function run(body: string, url: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM + body], {
    cwd: new URL('..', import.meta.url),
    env: { GRAPHMIND_URL: url, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, output }
}

async function startCollector(options: Parameters<typeof startFakeCollector>[0] = {}): Promise<FakeCollector> {
  const collector = await startFakeCollector(options)
  cleanups.push(() => collector.close())
  return collector
}

it('lets a program end when there is no collector', async () => {
  const gone = await startFakeCollector()
  await gone.close()
  expect(await run(SPAN, gone.url)).toEqual({ code: 0, output: 'done\n' })
})

it('lets a program end when the collector takes the connection and never answers', async () => {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  expect(await run(SPAN, `ws://127.0.0.1:${port}/ingest`)).toEqual({ code: 0, output: 'done\n' })
})

it('delivers the last spans of a program that just ends before the debugger answered', async () => {
  const collector = await startCollector()
  expect(await run(SPAN, collector.url)).toEqual({ code: 0, output: 'done\n' })
  expect(collector.spans.map((span) => span.attributes['graphmind.span.phase'])).toEqual(['end'])
})

it('keeps a program alive while a call of it is held', async () => {
  const collector = await startCollector({ breakpoints: [{ kind: 'tool' }] })
  const ended = run(HELD, collector.url)
  collector.viewer.resume(await collector.viewer.event('exec.paused'), 'inject', { output: 'injected' })
  expect((await ended).output).toContain('injected')
})

it('lets a held call go, and the program end, when the collector dies', async () => {
  const collector = await startFakeCollector({ breakpoints: [{ kind: 'tool' }] })
  const ended = run(HELD, collector.url)
  await collector.viewer.event('exec.paused')
  await collector.close()
  expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('real') })
})
