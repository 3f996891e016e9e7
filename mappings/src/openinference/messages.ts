import { unflattenList } from '../read/flat-keys.ts'
import { isRecord } from '../read/is-record.ts'
import { type MessageParts, messagePartsOf } from '../read/message.ts'
import type { Attributes } from '../span-view.ts'

/** The messages flattened under `llm.input_messages.` or `llm.output_messages.`; undefined when there are none. */
export function flatMessages(attributes: Attributes, prefix: string): readonly MessageParts[] | undefined {
  const list = unflattenList(attributes, prefix)?.map((item) => plainMessage(isRecord(item) ? item['message'] : undefined))
  return list === undefined ? undefined : messagePartsOf(list)
}

function plainMessage(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { contents, tool_calls: calls, ...rest } = message
  const tools = Array.isArray(calls) ? calls.map((call) => (isRecord(call) ? call['tool_call'] : call)) : []
  const parts = Array.isArray(contents) ? contents.flatMap((part) => plainPart(part, tools)) : []
  return { ...rest, ...(parts.length > 0 ? { content: parts } : {}), ...(tools.length > 0 ? { tool_calls: tools } : {}) }
}

/** Anthropic's calls stand in `contents` and again in `tool_calls`: the second place is enough. */
function plainPart(part: unknown, tools: readonly unknown[]): unknown[] {
  if (!isRecord(part)) return [part]
  const content = part['message_content']
  if (isRecord(part['tool_call'])) return tools.length > 0 ? [] : [{ type: 'tool_call', ...part['tool_call'] }]
  return isRecord(content) ? [content] : [part]
}
