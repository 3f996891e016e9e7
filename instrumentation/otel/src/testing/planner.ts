import { generateText, stepCountIs, streamText, type ToolSet, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import * as z from 'zod'

type GenerateResult = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type StreamResult = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
/** A part of a V4 model's stream. */
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

const USAGE: GenerateResult['usage'] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/** Counts of what really ran. */
export interface Calls {
  convert: number
  model: number
}

/** A model that first asks for the tool `convert`, then repeats the tool's answer. */
function plannerModel(calls: Calls): MockLanguageModelV4 {
  const answer = (prompt: Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt']): GenerateResult['content'] => {
    calls.model += 1
    const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
    if (results.length === 0) return [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'convert', input: '{"amount":10}' }]
    return [
      { type: 'text', text: `The tool said ${JSON.stringify(results.map((part) => (part.type === 'tool-result' ? part.output : part)))}` },
    ]
  }
  const reasonOf = (content: GenerateResult['content']): GenerateResult['finishReason'] =>
    content.some((part) => part.type === 'tool-call') ? { unified: 'tool-calls', raw: undefined } : { unified: 'stop', raw: undefined }
  return new MockLanguageModelV4({
    modelId: 'mock',
    doGenerate: async ({ prompt }) => {
      const content = answer(prompt)
      return { content, finishReason: reasonOf(content), usage: USAGE, warnings: [] }
    },
    doStream: async ({ prompt }) => {
      const content = answer(prompt)
      const parts = content.flatMap((part): StreamPart[] => {
        if (part.type !== 'text') return part.type === 'tool-call' ? [part] : []
        const words = part.text.split(/(?<= )/)
        return [
          { type: 'text-start', id: '1' },
          ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
          { type: 'text-end', id: '1' },
        ]
      })
      const chunks: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason: reasonOf(content), usage: USAGE },
      ]
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }
    },
  })
}

/** The tool; `work` is what it does the nth time (from 1). */
function convertTool(calls: Calls, work: (time: number, input: unknown) => unknown): ToolSet {
  return {
    convert: tool({
      inputSchema: z.object({ amount: z.number() }),
      execute: async (input) => {
        calls.convert += 1
        return work(calls.convert, input)
      },
    }),
  }
}

/** Runs the planner to its final answer. */
export async function runPlanner(
  how: 'generate' | 'stream',
  calls: Calls,
  work: (time: number, input: unknown) => unknown,
  telemetry: Parameters<typeof generateText>[0]['telemetry'] = {},
): Promise<string> {
  const options = {
    model: plannerModel(calls),
    tools: convertTool(calls, work),
    prompt: 'How much is 10 dollars?',
    stopWhen: stepCountIs(4),
    telemetry: { functionId: 'planner', ...telemetry },
  }
  if (how === 'generate') return (await generateText(options)).text
  let failure: unknown
  const result = streamText({
    ...options,
    onError: ({ error }) => {
      failure = error
    },
  })
  let text = ''
  for await (const part of result.stream) {
    if (part.type === 'start-step') text = ''
    if (part.type === 'text-delta') text += part.text
  }
  if (failure !== undefined) throw failure
  return text
}
