import { type FakeViewer, type ReceivedEvent, startFakeViewer } from '@graphmind-ai/client/testing'
import { context, trace } from '@opentelemetry/api'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type GraphMind, graphmind } from './graphmind.ts'

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const STOP = { unified: 'stop' as const, raw: undefined }
const TELEMETRY_OFF = { telemetry: { isEnabled: false } }

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

function talkingModel(words: readonly string[], seen: unknown[] = []) {
  const chunks = [
    { type: 'stream-start' as const, warnings: [] },
    { type: 'text-start' as const, id: '1' },
    ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end' as const, id: '1' },
    { type: 'finish' as const, finishReason: STOP, usage: USAGE },
  ]
  const model = new MockLanguageModelV4({
    modelId: 'talker',
    doGenerate: async (options) => {
      seen.push(options)
      return { content: [{ type: 'text', text: words.join('') }], finishReason: STOP, usage: USAGE, warnings: [] }
    },
    doStream: async (options) => {
      seen.push(options)
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }
    },
  })
  return { model, chunks }
}

describe('the adapter', () => {
  let viewer: FakeViewer
  let gm: GraphMind
  const warnings: string[] = []

  async function start(breakpoints: Parameters<typeof startFakeViewer>[0] = {}) {
    viewer = await startFakeViewer(breakpoints)
    gm = graphmind({ app: 'trip-planner', url: viewer.url, env: {}, logger: { warn: (text) => warnings.push(text) } })
    expect(await gm.ready()).toBe(true)
  }

  beforeEach(() => warnings.splice(0))
  afterEach(async () => {
    const disposed = gm.dispose()
    await viewer.close()
    await disposed
    trace.disable()
    context.disable()
  })

  it('ties a run to its name, and shows the tools before any of them ran', async () => {
    await start()
    gm.wrapTools({ search: { execute: async () => 1 }, book: { execute: async () => 2 } })
    const runId = await gm.run('book-trip', (run) => run.runId)
    const [started, hint] = [await viewer.event('run.started'), await viewer.event('graph.hint')]
    expect(started).toMatchObject({ runId, payload: { app: 'trip-planner' } })
    expect(hint).toMatchObject({
      runId,
      payload: { nodes: [{ nodeId: 'tool:search' }, { nodeId: 'tool:book', kind: 'tool', name: 'book' }] },
    })
  })

  it('hands a model’s stream on part for part, and sends its pieces in batches', async () => {
    await start()
    const { model, chunks } = talkingModel(['To ', 'Lisbon', '.'])
    const wrapped = gm.wrapModel(model)
    const { stream } = await wrapped.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Where to?' }] }] })
    expect(await all(stream)).toEqual(chunks)
    const tokens = await viewer.event('node.token')
    expect(tokens.payload).toMatchObject({ nodeId: 'llm:step', deltas: [{ t: 'text', v: 'To Lisbon.' }] })
    expect(viewer.events('node.token')).toHaveLength(1)
  })

  it('lets prompt and parameters of a model call be edited, and refuses what no model could take', async () => {
    await start({ breakpoints: [{ kind: 'llm' }] })
    const seen: Record<string, unknown>[] = []
    const { model } = talkingModel(['Lisbon.'], seen)
    const answer = generateText({ model: gm.wrapModel(model), prompt: 'Where to?', temperature: 1, ...TELEMETRY_OFF })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ editable: true, input: { temperature: 1, prompt: [{ role: 'user' }] } })
    viewer.resume(paused, 'continue', { input: { prompt: 'just a text' } })
    expect((await viewer.event('exec.refused')).payload).toMatchObject({
      code: 'schema',
      message: expect.stringContaining('list of messages'),
    })
    viewer.resume(paused, 'continue', {
      input: { temperature: 0, prompt: [{ role: 'user', content: [{ type: 'text', text: 'And back?' }] }] },
    })
    await answer
    expect(seen[0]).toMatchObject({ temperature: 0, prompt: [{ role: 'user', content: [{ text: 'And back?' }] }] })
  })

  it('checks edited arguments against the tool’s own schema, and hands on what the schema makes of them', async () => {
    await start({ breakpoints: [{ kind: 'tool' }] })
    const tools = gm.wrapTools({
      search: tool({ inputSchema: z.object({ city: z.string(), days: z.number().default(3) }), execute: async (input) => input }),
    })
    const result = tools.search.execute?.({ city: 'Lima', days: 1 }, { toolCallId: 'call-1', messages: [], context: undefined as never })
    const paused: ReceivedEvent<'exec.paused'> = await viewer.event('exec.paused')
    viewer.resume(paused, 'continue', { input: { city: 7 } })
    expect((await viewer.event('exec.refused')).payload).toMatchObject({ code: 'schema', message: expect.stringContaining('city') })
    viewer.resume(paused, 'continue', { input: { city: 'Oslo' } })
    expect(await result).toEqual({ city: 'Oslo', days: 1 })
  })

  it('does not let the SDK’s time-outs run out while a person looks', async () => {
    await start({ breakpoints: [{ kind: 'tool' }] })
    const timeout = new AbortController()
    const tools = gm.wrapTools({
      search: { execute: async (_input: unknown, options: { abortSignal?: AbortSignal }) => options.abortSignal?.aborted },
    })
    const result = tools.search.execute({}, { abortSignal: timeout.signal })
    const paused = await viewer.event('exec.paused')
    timeout.abort(new DOMException('too late', 'TimeoutError'))
    viewer.resume(paused, 'continue')
    expect(await result).toBe(false)
  })

  it('passes a caller’s own abort on', async () => {
    await start()
    const caller = new AbortController()
    const tools = gm.wrapTools({
      search: { execute: async (_input: unknown, options: { abortSignal?: AbortSignal }) => options.abortSignal?.aborted },
    })
    caller.abort()
    expect(await tools.search.execute({}, { abortSignal: caller.signal })).toBe(true)
  })

  it('holds two parallel calls apart', async () => {
    await start({ breakpoints: [{ kind: 'tool' }] })
    const tools = gm.wrapTools({ search: { execute: async (city: string) => city } })
    const both = Promise.all([tools.search.execute('Lima'), tools.search.execute('Oslo')])
    const second = await viewer.event('exec.paused', 2)
    viewer.resume(second, 'inject', { output: 'injected' })
    viewer.resume(await viewer.event('exec.paused'), 'continue')
    expect(await both).toEqual(['Lima', 'injected'])
  })

  it('holds a streaming tool at its start and passes its parts on', async () => {
    await start({ breakpoints: [{ kind: 'tool' }] })
    const tools = gm.wrapTools({
      count: {
        async *execute(from: number) {
          yield from
          yield from + 1
        },
      },
    })
    const parts = all(tools.count.execute(1))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.actions).toEqual(['continue', 'abort'])
    viewer.resume(paused, 'continue')
    expect(await parts).toEqual([1, 2])
  })

  it('ends the run on abort, also where the SDK would retry', async () => {
    await start({ breakpoints: [{ kind: 'llm' }] })
    const seen: unknown[] = []
    const { model } = talkingModel(['Lisbon.'], seen)
    const run = gm.run(
      'trip',
      async () => (await generateText({ model: gm.wrapModel(model), prompt: 'Where to?', maxRetries: 3, ...TELEMETRY_OFF })).text,
    )
    viewer.resume(await viewer.event('exec.paused'), 'abort')
    await expect(run).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toEqual([])
  })

  it.each(['doGenerate', 'doStream'] as const)('holds a model that was cut off in a tool call, at the end of %s', async (how) => {
    await start()
    const finishReason = { unified: 'length' as const, raw: 'max_tokens' }
    const cut = { type: 'tool-call' as const, toolCallId: 'call-1', toolName: 'book', input: '{"city":"Lis' }
    const begun = { type: 'tool-input-start' as const, id: 'call-1', toolName: 'book' }
    const chunks = [{ type: 'stream-start' as const, warnings: [] }, begun, { type: 'finish' as const, finishReason, usage: USAGE }]
    const model = new MockLanguageModelV4({
      modelId: 'cut',
      doGenerate: async () => ({ content: [cut], finishReason, usage: USAGE, warnings: [] }),
      doStream: async () => ({ stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }),
    })
    const wrapped = gm.wrapModel(model)
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Where to?' }] }]
    const answer = how === 'doGenerate' ? wrapped.doGenerate({ prompt }) : wrapped.doStream({ prompt }).then(({ stream }) => all(stream))
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({
      point: 'after',
      reason: 'breakpoint',
      smart: {
        rule: 'truncated-tool-call',
        detail: 'It ended with length and asked for 1 tool call. The arguments of 1 are no whole JSON.',
      },
    })
    viewer.resume(paused, 'continue')
    expect(await answer).toEqual(how === 'doGenerate' ? expect.objectContaining({ content: [cut] }) : chunks)
  })

  it('holds a tool whose result says that it failed', async () => {
    await start()
    const search = { execute: async () => ({ error: 'no city' }) }
    const result = gm.wrapTools({ search }).search.execute()
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ point: 'after', smart: { rule: 'error-result' } })
    viewer.resume(paused, 'inject', { output: 'Lima' })
    expect(await result).toBe('Lima')
  })

  it('lets held calls go when the debugger is lost', async () => {
    await start({ breakpoints: [{ kind: 'tool' }] })
    const tools = gm.wrapTools({ search: { execute: async (city: string) => city } })
    const result = tools.search.execute('Lima')
    await viewer.event('exec.paused')
    viewer.disconnect()
    expect(await result).toBe('Lima')
  })

  it('runs a whole agent unchanged when nothing is held', async () => {
    await start()
    const { model } = talkingModel(['Lisbon', '.'])
    const { textStream } = streamText({ model: gm.wrapModel(model), prompt: 'Where to?', stopWhen: stepCountIs(2), ...TELEMETRY_OFF })
    expect((await all(textStream)).join('')).toBe('Lisbon.')
    expect(viewer.events('exec.paused')).toEqual([])
  })
})

describe('under a kill switch', () => {
  it.each([{ GRAPHMIND_DISABLED: '1' }, { NODE_ENV: 'production' }])('everything is handed back untouched: %o', async (env) => {
    const gm = graphmind({ env })
    const { model } = talkingModel(['x'])
    const tools = { search: { execute: async () => 1 } }
    expect(gm.wrapModel(model)).toBe(model)
    expect(gm.wrapTools(tools)).toBe(tools)
    expect(gm.session.enabled).toBe(false)
    expect(await gm.ready()).toBe(false)
    expect(await gm.run('trip', ({ signal }) => signal.aborted)).toBe(false)
    await gm.dispose()
  })
})

it('leaves alone what is no model', async () => {
  const gm = graphmind({ env: {}, url: 'ws://127.0.0.1:1/ingest', logger: { warn: () => undefined } })
  expect(gm.wrapModel('openai/gpt-5')).toBe('openai/gpt-5')
  const old = { specificationVersion: 'v1', doGenerate: () => 1, doStream: () => 1 }
  expect(gm.wrapModel(old)).toBe(old)
  await gm.dispose()
  trace.disable()
  context.disable()
})
