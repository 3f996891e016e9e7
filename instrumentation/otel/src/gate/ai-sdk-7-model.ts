import type { TokenDelta } from '@graphmind-ai/schema'
import type { GateSite } from './gate-site.ts'
import type { Gates } from './gates.ts'
import type { CallShape } from './held-call.ts'
import { isNews } from './held-errors.ts'
import type { TokenStream } from './token-feed.ts'

/** What `doStream` of a V4 model resolves to, as far as we touch it. */
export interface ModelStream {
  readonly stream: ReadableStream<unknown>
}

type Part = Readonly<Record<string, unknown>>

const DELTAS: Readonly<Record<string, TokenDelta['t']>> = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  'tool-input-delta': 'tool-args',
}

export function isModelStream(result: unknown): result is ModelStream {
  return typeof result === 'object' && result !== null && 'stream' in result && result.stream instanceof ReadableStream
}

/** How a `doGenerate` call is answered. */
export const MODEL_CALL: CallShape<unknown> = {
  actions: {
    before: ['continue', 'inject', 'abort'],
    after: ['continue', 'retry', 'inject', 'abort'],
    error: ['continue', 'retry', 'inject', 'abort'],
  },
  outputOf: (result) => (isPart(result) && Array.isArray(result['content']) ? shownAnswer(result['content']) : result),
  inject: (output) => ({ content: answerParts(output), finishReason: finishReason(answerParts(output)), usage: NO_USAGE, warnings: [] }),
}

/** How a `doStream` call is answered. Its function returns when the stream begins, so `after` is held in the stream itself. */
export const MODEL_STREAM: CallShape<unknown> = {
  actions: { before: ['continue', 'inject', 'abort'], error: ['continue', 'retry', 'inject', 'abort'] },
  inject: (output) => ({ stream: ReadableStream.from(streamParts(answerParts(output))) }),
}

/** How a model call is answered when we don't know whether it streams: then no answer can be made up. */
export const UNKNOWN_MODEL_CALL: CallShape<unknown> = {
  actions: { before: ['continue', 'abort'], error: ['continue', 'retry', 'abort'] },
  inject: (output) => output,
}

/**
 * Passes a model's stream on, part by part and pull by pull, while the pieces are shown. Before the last part the call can be held
 * once more; by then its text is out, so it can only go on or abort.
 */
export function observeStream(
  stream: ReadableStream<unknown>,
  tokens: TokenStream,
  gates: Gates,
  site: GateSite | undefined,
): ReadableStream<unknown> {
  const reader = stream.getReader()
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            tokens.end()
            return controller.close()
          }
          if (isPart(value)) await look(value, tokens, gates, site)
          controller.enqueue(value)
        } catch (error) {
          tokens.end()
          controller.error(error)
        }
      },
      cancel(reason) {
        tokens.end()
        return reader.cancel(reason)
      },
    },
    // Nothing is read ahead: the host's own backpressure reaches the model's stream unchanged.
    { highWaterMark: 0 },
  )
}

async function look(part: Part, tokens: TokenStream, gates: Gates, site: GateSite | undefined): Promise<void> {
  const { type } = part
  const channel = typeof type === 'string' ? DELTAS[type] : undefined
  if (channel !== undefined && typeof part['delta'] === 'string') return tokens.push(channel, part['delta'])
  if (site === undefined || !gates.armed) return
  if (type === 'finish') {
    tokens.end()
    const { action, ...verdict } = await gates.wait('after', site, { actions: ['continue', 'abort'] })
    if (action === 'abort' && 'reason' in verdict) throw verdict.reason
  }
  if (type === 'error' && isNews(part['error'])) {
    const verdict = await gates.wait('error', site, { actions: ['continue', 'abort'], error: part['error'] })
    if (verdict.action === 'abort') throw verdict.reason
  }
}

/** The parts of an answer that a person typed: a text, `{text, toolCalls}` as the debugger shows answers, or V4 content as it is. */
function answerParts(output: unknown): readonly Part[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }]
  if (Array.isArray(output) && output.every(isContent)) return output
  if (!isPart(output)) return [{ type: 'text', text: JSON.stringify(output) ?? '' }]
  const { content, text, toolCalls } = output
  if (Array.isArray(content) && content.every(isContent)) return content
  if (typeof text !== 'string' && !Array.isArray(toolCalls)) return [{ type: 'text', text: JSON.stringify(output) }]
  return [
    ...(typeof text === 'string' ? [{ type: 'text', text }] : []),
    ...(Array.isArray(toolCalls) ? toolCalls.filter(isPart).map(toolCallPart) : []),
  ]
}

function toolCallPart(call: Part, index: number): Part {
  const { id, name, input } = call
  return {
    type: 'tool-call',
    toolCallId: typeof id === 'string' ? id : `injected-${index + 1}`,
    toolName: String(name),
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
  }
}

function streamParts(content: readonly Part[]): readonly Part[] {
  const parts = content.flatMap((part, index): readonly Part[] => {
    if (part['type'] !== 'text' && part['type'] !== 'reasoning') return [part]
    const id = String(index)
    return [
      { type: `${part['type']}-start`, id },
      { type: `${part['type']}-delta`, id, delta: part['text'] },
      { type: `${part['type']}-end`, id },
    ]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason: finishReason(content), usage: NO_USAGE }]
}

function finishReason(content: readonly Part[]): Part {
  return { unified: content.some((part) => part['type'] === 'tool-call') ? 'tool-calls' : 'stop', raw: undefined }
}

function shownAnswer(content: readonly unknown[]): unknown {
  const parts = content.filter(isPart)
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : [])).join('')
  const toolCalls = parts.flatMap((part) =>
    part['type'] === 'tool-call' ? [{ id: part['toolCallId'], name: part['toolName'], input: part['input'] }] : [],
  )
  return { ...(text === '' ? {} : { text }), ...(toolCalls.length === 0 ? {} : { toolCalls }) }
}

// A made-up answer cost nothing, and says so by saying nothing.
const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function isContent(value: unknown): value is Part {
  return isPart(value) && typeof value['type'] === 'string'
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
