import { holdsMedia, type Media, readMedia } from './media.ts'
import { isObject, prettyJson, textOf } from './values.ts'

/** One piece of a message. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly id: string | undefined; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'result'
      readonly id: string | undefined
      readonly name: string | undefined
      readonly output: unknown
      readonly failed: boolean
    }
  | Media
  | { readonly type: 'other'; readonly value: unknown }

export interface ChatMessage {
  readonly role: string
  readonly parts: readonly ChatPart[]
}

/**
 * The messages in the input or output of a model call, whatever vocabulary recorded them; undefined when it holds none, so that the
 * view falls back to JSON.
 */
export function readChat(value: unknown, roleOfText: 'user' | 'assistant'): readonly ChatMessage[] | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value === '' ? undefined : [{ role: roleOfText, parts: [{ type: 'text', text: value }] }]
  if (Array.isArray(value)) return readList(value, roleOfText)
  if (!isObject(value)) return undefined
  if (isMessage(value)) return [readMessage(value, roleOfText)]
  const list = value['messages'] ?? value['prompt'] ?? value['contents']
  if (list !== undefined && (Array.isArray(list) || typeof list === 'string')) {
    const messages = readChat(list, roleOfText)
    const system = value['system'] ?? value['instructions'] ?? value['systemInstructions']
    if (messages === undefined) return undefined
    return system === undefined || system === null ? messages : [{ role: 'system', parts: readParts(system) }, ...messages]
  }
  const choices: unknown = value['choices']
  if (Array.isArray(choices)) return readList(choices.map(messageOfChoice), roleOfText)
  return readResult(value, roleOfText)
}

function messageOfChoice(choice: unknown): unknown {
  return isObject(choice) ? (choice['message'] ?? choice) : choice
}

/** `{text, reasoning, toolCalls}`: how SDKs tell a finished model call. */
function readResult(value: Readonly<Record<string, unknown>>, role: string): readonly ChatMessage[] | undefined {
  const parts: ChatPart[] = []
  const reasoning = textOf(value['reasoning'] ?? value['reasoningText'])
  if (reasoning !== undefined && reasoning !== '') parts.push({ type: 'reasoning', text: reasoning })
  const text = textOf(value['text'])
  if (text !== undefined && text !== '') parts.push({ type: 'text', text })
  for (const call of listOf(value['toolCalls'] ?? value['tool_calls'])) parts.push(readCall(call))
  return parts.length === 0 ? undefined : [{ role, parts }]
}

function isMessage(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && typeof value['role'] === 'string'
}

function readList(list: readonly unknown[], role: 'user' | 'assistant'): readonly ChatMessage[] | undefined {
  if (list.length === 0) return undefined
  if (list.every(isMessage)) return list.map((message) => readMessage(message, role))
  // Not messages but the parts of one.
  if (list.every((part) => isObject(part) && typeof part['type'] === 'string')) return [{ role, parts: list.map(readPart) }]
  if (list.every((text) => typeof text === 'string')) return list.map((text) => ({ role, parts: [{ type: 'text', text: String(text) }] }))
  return undefined
}

function readMessage(message: Readonly<Record<string, unknown>>, roleOfText: string): ChatMessage {
  const role = textOf(message['role']) ?? roleOfText
  const content = message['content'] ?? message['parts'] ?? message['text']
  const calls = listOf(message['tool_calls'] ?? message['toolCalls']).map(readCall)
  const callId = textOf(message['tool_call_id'] ?? message['toolCallId'])
  if (callId !== undefined && !Array.isArray(content)) {
    return { role, parts: [{ type: 'result', id: callId, name: textOf(message['name']), output: content, failed: false }] }
  }
  const reasoning = textOf(message['reasoning'])
  const parts = content === undefined || content === null ? [] : readParts(content)
  return { role, parts: [...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []), ...parts, ...calls] }
}

function readParts(content: unknown): readonly ChatPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return (Array.isArray(content) ? content : [content]).map(readPart)
}

function readPart(part: unknown): ChatPart {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (!isObject(part)) return { type: 'other', value: part }
  const text = textOf(part['text'] ?? part['content'] ?? part['thinking'])
  switch (part['type']) {
    case undefined:
    case 'text':
    case 'input_text':
    case 'output_text':
      if (text === undefined && holdsMedia(part)) return readMedia(part)
      return text === undefined ? { type: 'other', value: part } : { type: 'text', text }
    case 'reasoning':
    case 'thinking':
      return { type: 'reasoning', text: text ?? prettyJson(part) }
    case 'tool-call':
    case 'tool_call':
    case 'tool_use':
      return readCall(part)
    case 'tool-result':
    case 'tool_call_response':
    case 'tool_result':
    case 'tool-error':
      return readToolResult(part)
    case 'image':
    case 'image_url':
    case 'input_image':
    case 'input_audio':
    case 'document':
    case 'file':
    case 'input_file':
    case 'blob':
    case 'uri':
    case 'audio':
      return readMedia(part)
    default:
      return { type: 'other', value: part }
  }
}

function readCall(call: unknown): ChatPart {
  if (!isObject(call)) return { type: 'other', value: call }
  const inner = isObject(call['function']) ? call['function'] : call
  const name = textOf(inner['toolName'] ?? inner['name']) ?? 'tool'
  const input = inner['input'] ?? inner['args'] ?? inner['arguments']
  return { type: 'call', id: textOf(call['toolCallId'] ?? call['id']), name, input: parseText(input) }
}

function readToolResult(part: Readonly<Record<string, unknown>>): ChatPart {
  const raw = part['output'] ?? part['result'] ?? part['response'] ?? part['content'] ?? part['error']
  // The AI SDK wraps a result as {type: 'json' | 'text' | 'error-text' …, value}.
  const wrapped = isObject(raw) && typeof raw['type'] === 'string' && 'value' in raw
  const failed =
    part['type'] === 'tool-error' ||
    part['isError'] === true ||
    part['is_error'] === true ||
    (wrapped && String(raw['type']).startsWith('error'))
  return {
    type: 'result',
    id: textOf(part['toolCallId'] ?? part['tool_use_id'] ?? part['id']),
    name: textOf(part['toolName'] ?? part['name']),
    output: parseText(wrapped ? raw['value'] : raw),
    failed,
  }
}

function parseText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    // Text that only looks like JSON is shown as the text it is.
    return value
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Tool results by call id, so that a call can be shown next to its result. */
export function resultsById(messages: readonly ChatMessage[]): ReadonlyMap<string, Extract<ChatPart, { type: 'result' }>> {
  const results = new Map<string, Extract<ChatPart, { type: 'result' }>>()
  for (const message of messages) {
    for (const part of message.parts) if (part.type === 'result' && part.id !== undefined) results.set(part.id, part)
  }
  return results
}

/** Messages without those that only hold results of calls in messages before them, which are shown beside the calls. */
export function withoutToldResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const called = new Set<string>()
  return messages.filter(({ parts }) => {
    for (const part of parts) if (part.type === 'call' && part.id !== undefined) called.add(part.id)
    return parts.length === 0 || !parts.every((part) => part.type === 'result' && part.id !== undefined && called.has(part.id))
  })
}
