// An agent with one tool, as an ES module; it knows nothing of GraphMind.
import { trace } from '@opentelemetry/api'

const tracer = trace.getTracer('weather')
const AGENT = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' }
const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' }

await tracer.startActiveSpan('invoke_agent weather', { attributes: AGENT }, async (agent) => {
  const weather = await tracer.startActiveSpan('execute_tool get_weather', { attributes: TOOL }, async (span) => {
    span.end()
    return 'really asked'
  })
  console.log(`weather: ${weather}`)
  agent.end()
})
