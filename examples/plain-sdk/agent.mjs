// A plain OpenTelemetry program without any GraphMind package. All it needs is where to send its spans:
//   OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4747 npm start
// OTEL_EXPORTER_OTLP_PROTOCOL=http/json or http/protobuf (default), OTEL_EXPORTER_OTLP_COMPRESSION=gzip or none.
import { SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const exporter = process.env.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json' ? new JsonExporter() : new ProtobufExporter()
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'plain-weather' }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
})
provider.register()
const tracer = trace.getTracer('plain-weather', '1.0.0')

async function traced(name, options, work) {
  return await tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.recordException(error)
      span.setStatus({ code: 2, message: error.message })
      throw error
    } finally {
      span.end()
    }
  })
}

function runTool(id, name, input, work) {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': JSON.stringify(input),
  }
  return traced(`execute_tool ${name}`, { attributes }, async (span) => {
    const output = await work(input)
    span.setAttribute('gen_ai.tool.call.result', JSON.stringify(output))
    return output
  })
}

function askModel(prompt, answer, inputTokens) {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'scripted-1',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: prompt }] }]),
  }
  return traced('chat scripted-1', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    span.setAttributes({
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': answer.split(' ').length,
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' }]),
    })
    return answer
  })
}

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' }
const answer = await traced('invoke_agent weather', { attributes: agent }, async () => {
  await askModel('Is it warmer in Lima or in Oslo?', 'I will look up both.', 24)
  const [lima, oslo] = await Promise.all([
    runTool('call-lima', 'getWeather', { city: 'Lima' }, async ({ city }) => ({ city, tempC: 17 })),
    runTool('call-oslo', 'getWeather', { city: 'Oslo' }, async ({ city }) => ({ city, tempC: 4 })),
  ])
  const warmer = lima.tempC > oslo.tempC ? lima : oslo
  return await askModel(`Lima ${lima.tempC}, Oslo ${oslo.tempC}`, `It is warmer in ${warmer.city}: ${warmer.tempC} degrees.`, 41)
})
await provider.shutdown()
if (answer !== 'It is warmer in Lima: 17 degrees.') throw new Error(`Unexpected answer: ${answer}`)
console.log(`result: ${answer}`)
