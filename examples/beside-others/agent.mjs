// A program that reports to Langfuse (LANGFUSE_BASE_URL) and to a collector of its own (OTEL_EXPORTER_OTLP_ENDPOINT). `npm start` loads
// GraphMind's preload as well, which changes nothing of what the others get. No model, no key.
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { startActiveObservation } from '@langfuse/tracing'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

const langfuse = new LangfuseSpanProcessor({ publicKey: 'pk-lf-none', secretKey: 'sk-lf-none', baseUrl: process.env.LANGFUSE_BASE_URL })
const provider = new BasicTracerProvider({ spanProcessors: [langfuse, new BatchSpanProcessor(new OTLPTraceExporter())] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)

const answer = await startActiveObservation(
  'weather',
  async (agent) => {
    agent.update({ input: 'What is the weather in Lima?' })
    const weather = await startActiveObservation(
      'get_weather',
      async (tool) => {
        const found = { city: 'Lima', celsius: 19 }
        tool.update({ input: { city: 'Lima' }, output: found })
        return found
      },
      { asType: 'tool' },
    )
    const failed = startActiveObservation('get_news', () => Promise.reject(new Error('no such city')), { asType: 'tool' })
    const news = await failed.catch((error) => error.message)
    agent.update({ output: `${weather.celsius} °C, ${news}` })
    return `${weather.celsius} °C, ${news}`
  },
  { asType: 'agent' },
)
console.log(answer)
await provider.shutdown()
