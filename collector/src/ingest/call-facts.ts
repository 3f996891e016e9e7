import type { MappedNode } from '@graphmind-ai/mappings'
import { isFields } from '../otlp/read-value.ts'

/** A tool that a model asked for. */
export interface Ask {
  readonly id?: string
  readonly name: string
}

/** What a model call says about tools: those it asks for, and those whose results it is given for the first time, in order. */
export interface CallFacts {
  readonly asks?: readonly Ask[]
  /** Ids of the tool calls; empty where the sender gives none. */
  readonly tells?: readonly string[]
}

export interface ToolResult {
  readonly toolCallId?: string
  readonly output?: unknown
  readonly isError?: boolean
}

export function callFactsOf(node: MappedNode | undefined): CallFacts {
  if (node?.kind !== 'llm') return {}
  const asks = requestsIn(node).map(({ id, name }) => (id === undefined ? { name } : { id, name }))
  const tells = resultsIn(node).map(({ toolCallId }) => toolCallId ?? '')
  return { ...(asks.length === 0 ? {} : { asks }), ...(tells.length === 0 ? {} : { tells }) }
}

/** The tools a model asked for, with their input. */
export function requestsIn({ output }: MappedNode): readonly { readonly id?: string; readonly name: string; readonly input?: unknown }[] {
  const calls = isFields(output) ? output['toolCalls'] : undefined
  return Array.isArray(calls) ? (calls as readonly unknown[]).filter(isFields).filter(isRequest) : []
}

/** The results at the end of a request: every request repeats the older ones. */
export function resultsIn({ input }: MappedNode): readonly ToolResult[] {
  const messages = isFields(input) ? input['messages'] : undefined
  if (!Array.isArray(messages)) return []
  const results: ToolResult[] = []
  for (const message of (messages as readonly unknown[]).toReversed()) {
    const content = isFields(message) ? message['content'] : undefined
    const parts = Array.isArray(content) ? (content as readonly unknown[]).filter(isFields).filter(isResult) : []
    if (parts.length === 0) break
    results.unshift(...parts)
  }
  return results
}

function isRequest(call: object): call is { id?: string; name: string; input?: unknown } {
  return 'name' in call && typeof call.name === 'string' && (!('id' in call) || typeof call.id === 'string')
}

function isResult(part: object): part is ToolResult {
  return 'type' in part && part.type === 'tool-result' && (!('toolCallId' in part) || typeof part.toolCallId === 'string')
}
