// A program with one awaited tool call after the other, for test/bench/latency.mjs. Prints a JSON line per call:
// {instanceId, startedAt, releasedAt}, both epoch ms with fractions.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'

const calls = Number(process.argv[2] ?? 30)
const now = () => performance.timeOrigin + performance.now()

const graphmind = new GraphMindSpanProcessor()
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const provider = new BasicTracerProvider({ spanProcessors: [graphmind] })
trace.setGlobalTracerProvider(provider)
if (!(await graphmind.ready())) throw new Error('No debugger attached: start graphmind first.')
const tracer = trace.getTracer('latency')

const agent = { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'latency' } }
await tracer.startActiveSpan('invoke_agent latency', agent, async (root) => {
  for (let call = 0; call < calls; call++) {
    const tool = { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': `tool_${call}_` } }
    const startedAt = now()
    await tracer.startActiveSpan(`execute_tool tool_${call}_`, tool, async (span) => {
      console.log(JSON.stringify({ instanceId: span.spanContext().spanId, startedAt, releasedAt: now() }))
      span.end()
    })
  }
  root.end()
})
await provider.shutdown()
