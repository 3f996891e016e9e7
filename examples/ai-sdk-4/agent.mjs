// AI SDK 4 without a line of GraphMind or telemetry set-up: `npm start` loads the preload. The model is scripted: no key, no network.
// EXAMPLE_STREAM=1 streams the answer; EXAMPLE_PLAN is described in ../plan.mjs.
import { generateText, streamText, tool } from 'ai'
import { MockLanguageModelV1, simulateReadableStream } from 'ai/test'
import { z } from 'zod'
import { runPlan } from '../plan.mjs'

const usage = { promptTokens: 31, completionTokens: 11 }

function createModel(calls) {
  const answer = (prompt) => {
    calls.model()
    const result = prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])).find((part) => part.type === 'tool-result')
    if (result !== undefined) return { text: `Weather: ${JSON.stringify(result.result)}` }
    return { toolCalls: [{ toolCallType: 'function', toolCallId: 'call-1', toolName: 'getWeather', args: '{"city":"Lima"}' }] }
  }
  const rawCall = { rawPrompt: null, rawSettings: {} }
  return new MockLanguageModelV1({
    modelId: 'scripted',
    doGenerate: async ({ prompt }) => {
      const { text, toolCalls } = answer(prompt)
      return { text, toolCalls, finishReason: toolCalls ? 'tool-calls' : 'stop', usage, rawCall }
    },
    doStream: async ({ prompt }) => {
      const { text, toolCalls = [] } = answer(prompt)
      const words = text?.split(/(?<= )/).map((textDelta) => ({ type: 'text-delta', textDelta })) ?? []
      const tools = toolCalls.map((call) => ({ type: 'tool-call', ...call }))
      const end = { type: 'finish', finishReason: text === undefined ? 'tool-calls' : 'stop', usage }
      return { stream: simulateReadableStream({ chunks: [...words, ...tools, end], chunkDelayInMs: null }), rawCall }
    },
  })
}

await runPlan(async (calls) => {
  const getWeather = tool({ parameters: z.object({ city: z.string() }), execute: async ({ city }) => calls.tool(city) })
  const options = {
    model: createModel(calls),
    prompt: 'What is the weather in Lima?',
    tools: { getWeather },
    maxSteps: 3,
    maxRetries: 0,
    experimental_telemetry: { isEnabled: true, functionId: 'weather' },
  }
  return process.env.EXAMPLE_STREAM ? await readStream(options) : (await generateText(options)).text
})

async function readStream(options) {
  let failure
  const { fullStream } = streamText({
    ...options,
    onError: ({ error }) => {
      failure = error
    },
  })
  let text = ''
  for await (const part of fullStream) {
    if (part.type === 'step-start') text = ''
    if (part.type === 'text-delta') text += part.textDelta
  }
  if (failure !== undefined) throw failure
  return text
}
