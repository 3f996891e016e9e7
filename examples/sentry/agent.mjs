// Sentry's spans (Sentry.startSpan) in a program that sets OpenTelemetry up itself, as Sentry describes it for custom set-ups, with GraphMind's
// span processor beside Sentry's. Sentry has no DSN here, so nothing leaves the machine. The model is scripted: no key, no network.
// EXAMPLE_PLAN is described in ../plan.mjs.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, propagation, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import * as Sentry from '@sentry/node'
import { SentryPropagator, SentrySampler, SentrySpanProcessor } from '@sentry/opentelemetry'
import { runPlan } from '../plan.mjs'

const client = Sentry.init({ skipOpenTelemetrySetup: true, tracesSampleRate: 1 })
const graphmind = new GraphMindSpanProcessor()
const provider = new BasicTracerProvider({ sampler: new SentrySampler(client), spanProcessors: [new SentrySpanProcessor(), graphmind] })
context.setGlobalContextManager(new Sentry.SentryContextManager().enable())
propagation.setGlobalPropagator(new SentryPropagator())
trace.setGlobalTracerProvider(provider)
await graphmind.ready()

const LOOK_UP = 'I will look it up.'
const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'getWeather' }
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'scripted' }
const AGENT = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' }

await runPlan((calls) => {
  const getWeather = (city) =>
    Sentry.startSpan({ op: 'gen_ai.execute_tool', name: 'execute_tool getWeather', attributes: TOOL }, async () => calls.tool(city))
  const askModel = (weather) =>
    Sentry.startSpan({ op: 'gen_ai.chat', name: 'chat scripted', attributes: CHAT }, async () => {
      calls.model()
      return weather === undefined ? LOOK_UP : `Weather: ${JSON.stringify(weather)}`
    })
  return Sentry.startSpan({ op: 'gen_ai.invoke_agent', name: 'invoke_agent weather', attributes: AGENT }, async () => {
    const first = await askModel()
    if (first !== LOOK_UP) return first
    return await askModel(await getWeather('Lima'))
  })
})
await provider.shutdown()
