import { stepCountIs, streamText } from 'ai'
import { shutdown, whenAttached } from './telemetry.mjs'
import { tools } from './trip-tools.mjs'

/** What a real model has to be told; a scripted one knows its part. */
export const INSTRUCTIONS = `You plan trips. Look up flights and a hotel, turn prices into euros with convertCurrency, add them up, and check the total with
checkBudget before you answer. Take what the tools give as it is: you cannot know today's prices better. Answer in two sentences.`
const PROMPT = 'Plan four days in Kyoto from Vienna. I have 1500 euros for flight and hotel.'

/** Runs the agent with this model and prints its answer, or what became of it; ends with exit code 1 for a failure. */
export async function planTrip(model, instructions) {
  await whenAttached()
  let failure
  const result = streamText({
    model,
    tools,
    instructions,
    prompt: PROMPT,
    stopWhen: stepCountIs(8),
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
}
