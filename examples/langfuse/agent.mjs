// Langfuse observations: `npm start` loads the preload, which brings the provider. The model is scripted: no key, no network.
// EXAMPLE_PLAN is described in ../plan.mjs.
import { startActiveObservation } from '@langfuse/tracing'
import { runPlan } from '../plan.mjs'

const LOOK_UP = 'I will look it up.'

await runPlan((calls) => {
  const getWeather = (city) => startActiveObservation('getWeather', async () => calls.tool(city), { asType: 'tool' })
  const askModel = (weather) =>
    startActiveObservation(
      'scripted',
      async () => {
        calls.model()
        return weather === undefined ? LOOK_UP : `Weather: ${JSON.stringify(weather)}`
      },
      { asType: 'generation' },
    )
  const agent = async () => {
    const first = await askModel()
    if (first !== LOOK_UP) return first
    return await askModel(await getWeather('Lima'))
  }
  return startActiveObservation('weather', agent, { asType: 'agent' })
})
