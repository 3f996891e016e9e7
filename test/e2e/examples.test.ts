import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { startExample, WAIT_FOR_ATTACH } from '../support/examples.ts'

let collector: RunningCollector
beforeEach(async () => {
  collector = await startCollector(['--pause-on-error', 'off'])
})
afterEach(() => collector.stop())

/** The finished run of a program, and its node ids. */
async function finishedRun() {
  const run = await eventually(async () => (await collector.runs()).find((one) => one.status !== 'running'), 'a finished run')
  const events = await collector.events(run.id)
  const started = events.filter((event) => event.type === 'node.started').map((event) => (event.payload as { nodeId: string }).nodeId)
  return { run, events, nodeIds: [...new Set(started)].sort() }
}

describe('a plain OpenTelemetry SDK that only knows the endpoint', () => {
  it.each([
    ['http/json', 'none'],
    ['http/json', 'gzip'],
    ['http/protobuf', 'none'],
    ['http/protobuf', 'gzip'],
  ])('shows up with %s, compression %s', async (protocol, compression) => {
    const program = startExample('plain-sdk', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    })
    expect(await program.exited, program.output()).toBe(0)
    const { run, nodeIds } = await finishedRun()
    expect(run).toMatchObject({ status: 'ok', category: 'agent' })
    expect(nodeIds).toContain('llm:step')
    expect(nodeIds.some((id) => id.startsWith('agent:'))).toBe(true)
    expect(nodeIds.some((id) => id.startsWith('tool:'))).toBe(true)
  })
})

describe('new GraphMindSpanProcessor() and nothing else', () => {
  it.each([
    ['ai-sdk-7', 'llm:step'],
    ['ai-sdk-6', 'llm:step'],
    ['sdk-trace-3', 'tool:getWeather'],
  ])('shows the run of %s, each node at its start', async (name, nodeId) => {
    const program = startExample(name, { GRAPHMIND_URL: collector.ingestUrl, ...WAIT_FOR_ATTACH })
    expect(await program.exited, program.output()).toBe(0)
    const { run, events, nodeIds } = await finishedRun()
    expect(run.status).toBe('ok')
    expect(nodeIds).toContain(nodeId)
    expect(nodeIds.some((id) => id.startsWith('agent:'))).toBe(true)
    expect(nodeIds.some((id) => id.startsWith('tool:'))).toBe(true)
    const types = events.map((event) => event.type)
    expect(types.indexOf('node.started')).toBeLessThan(types.indexOf('node.finished'))
  })

  it('leaves a program alone when nothing listens', async () => {
    const program = startExample('ai-sdk-7', { GRAPHMIND_URL: 'ws://127.0.0.1:1/ingest' })
    expect(await program.exited, program.output()).toBe(0)
  })
})
