// AI SDK 6 with GraphMind as the only span processor. The model is scripted: no key, no network.
import { GraphMindSpanProcessor } from '@graphmind-ai/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import * as z from 'zod'

const graphmind = new GraphMindSpanProcessor()
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'weather-6' }),
  spanProcessors: [graphmind],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
await graphmind.ready()

const usage = {
  inputTokens: { total: 31, noCache: 31, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 11, text: 11, reasoning: 0 },
}
const model = new MockLanguageModelV3({
  modelId: 'scripted',
  doGenerate: async ({ prompt }) => {
    const result = prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])).find((part) => part.type === 'tool-result')
    const content =
      result === undefined
        ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'getWeather', input: '{"city":"Lima"}' }]
        : [{ type: 'text', text: `Weather in Lima: ${JSON.stringify(result.output.value)}` }]
    return { content, finishReason: { unified: result === undefined ? 'tool-calls' : 'stop', raw: undefined }, usage, warnings: [] }
  },
})

try {
  const { text } = await generateText({
    model,
    prompt: 'What is the weather in Lima?',
    tools: {
      getWeather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => ({ city, sky: 'foggy', tempC: 17 }),
      }),
    },
    stopWhen: stepCountIs(3),
    experimental_telemetry: { isEnabled: true, functionId: 'weather' },
  })
  if (text === '') throw new Error('The agent gave no answer.')
  console.log(`result: ${text}`)
} catch (error) {
  // An abort in the debugger ends the run with an AbortError, as a caller's own signal would.
  if (error.name !== 'AbortError') throw error
  console.log('result: aborted')
}
await provider.shutdown()
