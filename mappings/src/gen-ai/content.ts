import { contentListOf, contentOf } from '../read/content.ts'
import { isRecord } from '../read/is-record.ts'
import { type MessageParts, messagePartsOf, textOfParts } from '../read/message.ts'
import { messagePartOf } from '../read/message-part.ts'
import type { Attributes, SpanEventView, SpanView } from '../span-view.ts'

/** What a span says was asked and answered, in whichever of the three generations of the GenAI conventions. */
export interface GenAiContent {
  /** System prompt: text, or parts when it is more than text. */
  readonly system?: unknown
  readonly input?: readonly MessageParts[]
  readonly output?: readonly MessageParts[]
  /** Input and output that are no messages, as seen. */
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
}

const DETAILS = 'gen_ai.client.inference.operation.details'
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/
const CHOICE = 'gen_ai.choice'

/** Reads the newest form that is there: attributes, the details event, message events, then the two content events of old. */
export function genAiContent(span: SpanView): GenAiContent {
  return {
    ...oldContentEvents(span.events),
    ...messageEvents(span.events),
    ...detailsEvents(span.events),
    ...contentAttributes(span.attributes),
  }
}

/** System instructions as text when they are text, else as parts. */
function systemOf(value: unknown): unknown {
  if (!Array.isArray(value)) return isRecord(value) ? systemOf([value]) : (value ?? undefined)
  const parts = value.map(messagePartOf)
  return parts.every((part) => part.type === 'text') ? textOfParts(parts) : value
}

function contentAttributes(attributes: Attributes): GenAiContent {
  const system = systemOf(contentOf(attributes, 'gen_ai.system_instructions'))
  const input = contentOf(attributes, 'gen_ai.input.messages')
  const output = contentOf(attributes, 'gen_ai.output.messages')
  return { ...(system === undefined ? {} : { system }), ...asInput(input), ...asOutput(output) }
}

/** Several events of one span may each hold a part. */
function detailsEvents(events: readonly SpanEventView[]): GenAiContent {
  return Object.assign({}, ...events.filter((event) => event.name === DETAILS).map((event) => contentAttributes(event.attributes)))
}

function messageEvents(events: readonly SpanEventView[]): GenAiContent {
  const input = events.flatMap((event) => {
    const role = MESSAGE_EVENT.exec(event.name)?.[1]
    return role === undefined ? [] : (messagePartsOf([{ role, ...eventBody(event.attributes) }]) ?? [])
  })
  const output = events.filter((event) => event.name === CHOICE).flatMap((event) => choiceOf(event.attributes))
  return { ...(input.length > 0 ? { input } : {}), ...(output.length > 0 ? { output } : {}) }
}

/** The event's fields by short name; Azure puts all of them into one JSON text. */
function eventBody(attributes: Attributes): Record<string, unknown> {
  const whole = contentOf(attributes, 'gen_ai.event.content')
  const fields = Object.fromEntries(Object.keys(attributes).map((key) => [key.replace(/^gen_ai\./, ''), contentOf(attributes, key)]))
  return isRecord(whole) ? { ...fields, ...whole } : fields
}

/** `message` is an object, JSON text of one, blocks, or just the text. */
function choiceOf(attributes: Attributes): readonly MessageParts[] {
  const body = eventBody(attributes)
  const message = isRecord(body['message'])
    ? body['message']
    : { content: body['message'] ?? body['content'], tool_calls: body['tool_calls'] }
  return messagePartsOf([{ role: 'assistant', finish_reason: body['finish_reason'], ...message }]) ?? []
}

function oldContentEvents(events: readonly SpanEventView[]): GenAiContent {
  const of = (name: string, key: string) => {
    const event = events.find((candidate) => candidate.name === name)
    return event && (contentListOf(event.attributes, key) ?? contentOf(event.attributes, key))
  }
  return { ...asInput(of('gen_ai.content.prompt', 'gen_ai.prompt')), ...asOutput(of('gen_ai.content.completion', 'gen_ai.completion')) }
}

function asInput(value: unknown): GenAiContent {
  if (value === undefined) return {}
  const input = messagePartsOf(value)
  return input === undefined ? { rawInput: value } : { input }
}

function asOutput(value: unknown): GenAiContent {
  if (value === undefined) return {}
  const output = messagePartsOf(value)
  return output === undefined ? { rawOutput: value } : { output }
}
