// A Traceloop (OpenLLMetry) workflow whose own set-up has GraphMind's span processor in it. No key, no network.
// EXAMPLE_PLAN is described in ../plan.mjs.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { initialize, withTool, withWorkflow } from '@traceloop/node-server-sdk'
import { runPlan } from '../plan.mjs'

const graphmind = new GraphMindSpanProcessor()
initialize({ appName: 'weather', processor: graphmind, silenceInitializationMessage: true, traceloopSyncEnabled: false })
await graphmind.ready()

await runPlan((calls) =>
  withWorkflow({ name: 'weather' }, async () => {
    const found = await withTool({ name: 'getWeather' }, async ({ city }) => calls.tool(city), { city: 'Lima' })
    return `Weather: ${JSON.stringify(found)}`
  }),
)
await graphmind.shutdown()
