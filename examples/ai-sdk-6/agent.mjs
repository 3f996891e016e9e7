// AI SDK 6 with GraphMind as the only span processor. The model is scripted: no key, no network.
// EXAMPLE_STREAM=1 streams the answer; EXAMPLE_ADAPTER=1 wraps the model and the tool with @graphmind-ai/sdk, with the
// SDK's telemetry off; EXAMPLE_PLAN is described in ../plan.mjs.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { graphmind } from '@graphmind-ai/sdk'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import * as z from 'zod'
import { runPlan } from '../plan.mjs'

const processor = new GraphMindSpanProcessor()
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'weather-6' }),
  spanProcessors: [processor],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
await processor.ready()

const usage = {
  inputTokens: { total: 31, noCache: 31, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 11, text: 11, reasoning: 0 },
}

function createModel(calls) {
  const answer = (prompt) => {
    calls.model()
    const [, city] = /weather in (\w+)/.exec(JSON.stringify(prompt)) ?? []
    const result = prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])).find((part) => part.type === 'tool-result')
    const content =
      result === undefined
        ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'getWeather', input: JSON.stringify({ city }) }]
        : [{ type: 'text', text: `Weather: ${JSON.stringify(result.output.value)}` }]
    return { content, finishReason: { unified: result === undefined ? 'tool-calls' : 'stop', raw: undefined }, usage }
  }
  return new MockLanguageModelV3({
    modelId: 'scripted',
    doGenerate: async ({ prompt }) => ({ ...answer(prompt), warnings: [] }),
    doStream: async ({ prompt }) => {
      const { content, ...end } = answer(prompt)
      const parts = content.flatMap((part) => {
        if (part.type !== 'text') return [part]
        const words = part.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta }))
        return [{ type: 'text-start', id: '1' }, ...words, { type: 'text-end', id: '1' }]
      })
      const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...end }]
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }
    },
  })
}

const adapter = process.env.EXAMPLE_ADAPTER ? graphmind({ app: 'weather' }) : undefined
await adapter?.ready()

await runPlan(async (calls) => {
  const getWeather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => calls.tool(city) })
  const model = createModel(calls)
  const tools = { getWeather }
  const options = {
    model: adapter?.wrapModel(model) ?? model,
    prompt: 'What is the weather in Lima?',
    tools: adapter?.wrapTools(tools) ?? tools,
    stopWhen: stepCountIs(3),
    maxRetries: 0,
    experimental_telemetry: { isEnabled: !adapter, functionId: 'weather' },
  }
  const run = async () => (process.env.EXAMPLE_STREAM ? await readStream(options) : (await generateText(options)).text)
  return adapter === undefined ? await run() : await adapter.run('weather', run)
})
await provider.shutdown()

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
    if (part.type === 'start-step') text = ''
    if (part.type === 'text-delta') text += part.text
  }
  if (failure !== undefined) throw failure
  return text
}
