import type { HideSwitches } from '@graphmind-ai/client'
import type { ErrorInfo } from '@graphmind-ai/schema'
import { isFields } from '../json-fields.ts'
import type { Response } from './json-rpc.ts'

/** What an answer says about its request. A failed tool call has both an error and the result that reported it. */
export type Outcome =
  | { readonly point: 'after'; readonly output: unknown }
  | { readonly point: 'error'; readonly output?: unknown; readonly error: ErrorInfo }

/** An answer as an outcome: a JSON-RPC error and a tool result with `isError` are failures. Hidden results are not quoted. */
export function outcomeOf({ outcome }: Response, method: string, hide: HideSwitches): Outcome {
  if (!outcome.ok) return { point: 'error', error: { name: 'JsonRpcError', message: outcome.error.message, code: outcome.error.code } }
  const { result } = outcome
  if (method !== 'tools/call' || !isFields(result) || result['isError'] !== true) return { point: 'after', output: result }
  const isHidden = hide.hideOutputs || hide.hideToolResults
  const message = isHidden ? 'The tool reported an error; its result is hidden.' : textOf(result['content'])
  return { point: 'error', output: result, error: { name: 'ToolError', message } }
}

function textOf(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = parts.map((part) => (isFields(part) && typeof part['text'] === 'string' ? part['text'] : '')).filter((text) => text !== '')
  return texts.length === 0 ? 'The tool reported an error without a text.' : texts.join('\n')
}
