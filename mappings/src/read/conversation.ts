import { isRecord } from './is-record.ts'
import { outputOfMessages } from './llm-output.ts'
import { type MessageParts, messagePartsOf, textOfParts, writeMessage } from './message.ts'

/** What the user said last, as text when it is text. */
export function lastQuestion(messages: readonly MessageParts[] | undefined): unknown {
  const last = messages?.findLast((message) => message.role === 'user') ?? messages?.at(-1)
  if (last === undefined) return undefined
  const onlyText = last.parts.length > 0 && last.parts.every((part) => part.type === 'text')
  return onlyText ? textOfParts(last.parts)?.toWellFormed() : writeMessage(last).content
}

/** The text of the last message that has any, else the answer whole. */
export function finalAnswer(messages: readonly MessageParts[] | undefined): unknown {
  const text = messages?.map((message) => textOfParts(message.parts)).findLast((found) => found !== undefined)
  if (text !== undefined) return text.toWellFormed()
  return messages === undefined ? undefined : outputOfMessages(messages)
}

/** An agent's question inside a value: the last one of its messages, or the value itself when it holds none. */
export function questionIn(value: unknown): unknown {
  const messages = messagesIn(value)
  return messages === undefined ? value : lastQuestion(messages)
}

/** An agent's answer inside a value: the final text of its messages, or the value itself when it holds none. */
export function answerIn(value: unknown): unknown {
  const messages = messagesIn(value)
  return messages === undefined ? value : finalAnswer(messages)
}

function messagesIn(value: unknown): readonly MessageParts[] | undefined {
  return messagePartsOf(isRecord(value) && Array.isArray(value['messages']) ? value['messages'].flat() : value)
}
