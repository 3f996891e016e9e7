// Functions traced with OpenInference: `npm start` loads the preload, which brings the provider. The model is scripted: no key, no network.
// EXAMPLE_PLAN is described in ../plan.mjs.
import { traceAgent, traceTool, withSpan } from '@arizeai/openinference-core'
import { runPlan } from '../plan.mjs'

await runPlan((calls) => {
  const getWeather = traceTool(async (city) => calls.tool(city), { name: 'getWeather' })
  const askModel = withSpan(
    async (_question, weather) => {
      calls.model()
      return weather === undefined ? 'I will look it up.' : `Weather: ${JSON.stringify(weather)}`
    },
    { name: 'scripted', kind: 'LLM' },
  )
  const agent = traceAgent(
    async (question) => {
      await askModel(question)
      return await askModel(question, await getWeather('Lima'))
    },
    { name: 'weather' },
  )
  return agent('What is the weather in Lima?')
})
