import { textOf } from '../read/attribute.ts'
import { isRecord } from '../read/is-record.ts'
import type { Attributes, SpanEventView, SpanView } from '../span-view.ts'
import type { LogView } from './log-view.ts'

/** What a log record adds to the picture. */
export interface LogFacts {
  /** Groups records that belong to no trace into one run: the session of a program that sends logs only. */
  readonly conversation: string | undefined
  /** The spans it tells something about, by the keys of {@link logKeysOf}. */
  readonly about: readonly string[]
}

/** Reads a log record of a vocabulary we know; undefined for any other line, which no node needs. */
export function readLog(log: LogView): LogFacts | undefined {
  const { name, spanId, attributes } = log
  const atSpan = spanId === undefined ? [] : [`span:${spanId}`]
  if (/^gen_ai\./.test(name)) return { conversation: undefined, about: atSpan }
  const conversation = conversationOf(log)
  if (conversation === undefined) return undefined
  const tool = textOf(attributes, 'tool_use_id', 'call_id')
  const response = textOf(attributes, 'request_id')
  if (tool !== undefined) return { conversation, about: [`tool:${tool}`] }
  return { conversation, about: response === undefined ? atSpan : [`response:${response}`] }
}

/** The program and the session of a record that says so itself. */
function conversationOf({ name, attributes }: LogView): string | undefined {
  if (name.startsWith('codex.')) return prefixed('codex', textOf(attributes, 'conversation.id'))
  return name.startsWith('claude_code.') ? prefixed('claude-code', textOf(attributes, 'session.id')) : undefined
}

function prefixed(program: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : `${program}:${id}`
}

/** The names by which log records refer to a span: its id, the response it got, the tool call it is. */
export function logKeysOf(spanId: string, responseId: string | undefined, toolCallId: string | undefined): readonly string[] {
  const keys = [`span:${spanId}`]
  if (responseId !== undefined) keys.push(`response:${responseId}`)
  if (toolCallId !== undefined) keys.push(`tool:${toolCallId}`)
  return keys
}

/** The span with what log records say of it, as if it had said so in events. */
export function withLogs(span: SpanView, logs: readonly LogView[]): SpanView {
  return logs.length === 0 ? span : { ...span, events: [...span.events, ...logs.map(eventOf)] }
}

/** The fields of a body stand beside the attributes, as in the conventions before bodies were given up. */
function eventOf({ name, timeNanos, attributes, body }: LogView): SpanEventView {
  const fields: Attributes = isRecord(body) ? (body as Attributes) : body === undefined || body === name ? {} : { content: body }
  return { name, timeNanos, attributes: { ...attributes, ...fields } }
}
