import { OpenTelemetry } from '@ai-sdk/otel'
import { registerTelemetry, streamText } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { afterEach, expect, it } from 'vitest'
import type { StreamPart } from '../testing/planner.ts'
import { type Program, startProgram } from '../testing/program.ts'

let program: Program
afterEach(async () => {
  await program.stop()
  Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS')
})

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const CHUNKS: StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hm. ' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Lis' },
  { type: 'text-delta', id: 't', delta: 'bon' },
  { type: 'text-end', id: 't' },
  { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
]

function stream() {
  return simulateReadableStream({ chunks: CHUNKS, chunkDelayInMs: null, initialDelayInMs: null })
}

async function ask(model: MockLanguageModelV4): Promise<unknown[]> {
  const parts: unknown[] = []
  for await (const part of streamText({ model, prompt: 'Where?' }).stream) parts.push(part)
  return parts
}

it('shows what a model streams, as tokens of its call’s span', async () => {
  program = await startProgram()
  registerTelemetry(new OpenTelemetry())
  await ask(new MockLanguageModelV4({ modelId: 'mock', doStream: async () => ({ stream: stream() }) }))
  const started = await program.collector.span('chat mock', 'start')
  const { viewer } = program.collector
  const deltas = () => viewer.events('node.token').flatMap(({ payload }) => payload.deltas)
  await viewer.until(() => deltas().some(({ v }) => v.endsWith('bon')))
  expect(deltas()).toEqual([
    { t: 'reasoning', v: 'Hm. ' },
    { t: 'text', v: 'Lisbon' },
  ])
  expect(viewer.events('node.token')[0]).toMatchObject({
    runId: started.traceId,
    payload: { nodeId: 'llm:step', instanceId: started.spanId },
  })
})

it('passes the very same parts on to the host', async () => {
  const model = () => new MockLanguageModelV4({ modelId: 'mock', doStream: async () => ({ stream: stream() }) })
  const comparable = (parts: unknown[]) =>
    JSON.stringify(parts, (key, value) => (/^(id|timestamp|.*(Ms|PerSecond|performance))$/.test(key) ? undefined : value))
  program = await startProgram({ env: { GRAPHMIND_DISABLED: '1' }, attach: false })
  const plain = comparable(await ask(model()))
  await program.stop()
  program = await startProgram()
  registerTelemetry(new OpenTelemetry())
  expect(comparable(await ask(model()))).toBe(plain)
})

it('hands a stream’s failure on as it is', async () => {
  program = await startProgram()
  registerTelemetry(new OpenTelemetry())
  const broken = new Error('broken pipe')
  const model = new MockLanguageModelV4({
    modelId: 'mock',
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] })
          controller.error(broken)
        },
      }),
    }),
  })
  await expect(ask(model)).rejects.toBe(broken)
})

it('gives who attaches in the middle the text from its beginning', async () => {
  program = await startProgram()
  registerTelemetry(new OpenTelemetry())
  let proceed: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const model = new MockLanguageModelV4({
    modelId: 'mock',
    doStream: async () => ({
      stream: stream().pipeThrough(
        new TransformStream<StreamPart, StreamPart>({
          async transform(chunk, controller) {
            if (chunk.type === 'text-end') await waiting
            controller.enqueue(chunk)
          },
        }),
      ),
    }),
  })
  const { viewer } = program.collector
  viewer.disconnect()
  await viewer.until(() => viewer.connections >= 1)
  const answer = ask(model)
  await viewer.until(() => viewer.connections === 2)
  await program.processor.ready()
  proceed()
  await answer
  await viewer.until(() => viewer.events('node.token').length > 0)
  expect(
    viewer
      .events('node.token')
      .flatMap(({ payload }) => payload.deltas)
      .map(({ v }) => v)
      .join(''),
  ).toBe('Hm. Lisbon')
})
