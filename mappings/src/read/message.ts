import { defined } from './defined.ts'
import { isRecord } from './is-record.ts'
import { parseJsonText } from './json-text.ts'
import { type MessagePart, messagePartOf, partOfCall } from './message-part.ts'
import { shorten } from './shorten.ts'
import { firstPresent, firstText, toolCallsOf } from './tool-call.ts'

/** A message as every vocabulary's is shown: the shape of the AI SDK's model messages. */
export interface Message {
  readonly role: string
  readonly name?: string
  readonly content: string | readonly unknown[]
}

/** A message in parts, before it is written down; `finishReason` as its sender spelled it. */
export interface MessageParts {
  readonly role: string
  readonly name: string | undefined
  readonly finishReason: string | undefined
  readonly parts: readonly MessagePart[]
}

/**
 * Reads messages of any vocabulary: semconv parts, `{role, content}`, OpenAI's `tool_calls`, Anthropic, Bedrock and Gemini blocks. One
 * message alone and JSON text of them are read, too. Undefined when the value holds no message.
 */
export function messagePartsOf(value: unknown): readonly MessageParts[] | undefined {
  const decoded = typeof value === 'string' ? parseJsonText(value) : value
  const list = Array.isArray(decoded) ? decoded : isRecord(decoded) ? [decoded] : []
  const messages = list.flatMap((item) => messageOf(item) ?? [])
  return messages.length > 0 && messages.length === list.length ? messages : undefined
}

/** The messages in the shape that is stored and drawn, or undefined when the value holds none. */
export function messagesOf(value: unknown): readonly Message[] | undefined {
  return messagePartsOf(value)?.map(writeMessage)
}

/** One message as it is stored: plain text stays text. */
export function writeMessage(message: MessageParts): Message {
  const [only] = message.parts
  const content = message.parts.length === 1 && only?.type === 'text' ? only.text : message.parts.map(writePart)
  return defined({ role: message.role, name: message.name, content: shorten(content) as string | unknown[] })
}

/** The text of a message's text parts, or undefined when it has none. */
export function textOfParts(parts: readonly MessagePart[]): string | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
  return texts.length > 0 ? texts.join('') : undefined
}

function writePart(part: MessagePart): unknown {
  return part.type === 'other' ? part.value : part
}

const ROLES: Readonly<Record<string, string>> = { model: 'assistant', ai: 'assistant', human: 'user', function: 'tool' }

function messageOf(value: unknown): MessageParts | undefined {
  if (!isRecord(value)) return undefined
  const said = firstText(value['role']) ?? (value['content'] === undefined ? undefined : roleOfType(value['type']))
  if (said === undefined) return responseItem(value)
  const role = ROLES[said] ?? said
  const calls = toolCallsOf(firstPresent(value['tool_calls'], value['toolCalls']))
  return {
    role,
    name: firstText(value['name']),
    finishReason: firstText(value['finish_reason'], value['finishReason']),
    parts: [...contentParts(role, value), ...calls.map(partOfCall)],
  }
}

/** LangChain in Python tells the role in `type`. */
function roleOfType(type: unknown): string | undefined {
  return type === 'human' || type === 'ai' || type === 'system' || type === 'tool' ? type : undefined
}

/** OpenAI's Responses API lists calls, results and reasoning beside messages. */
function responseItem(value: Record<string, unknown>): MessageParts | undefined {
  const summary = value['summary']
  if (value['type'] === 'reasoning') {
    const texts = Array.isArray(summary) ? summary.flatMap((part) => (isRecord(part) ? (firstText(part['text']) ?? []) : [])) : []
    return { role: 'assistant', name: undefined, finishReason: undefined, parts: [{ type: 'reasoning', text: texts.join('\n') }] }
  }
  const part = messagePartOf(value)
  if (part.type === 'tool-call') return { role: 'assistant', name: undefined, finishReason: undefined, parts: [part] }
  return part.type === 'tool-result' ? { role: 'tool', name: undefined, finishReason: undefined, parts: [part] } : undefined
}

function contentParts(role: string, value: Record<string, unknown>): readonly MessagePart[] {
  const content = firstPresent(value['parts'], value['content'], value['contents'])
  const id = firstText(value['tool_call_id'], value['toolCallId'])
  const parts = Array.isArray(content) ? content.map(messagePartOf) : content === undefined ? [] : [messagePartOf(content)]
  // OpenAI's tool message, and what OpenInference makes of Anthropic's: the content is the result, whatever it is made of.
  if ((role === 'tool' || id !== undefined) && !parts.some((part) => part.type === 'tool-result' || part.type === 'tool-call')) {
    const output = typeof content === 'string' ? parseJsonText(content) : (content ?? null)
    return [
      defined({
        type: 'tool-result' as const,
        toolCallId: id ?? firstText(value['id']),
        toolName: firstText(value['name']),
        output,
        isError: value['status'] === 'error' ? true : undefined,
      }),
    ]
  }
  return parts
}
