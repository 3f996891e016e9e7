import type { TokenDelta } from '@graphmind-ai/schema'
import type { GateSite } from './gate-site.ts'
import type { Gates } from './gates.ts'
import { markHeld, wasHeld } from './held-errors.ts'
import { isPart } from './model-answer.ts'
import { RequestedTools } from './model-end.ts'

/** What `doStream` of a model of any AI SDK resolves to, as far as we touch it. */
export interface ModelStream {
  readonly stream: ReadableStream<unknown>
}

/** Takes the pieces of one model call. */
export interface TokenSink {
  push(channel: TokenDelta['t'], text: string): void
  /** The model is done, or broke off; called again when the stream itself ends. */
  end(ended?: { readonly part?: Readonly<Record<string, unknown>>; readonly error?: unknown }): void
}

export function isModelStream(result: unknown): result is ModelStream {
  return isPart(result) && result['stream'] instanceof ReadableStream
}

/** What a debugger does with a stream's parts on their way; a rejection breaks the stream off with its reason. */
export type WatchPart = (part: Readonly<Record<string, unknown>>) => Promise<void> | undefined

/**
 * Passes a model's stream on, part by part and pull by pull, while the pieces are shown. Before the last part the call can be held
 * once more; by then its text is out, so it can only go on or abort.
 */
export function observeStream(stream: ReadableStream<unknown>, tokens: TokenSink, watch: WatchPart): ReadableStream<unknown> {
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
          if (isPart(value)) await look(value, tokens, watch)
          controller.enqueue(value)
        } catch (error) {
          tokens.end({ error })
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

/** Holds at the last part of a stream, and at an error in it. */
export function streamGates(gates: Gates, site: GateSite | undefined): WatchPart {
  const tools = new RequestedTools()
  return async (part) => {
    if (site === undefined || !gates.armed) return
    tools.part(part)
    const isEnd = part['type'] === 'finish'
    if (!isEnd && (part['type'] !== 'error' || wasHeld(part['error']))) return
    const facts = { actions: ['continue', 'abort'], ...(isEnd ? { modelEnd: () => tools.end(part) } : { error: part['error'] }) } as const
    const held = gates.ask(isEnd ? 'after' : 'error', site, facts)
    if (held === undefined) return
    if (!isEnd) markHeld(part['error'])
    const verdict = await held
    if (verdict.action === 'abort') throw verdict.reason
  }
}

const DELTAS: Readonly<Record<string, TokenDelta['t']>> = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  reasoning: 'reasoning',
  'tool-input-delta': 'tool-args',
  'tool-call-delta': 'tool-args',
}

function look(part: Readonly<Record<string, unknown>>, tokens: TokenSink, watch: WatchPart): Promise<void> | undefined {
  const { type } = part
  const channel = typeof type === 'string' ? DELTAS[type] : undefined
  if (channel === undefined) {
    if (type === 'finish') tokens.end({ part })
    return watch(part)
  }
  const text = part['delta'] ?? part['textDelta'] ?? part['argsTextDelta']
  if (typeof text === 'string') tokens.push(channel, text)
  return undefined
}
