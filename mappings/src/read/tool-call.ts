import { defined } from './defined.ts'
import { isRecord } from './is-record.ts'
import { parseJsonText } from './json-text.ts'
import { shorten } from './shorten.ts'

/** A tool a model asked for. `inputText` is there only when the argument text is not JSON; `input` is null then. */
export interface ToolCall {
  readonly id?: string
  readonly name: string
  readonly input: unknown
  readonly inputText?: string
}

/** Reads a tool request of any spelling: AI SDK, semconv, OpenAI, Anthropic, Bedrock, Gemini. */
export function toolCallOf(value: unknown): ToolCall | undefined {
  if (!isRecord(value)) return undefined
  const call = firstRecord(
    value['function'],
    value['toolUse'],
    value['functionCall'],
    value['function_call'],
    value['toolRequest'],
    value['tool_call'],
  )
  const inner = call === undefined ? value : (firstRecord(call['function']) ?? call)
  const name = firstText(inner['name'], inner['toolName'], inner['tool_name'], inner['function.name'], value['name'])
  if (name === undefined) return undefined
  const id = firstText(
    value['call_id'],
    value['callId'],
    value['toolCallId'],
    value['tool_call_id'],
    value['id'],
    inner['id'],
    inner['toolUseId'],
    inner['ref'],
    inner['call_id'],
  )
  return defined({
    id,
    name,
    ...argumentsOf(firstPresent(inner['arguments'], inner['input'], inner['args'], inner['parameters'], inner['function.arguments'])),
  })
}

/** The tool requests in a list; what is not a request is left out. */
export function toolCallsOf(value: unknown): readonly ToolCall[] {
  return Array.isArray(value) ? value.flatMap((item) => toolCallOf(item) ?? []) : []
}

function argumentsOf(value: unknown): { input: unknown; inputText?: string } {
  if (typeof value !== 'string') return { input: shorten(value ?? null) }
  if (value.trim() === '') return { input: {} }
  const parsed = parseJsonText(value)
  return parsed === value ? { input: null, inputText: value.toWellFormed() } : { input: shorten(parsed) }
}

export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (typeof value === 'string' && value !== '') return value.toWellFormed()
  return undefined
}

export function firstPresent(...values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null)
}

function firstRecord(...values: readonly unknown[]): Record<string, unknown> | undefined {
  return values.find(isRecord)
}
