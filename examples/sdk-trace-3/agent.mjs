// The processor under OTel JS 3, with spans made by hand after the GenAI conventions. The tool's span is awaited, so it can be held.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'

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
const weather = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'getWeather',
  'gen_ai.tool.call.id': 'call-1',
  'gen_ai.tool.call.arguments': '{"city":"Lima"}',
}
try {
  const result = await traced('invoke_agent weather', agent, () =>
    traced('execute_tool getWeather', weather, async (span) => {
      const found = { city: 'Lima', sky: 'foggy', tempC: 17 }
      span.setAttribute('gen_ai.tool.call.result', JSON.stringify(found))
      return found
    }),
  )
  console.log(`result: Weather in Lima: ${JSON.stringify(result)}`)
} catch (error) {
  if (error.name !== 'AbortError') throw error
  console.log('result: aborted')
}
await provider.shutdown()
