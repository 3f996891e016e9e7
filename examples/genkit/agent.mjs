// Genkit without a line of GraphMind or telemetry set-up: `npm start` loads the preload, which joins the provider that Genkit registers.
// The model is scripted: no key, no network. EXAMPLE_PLAN is described in ../plan.mjs.
import { genkit, z } from 'genkit'
import { runPlan } from '../plan.mjs'

const ai = genkit({})
let calls
ai.defineModel({ name: 'scripted', supports: { tools: true } }, async ({ messages }) => {
  calls.model()
  const response = messages.flatMap((message) => message.content).find((part) => part.toolResponse !== undefined)
  const content =
    response === undefined
      ? [{ toolRequest: { name: 'getWeather', ref: 'call-1', input: { city: 'Lima' } } }]
      : [{ text: `Weather: ${JSON.stringify(response.toolResponse.output)}` }]
  return { message: { role: 'model', content }, finishReason: 'stop', usage: { inputTokens: 31, outputTokens: 11 } }
})
const getWeather = ai.defineTool(
  { name: 'getWeather', description: 'The weather of a city.', inputSchema: z.object({ city: z.string() }), outputSchema: z.any() },
  async ({ city }) => calls.tool(city),
)
const weather = ai.defineFlow({ name: 'weather', inputSchema: z.string(), outputSchema: z.string() }, async (prompt) => {
  const { text } = await ai.generate({ model: 'scripted', prompt, tools: [getWeather] })
  return text
})

await runPlan((wish) => {
  calls = wish
  return weather('What is the weather in Lima?')
})
