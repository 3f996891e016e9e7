import { flagOf, numberOf, roundToMicros, textOf } from '../read/attribute.ts'
import { asContent } from '../read/content.ts'
import { isRecord } from '../read/is-record.ts'
import { parametersOf } from '../read/parameters.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const NO_PARAMETERS = new Set(['model', 'stream', 'messages', 'available_tools', 'type'])

export function operationOf(span: SpanView): string | undefined {
  return textOf(span.attributes, 'gen_ai.operation.name')
}

/** What follows the operation in a span name like `execute_tool getWeather`. */
export function targetOf(span: SpanView): string | undefined {
  const space = span.name.indexOf(' ')
  return space < 0 ? undefined : span.name.slice(space + 1).trim() || undefined
}

export function requestModelOf(attributes: Attributes): string | undefined {
  return textOf(attributes, 'gen_ai.request.model')
}

/** The model that answered, else the one that was asked. */
export function modelOf(attributes: Attributes): string | undefined {
  return textOf(attributes, 'gen_ai.response.model') ?? requestModelOf(attributes)
}

export function providerOf(attributes: Attributes): string | undefined {
  return textOf(attributes, 'gen_ai.provider.name', 'gen_ai.system')?.toLowerCase()
}

/** The first finish reason as sent; some senders write the list as JSON text or with commas. */
export function rawFinishReasonOf(attributes: Attributes): string | undefined {
  const value = asContent(attributes['gen_ai.response.finish_reasons'] ?? attributes['gen_ai.response.finish_reason'])
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return list.find((reason) => typeof reason === 'string' && reason.trim() !== '')?.trim()
}

/** Milliseconds to the first streamed piece; the conventions count in seconds. */
export function firstTokenMsOf(attributes: Attributes): number | undefined {
  const seconds = numberOf(
    attributes,
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.client.operation.time_to_first_chunk',
    'gen_ai.server.time_to_first_token',
  )
  return seconds === undefined ? undefined : roundToMicros(seconds * 1e3)
}

export function streamingOf(attributes: Attributes): true | undefined {
  return flagOf(attributes, 'gen_ai.request.stream', 'gen_ai.response.streaming') ? true : undefined
}

export function requestParameters(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  return parametersOf(attributes, 'gen_ai.request.', (key) => NO_PARAMETERS.has(key))
}

/** Tool definitions: a list, JSON text of one, or a list of JSON texts. */
export function definitionsOf(attributes: Attributes, ...keys: string[]): readonly unknown[] | undefined {
  for (const key of keys) {
    const value = asContent(attributes[key])
    const list = Array.isArray(value)
      ? value.map((item) => (typeof item === 'string' ? asContent(item) : item))
      : isRecord(value)
        ? [value]
        : undefined
    if (list !== undefined) return list
  }
  return undefined
}
