import { defined } from './defined.ts'
import { isRecord } from './is-record.ts'
import { parseJsonText } from './json-text.ts'
import { firstPresent, firstText, type ToolCall, toolCallOf } from './tool-call.ts'

/** One piece of a message, in the shape the AI SDK gives it; what is none of these stays as its sender wrote it. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly toolCallId?: string
      readonly toolName: string
      readonly input: unknown
      readonly inputText?: string
    }
  | {
      readonly type: 'tool-result'
      readonly toolCallId?: string
      readonly toolName?: string
      readonly output: unknown
      readonly isError?: boolean
    }
  | { readonly type: 'other'; readonly value: unknown }

const CALLS = /^(tool[-_]?call|tool[-_]?use|function[-_]?call|server_tool_use|mcp_tool_use)$/i
const RESULTS = /^(tool[-_]call[-_]response|tool[-_]?result|function_call_(output|result)|function[-_]response|mcp_tool_result)$/i

/** Reads one part of a message of any vocabulary. */
export function messagePartOf(value: unknown): MessagePart {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isRecord(value)) return { type: 'other', value }
  const type = typeof value['type'] === 'string' ? value['type'] : ''
  if (CALLS.test(type) || isRecord(value['toolUse']) || isRecord(value['functionCall']) || isRecord(value['toolRequest']))
    return callPart(value)
  if (RESULTS.test(type) || isRecord(value['toolResult']) || isRecord(value['functionResponse']) || isRecord(value['toolResponse'])) {
    return resultPart(value)
  }
  const text = [value['text'], value['content'], value['thinking'], value['reasoning']].find((field) => typeof field === 'string')
  if (text !== undefined && /^(reasoning|thinking)$/.test(type)) return { type: 'reasoning', text }
  if (text !== undefined && /^(text|input_text|output_text|refusal|)$/.test(type)) {
    return value['thought'] === true || (type === '' && typeof value['reasoning'] === 'string')
      ? { type: 'reasoning', text }
      : { type: 'text', text }
  }
  return { type: 'other', value }
}

/** A tool request as a part of a message. */
export function partOfCall(call: ToolCall): MessagePart {
  return defined({ type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.input, inputText: call.inputText })
}

function callPart(value: Record<string, unknown>): MessagePart {
  const call = toolCallOf(value)
  return call === undefined ? { type: 'other', value } : partOfCall(call)
}

function resultPart(value: Record<string, unknown>): MessagePart {
  const inner = [value['toolResult'], value['functionResponse'], value['toolResponse']].find(isRecord) ?? value
  const given = firstPresent(inner['response'], inner['output'], inner['result'], inner['content'])
  const typed = typedOutput(given)
  const failed = typed.isError || inner['isError'] === true || inner['is_error'] === true || inner['status'] === 'error'
  return defined({
    type: 'tool-result' as const,
    toolCallId: firstText(
      inner['toolCallId'],
      inner['tool_call_id'],
      inner['tool_use_id'],
      inner['toolUseId'],
      inner['call_id'],
      inner['ref'],
      inner['id'],
    ),
    toolName: firstText(inner['toolName'], inner['tool_name'], inner['name']),
    output: typed.output ?? null,
    isError: failed ? true : undefined,
  })
}

/** AI SDK 5 and newer say what kind of output it is: `{type: 'json' | 'text' | 'error-text' …, value}`. */
function typedOutput(given: unknown): { output: unknown; isError: boolean } {
  if (isRecord(given) && typeof given['type'] === 'string' && 'value' in given && /^(error-)?(json|text)$|^content$/.test(given['type'])) {
    return { output: given['value'], isError: given['type'].startsWith('error-') }
  }
  return { output: typeof given === 'string' ? parseJsonText(given) : given, isError: false }
}
