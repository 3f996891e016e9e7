import { defined } from './defined.ts'
import { type MessageParts, textOfParts } from './message.ts'
import { shorten } from './shorten.ts'
import type { ToolCall } from './tool-call.ts'

/** What a model answered. `files` are media and other parts, as sent. */
export interface LlmOutput {
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCall[]
  readonly object?: unknown
  readonly files?: readonly unknown[]
}

/** Puts an answer together; undefined when nothing of it is known. Empty parts are left out. */
export function llmOutput(parts: {
  text?: string | undefined
  reasoning?: string | undefined
  toolCalls?: readonly ToolCall[] | undefined
  object?: unknown
  files?: readonly unknown[] | undefined
}): LlmOutput | undefined {
  const hasMore = Boolean(parts.reasoning) || Boolean(parts.toolCalls?.length) || parts.object !== undefined || Boolean(parts.files?.length)
  const output = defined({
    text: parts.text === '' && hasMore ? undefined : parts.text?.toWellFormed(),
    reasoning: parts.reasoning === '' ? undefined : parts.reasoning?.toWellFormed(),
    toolCalls: parts.toolCalls?.length ? parts.toolCalls : undefined,
    object: parts.object,
    files: parts.files?.length ? parts.files.map(shorten) : undefined,
  })
  return Object.keys(output).length === 0 ? undefined : output
}

/** The answer in the messages that a model gave, choices one after the other. */
export function outputOfMessages(messages: readonly MessageParts[]): LlmOutput | undefined {
  const parts = messages.flatMap((message) => message.parts)
  const texts = messages.flatMap((message) => textOfParts(message.parts) ?? [])
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? part.text : []))
  return llmOutput({
    text: texts.length > 0 ? texts.join('\n') : undefined,
    reasoning: reasoning.join('\n'),
    toolCalls: parts.flatMap((part) =>
      part.type === 'tool-call' ? defined({ id: part.toolCallId, name: part.toolName, input: part.input, inputText: part.inputText }) : [],
    ),
    files: parts.flatMap((part) => (part.type === 'other' ? [part.value] : [])),
  })
}
