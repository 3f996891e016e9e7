// The processor under OTel JS 3, with spans made by hand after the GenAI conventions. They are awaited, so they can be held.
// EXAMPLE_PLAN is described in ../plan.mjs.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { runPlan } from '../plan.mjs'

const graphmind = new GraphMindSpanProcessor()
const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'weather-3' }),
  spanProcessors: [graphmind],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
await graphmind.ready()
const tracer = trace.getTracer('weather')

/** Runs awaited work inside a span, as most instrumentations do. */
function traced(name, attributes, work) {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.recordException(error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      throw error
    } finally {
      span.end()
    }
  })
}

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' }
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'scripted', 'gen_ai.request.model': 'scripted-1' }
const weather = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'getWeather',
  'gen_ai.tool.call.id': 'call-1',
  'gen_ai.tool.call.arguments': '{"city":"Lima"}',
}
await runPlan((calls) =>
  traced('invoke_agent weather', agent, async () => {
    await traced('chat scripted-1', chat, async () => calls.model())
    const found = await traced('execute_tool getWeather', weather, async (span) => {
      const result = calls.tool('Lima')
      span.setAttribute('gen_ai.tool.call.result', JSON.stringify(result))
      return result
    })
    return await traced('chat scripted-1', chat, async () => {
      calls.model()
      return `Weather: ${JSON.stringify(found)}`
    })
  }),
)
await provider.shutdown()
