import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model behind OpenAI's chat completions: asks for `get_weather` first, then repeats what the tool said. */
export interface ModelServer {
  readonly url: string
  stop(): Promise<void>
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[]
  readonly stream?: boolean
}

const USAGE = { prompt_tokens: 31, completion_tokens: 11, total_tokens: 42 }
const COMMON = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'scripted-1' }
const CALL = { id: 'call-1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Lima"}' } }

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
  const result = messages.findLast((message) => message.role === 'tool')?.content
  const text = `The tool said ${result}`
  if (stream === true) sendStream(response, text.split(/(?<= )/))
  else sendJson(response, result == null ? { content: null, tool_calls: [CALL] } : { content: text })
}

function sendJson(response: ServerResponse, message: object): void {
  const reason = 'tool_calls' in message ? 'tool_calls' : 'stop'
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      ...COMMON,
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', ...message } }],
      usage: USAGE,
    }),
  )
}

function sendStream(response: ServerResponse, pieces: readonly string[]): void {
  response.setHeader('content-type', 'text/event-stream')
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ ...COMMON, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  for (const content of pieces) send({ choices: [{ index: 0, delta: { role: 'assistant', content } }] })
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  send({ choices: [], usage: USAGE })
  response.end('data: [DONE]\n\n')
}
