import type { ErrorInfo } from '@graphmind-ai/schema'
import { isRecord } from './is-record.ts'
import { textOfParts } from './message.ts'
import { messagePartOf } from './message-part.ts'

/** A failure inside a successful answer: MCP tools say `isError` beside their content. */
export function toolFailureOf(output: unknown): ErrorInfo | undefined {
  if (!isRecord(output) || (output['isError'] !== true && output['is_error'] !== true)) return undefined
  const content = output['content'] ?? output['result']
  const text = typeof content === 'string' ? content : Array.isArray(content) ? textOfParts(content.map(messagePartOf)) : undefined
  return { name: 'ToolError', message: text ?? 'The tool answered with isError and no text.' }
}
