// A trip planner on AI SDK 7 with a scripted model: no key, no network. One of its two tools has a bug (see tools.mjs).
import { stepCountIs, streamText } from 'ai'
import { createPlannerModel } from './model.mjs'
import { shutdown, whenAttached } from './telemetry.mjs'
import { tools } from './tools.mjs'

const PROMPT = 'Plan a weekend in Lisbon from Vienna. I pay in euros, so give me the price of the flight in euros.'
const paceMs = Number(process.env.DEMO_PACE_MS ?? 30)

// Without this wait the first tool could run before the debugger has told what to hold.
await whenAttached()

let failure
try {
  const result = streamText({
    model: createPlannerModel(paceMs),
    tools,
    prompt: PROMPT,
    stopWhen: stepCountIs(4),
    telemetry: { functionId: 'trip-planner' },
    onError: ({ error }) => {
      failure = error
    },
  })
  let answer = ''
  for await (const step of result.stream) {
    if (step.type === 'start-step') answer = ''
    if (step.type === 'text-delta') answer += step.text
  }
  if (failure === undefined) console.log(answer)
} catch (error) {
  failure = error
}
if (failure?.name === 'AbortError') console.log(`Aborted: ${failure.message}`)
else if (failure !== undefined) {
  console.error(failure)
  process.exitCode = 1
}
await shutdown()
