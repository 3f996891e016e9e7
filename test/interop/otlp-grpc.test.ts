import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'

let collector: RunningCollector
afterEach(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_COMPRESSION']
  await collector.stop()
})

it.each([
  ['as it is', 'none'],
  ['with gzip', 'gzip'],
])('takes what the SDK’s own gRPC exporter sends to the one port, %s', async (_how, compression) => {
  collector = await startCollector()
  process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = compression
  const exporter = new OTLPTraceExporter({ url: collector.url })
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer('app')
  const agent = tracer.startSpan('plan', { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' } })
  const inside = trace.setSpan(ROOT_CONTEXT, agent)
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.arguments': '{"q":"lisbon"}' }
  tracer.startSpan('search', { attributes: tool }, inside).end()
  agent.end()
  await provider.shutdown()
  const runId = agent.spanContext().traceId
  const run = await eventually(
    async () => (await collector.runs()).find(({ id, status, spanCount }) => id === runId && status === 'ok' && spanCount === 2),
    'the run',
  )
  expect(run).toMatchObject({ name: 'planner', category: 'agent', nodeCount: 2 })
  const started = (await collector.events(runId)).filter(({ type }) => type === 'node.started')
  expect(started.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ nodeId: 'tool:search', input: { q: 'lisbon' } }))
})
