import type { ErrorInfo, TokenUsage } from '@graphmind-ai/schema'
import { type Fields, isFields } from '../json-fields.ts'
import { fieldOf, type ServiceAnswer, type ServiceRequest, text } from './read-frame.ts'
import { isExplain } from './services.ts'

/** What a frame says about its request: more comes, the answer is whole, or it failed. */
export type Verdict =
  | { readonly state: 'more' }
  /** `isSoft`: the gateway does not call it complete, and may still send an empty end or a late time-out. */
  | { readonly state: 'whole'; readonly isSoft: boolean }
  | { readonly state: 'failed'; readonly error: ErrorInfo }

const MORE: Verdict = { state: 'more' }
const WHOLE: Verdict = { state: 'whole', isSoft: false }
const ENDS = ['end_of_dialog', 'end_of_session', 'end_of_stream']

/** Judges a frame of any generation of the gateway; the wire does not say which one it is. */
export function verdictOf({ response, error, isComplete }: ServiceAnswer, request: ServiceRequest): Verdict {
  if (error !== undefined) return { state: 'failed', error: errorOf(error) }
  if (isComplete === false) return isSoftEnd(response, request) ? { state: 'whole', isSoft: true } : MORE
  const inner = response['error']
  if (inner !== undefined && inner !== null) return { state: 'failed', error: errorOf(inner) }
  if (isComplete === true) return WHOLE
  if (ENDS.some((name) => fieldOf(response, name) === true)) return WHOLE
  return request.service === 'agent' || request.isStreaming ? MORE : WHOLE
}

function isSoftEnd(response: Fields, { service, isStreaming }: ServiceRequest): boolean {
  if (isStreaming || (service !== 'graph-rag' && service !== 'document-rag')) return false
  return !isExplain(response) && fieldOf(response, 'end_of_stream') === true
}

function errorOf(error: unknown): ErrorInfo {
  const [type, message] = isFields(error) ? [text(error['type']), text(error['message'])] : [undefined, text(error)]
  return { name: type || 'TrustGraphError', message: message || type || 'The gateway reported an error without a message.' }
}

/** Tokens of a frame that has them; undefined for one that has none. */
export function usageOf(response: Fields): TokenUsage | undefined {
  const [input, output] = [fieldOf(response, 'in_token'), fieldOf(response, 'out_token')].map(count)
  if (input === undefined && output === undefined) return undefined
  return { inputTokens: input ?? 0, outputTokens: output ?? 0 }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
