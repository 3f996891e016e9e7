import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A provider on loopback that speaks the streamed wire format of the real one and plans the trip of the demo agent. */
export interface FakeProvider {
  /** What makes the provider's own package ask here. */
  readonly environment: Record<string, string>
  readonly model: string
  /** The API keys that were shown. */
  keys(): ReadonlySet<string>
  stop(): Promise<void>
}

interface Call {
  readonly name: string
  readonly input: object
}

type Step = { readonly calls: readonly Call[] } | { readonly text: string }

/** What the model does after this many steps. `last` is what the last tool gave. */
function nextStep(done: number, last: string): Step {
  const steps: readonly (readonly Call[])[] = [
    [
      { name: 'searchFlights', input: { from: 'VIE', to: 'KIX' } },
      { name: 'searchHotels', input: { city: 'Kyoto', nights: 4 } },
    ],
    [{ name: 'convertCurrency', input: { amount: 48_000, from: 'JPY', to: 'EUR' } }],
    [{ name: 'checkBudget', input: { total: 7_776_742, budget: 1500 } }],
  ]
  const calls = steps[done]
  return calls === undefined ? { text: `About the budget: ${last}` } : { calls }
}

const MODEL = 'a-model'
const KEY = 'key-of-the-test'
const USAGE = { input_tokens: 100, output_tokens: 20 }

export async function startFakeProvider(provider: 'anthropic' | 'openai'): Promise<FakeProvider> {
  const keys = new Set<string>()
  const server = createServer((request, response) => {
    keys.add(String(request.headers['x-api-key'] ?? request.headers.authorization?.replace('Bearer ', '')))
    void answer(request, response)
  })
  const speak = provider === 'anthropic' ? anthropicEvents : openaiEvents
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = provider === 'anthropic' ? '/v1/messages' : '/v1/responses'
    if (request.url !== path) return void response.writeHead(404).end()
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of speak(JSON.parse(body))) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    environment:
      provider === 'anthropic' ? { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url } : { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url },
    model: MODEL,
    keys: () => keys,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

interface AnthropicRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content: readonly { readonly type: string; readonly content?: unknown }[]
  }[]
}

/** https://docs.anthropic.com/en/api/messages-streaming */
function anthropicEvents({ messages }: AnthropicRequest): readonly Event[] {
  const done = messages.filter(({ role }) => role === 'assistant').length
  const result = messages.at(-1)?.content.at(-1)?.content
  const step = nextStep(done, typeof result === 'string' ? result : JSON.stringify(result))
  const blocks =
    'text' in step
      ? [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: step.text } }]
      : step.calls.map(({ name, input }, at) => ({
          start: { type: 'tool_use', id: `toolu_${done}_${at}`, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }))
  return [
    {
      type: 'message_start',
      message: { id: `msg_${done}`, type: 'message', role: 'assistant', model: MODEL, content: [], stop_reason: null, usage: USAGE },
    },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: 'text' in step ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: USAGE.output_tokens },
    },
    { type: 'message_stop' },
  ]
}

interface OpenaiRequest {
  readonly input: readonly { readonly type?: string; readonly call_id?: string; readonly output?: unknown }[]
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function openaiEvents({ input }: OpenaiRequest): readonly Event[] {
  const results = input.filter(({ type }) => type === 'function_call_output')
  const done = new Set(results.map(({ call_id }) => call_id?.split('_')[1])).size
  const last = results.at(-1)?.output
  const step = nextStep(done, typeof last === 'string' ? last : JSON.stringify(last))
  const items =
    'text' in step
      ? [{ type: 'message', id: `msg_${done}`, role: 'assistant', status: 'completed', content: [textPart(step.text)] }]
      : step.calls.map(({ name, input: given }, at) => ({
          type: 'function_call',
          id: `fc_${done}_${at}`,
          call_id: `call_${done}_${at}`,
          name,
          arguments: JSON.stringify(given),
          status: 'completed',
        }))
  const response = { id: `resp_${done}`, object: 'response', created_at: 1, model: MODEL, output: items, usage: USAGE }
  return [
    { type: 'response.created', response: { ...response, output: [] } },
    ...items.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: 'arguments' in item ? { ...item, arguments: '' } : { ...item, content: [] },
      },
      'arguments' in item
        ? { type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta: item.arguments }
        : { type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta: item.content[0]?.text },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed' } },
  ]
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [] }
}
