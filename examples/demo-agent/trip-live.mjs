// The same agent with a real model: `graphmind demo --live`. Takes ANTHROPIC_API_KEY, else OPENAI_API_KEY; DEMO_MODEL names another model
// of that provider, ANTHROPIC_BASE_URL and OPENAI_BASE_URL another address.
import { INSTRUCTIONS, planTrip } from './plan-trip.mjs'

if (process.env.ANTHROPIC_API_KEY) {
  const { anthropic } = await import('@ai-sdk/anthropic')
  await planTrip(anthropic(process.env.DEMO_MODEL ?? 'claude-haiku-4-5'), INSTRUCTIONS)
} else if (process.env.OPENAI_API_KEY) {
  const { openai } = await import('@ai-sdk/openai')
  await planTrip(openai(process.env.DEMO_MODEL ?? 'gpt-5-mini'), INSTRUCTIONS)
} else {
  console.error('Set ANTHROPIC_API_KEY or OPENAI_API_KEY. Without a key, trip.mjs runs the same agent with a scripted model.')
  process.exitCode = 1
}
