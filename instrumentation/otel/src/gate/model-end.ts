import type { ModelEnd } from '@graphmind-ai/client'
import type { MappedNode } from '@graphmind-ai/mappings'
import { isPart } from './model-answer.ts'

type Part = Readonly<Record<string, unknown>>

/** How the answer ended that `doGenerate` of a model of AI SDK 5 to 7 resolved to. */
export function modelEndOf(result: unknown): ModelEnd | undefined {
  if (!isPart(result) || !Array.isArray(result['content'])) return undefined
  const calls: readonly Part[] = result['content'].filter((part) => isPart(part) && part['type'] === 'tool-call')
  return { finishReason: reasonOf(result), toolCalls: calls.length, brokenCalls: calls.filter(isBroken).length }
}

/** The same of what a span says, whatever vocabulary it uses. */
export function mappedEnd(node: MappedNode | undefined): ModelEnd | undefined {
  if (node === undefined) return undefined
  const { finishReason, output } = node
  const calls: readonly unknown[] = isPart(output) && Array.isArray(output['toolCalls']) ? output['toolCalls'] : []
  // Arguments that are not even the beginning of JSON stand as text beside a `null`.
  const broken = calls.filter((call) => isPart(call) && typeof call['inputText'] === 'string')
  return { finishReason, toolCalls: calls.length, brokenCalls: broken.length }
}

/** The tool calls of a streaming model: also those that it began and never finished. */
export class RequestedTools {
  readonly #begun = new Set<unknown>()
  #whole = 0
  #broken = 0

  /** Any part but the pieces themselves. */
  part(part: Part): void {
    if (part['type'] === 'tool-input-start') this.#begun.add(part['id'])
    if (part['type'] !== 'tool-call') return
    this.#begun.delete(part['toolCallId'])
    if (isBroken(part)) this.#broken += 1
    else this.#whole += 1
  }

  /** How the answer ended, from the stream's last part. */
  end(finish: Part): ModelEnd {
    const brokenCalls = this.#broken + this.#begun.size
    return { finishReason: reasonOf(finish), toolCalls: this.#whole + brokenCalls, brokenCalls }
  }
}

/** A word until AI SDK 5, from 6 on with the provider's own word beside it. */
function reasonOf({ finishReason }: Part): string | undefined {
  const reason = isPart(finishReason) ? finishReason['unified'] : finishReason
  return typeof reason === 'string' ? reason : undefined
}

/** Models hand arguments over as JSON text: `input`, and `args` in AI SDK 4. */
function isBroken(call: Part): boolean {
  const text = call['input'] ?? call['args']
  if (typeof text !== 'string' || text === '') return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
