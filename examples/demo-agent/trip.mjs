// The longer story of `graphmind demo`: a bug in one tool that only shows two steps later, in another. No key, no network.
import { stepCountIs, streamText } from 'ai'
import { shutdown, whenAttached } from './telemetry.mjs'
import { createTripModel } from './trip-model.mjs'
import { tools } from './trip-tools.mjs'

const PROMPT = 'Plan four days in Kyoto from Vienna. I have 1500 euros for flight and hotel.'
const paceMs = Number(process.env.DEMO_PACE_MS ?? 30)

await whenAttached()

let failure
const result = streamText({
  model: createTripModel(paceMs),
  tools,
  prompt: PROMPT,
  stopWhen: stepCountIs(6),
  telemetry: { functionId: 'trip-planner' },
  onError: ({ error }) => {
    failure = error
  },
})
let answer = ''
try {
  for await (const step of result.stream) {
    if (step.type === 'start-step') answer = ''
    if (step.type === 'text-delta') answer += step.text
  }
} catch (error) {
  failure = error
}
if (failure === undefined) console.log(answer)
else if (failure.name === 'AbortError') console.log(`Aborted: ${failure.message}`)
else {
  console.error(failure)
  process.exitCode = 1
}
await shutdown()
