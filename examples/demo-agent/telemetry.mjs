// An ordinary OpenTelemetry set-up; GraphMind is the one line with its name.
import { OpenTelemetry } from '@ai-sdk/otel'
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { registerTelemetry } from 'ai'

const graphmind = new GraphMindSpanProcessor()
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'trip-planner' }),
  spanProcessors: [graphmind],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
registerTelemetry(new OpenTelemetry())

/** True when a debugger is there; false, after two seconds, when the program runs on its own. */
export const whenAttached = () => graphmind.ready()

export const shutdown = () => provider.shutdown()
