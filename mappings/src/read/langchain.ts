import { isRecord } from './is-record.ts'
import { MAX_DEPTH } from './limits.ts'

const ROLES: Readonly<Record<string, string>> = {
  System: 'system',
  Human: 'user',
  AI: 'assistant',
  Tool: 'tool',
  Function: 'tool',
  Developer: 'developer',
}

/** LangChain's constructor JSON (`{lc, type: 'constructor', id, kwargs}`) as plain values; messages become `{role, content, …}`. */
export function unwrapLangChain(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => unwrapLangChain(item, depth + 1))
  if (!isRecord(value)) return value
  const kwargs = value['kwargs']
  if (value['lc'] === undefined || !isRecord(kwargs)) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, unwrapLangChain(field, depth + 1)]))
  }
  const id = Array.isArray(value['id']) ? String(value['id'].at(-1)) : ''
  const plain = unwrapLangChain(kwargs, depth + 1)
  const role = ROLES[/^(\w+?)Message(?:Chunk)?$/.exec(id)?.[1] ?? '']
  if (role === undefined || !isRecord(plain)) return plain
  const { additional_kwargs: _more, ...message } = plain
  return { role, ...message }
}

/** Names of Runnables that only carry others: a graph's machinery, lambdas, sequences, parsers. */
export function isLangChainPlumbing(name: string): boolean {
  return /^(__start__|__end__|model_request|model|agent|tools|Runnable\w*|ChannelWrite.*|ChannelRead.*|Branch.*|\w*OutputParser)$/.test(
    name,
  )
}
