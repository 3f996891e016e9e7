import type { ErrorInfo, NodeKind } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { asCount, asNumber, roundToMicros, textOf, withPrefix } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { definedOrAbsent } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { parseJsonText } from '../read/json-text.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { providerRequestOf, providerResponseOf, writeRequest } from '../read/provider-body.ts'
import { stableName } from '../read/stable-name.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { tokenUsage } from '../read/usage.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'langfuse'
const OBSERVATION = 'langfuse.observation.'
const KINDS: Readonly<Record<string, NodeKind>> = { agent: 'agent', tool: 'tool', chain: 'chain', span: 'chain', retriever: 'retriever' }

/** Langfuse SDK 4 and 5. Errors are a level, not a status, and usage parts stand beside the sides they belong to. */
export const langfuse: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name === 'langfuse-sdk' && typeof span.attributes[`${OBSERVATION}type`] === 'string',
  map: mapLangfuse,
  metadataKeys: [
    `${OBSERVATION}type`,
    `${OBSERVATION}level`,
    `${OBSERVATION}model.*`,
    `${OBSERVATION}usage_details`,
    `${OBSERVATION}cost_details`,
    `${OBSERVATION}completion_start_time`,
    `${OBSERVATION}prompt.name`,
    `${OBSERVATION}prompt.version`,
    'langfuse.trace.name',
    'langfuse.trace.tags',
    'langfuse.session.id',
    'langfuse.user.id',
    'langfuse.environment',
    'langfuse.release',
    'langfuse.version',
    'langfuse.internal.*',
  ],
}

function mapLangfuse(span: SpanView): MappedSpan {
  const { attributes } = span
  const type = textOf(attributes, `${OBSERVATION}type`) ?? ''
  const input = contentOf(attributes, `${OBSERVATION}input`)
  const output = contentOf(attributes, `${OBSERVATION}output`)
  const name = stableName(span.name)
  const error = failureOfLevel(attributes, output) ?? failureOf(span)
  const fields: NodeFields = {
    run: conventionalGrouping(attributes),
    input,
    output: error === undefined ? output : undefined,
    error,
    extras: {
      metadata: definedOrAbsent(Object.fromEntries(withPrefix(attributes, 'langfuse.trace.metadata.'))),
      prompt: textOf(attributes, `${OBSERVATION}prompt.name`),
    },
  }
  if (type === 'generation') return mapGeneration(span, name, fields)
  const kind = KINDS[type]
  if (kind === 'agent')
    return drawnByName(DIALECT, kind, name, { ...fields, input: questionIn(input), output: error ? undefined : answerIn(output) })
  if (kind !== undefined) return drawnByName(DIALECT, kind, name, fields)
  if (type === 'embedding') {
    return drawn(DIALECT, 'custom', `custom:${name}`, name, {
      twinClass: EMBEDDING_TWINS,
      ...fields,
      model: modelOf(attributes),
      usage: usageOf(attributes),
      output: undefined,
    })
  }
  return drawn(DIALECT, 'custom', `custom:${name}`, name, fields)
}

function mapGeneration(span: SpanView, name: string, fields: NodeFields): MappedSpan {
  const { attributes } = span
  const request = providerRequestOf(fields.input)
  const response = providerResponseOf(fields.output)
  const names = toolNames(request.tools)
  const output = response && outputOfMessages(response.messages)
  const rawFinishReason = response?.finishReason
  return drawnStep(DIALECT, {
    ...fields,
    hints: toolHints(names),
    input: writeRequest(request) ?? fields.input,
    output: output ?? fields.output,
    usage: usageOf(attributes),
    model: modelOf(attributes),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    firstTokenMs: firstTokenMs(span),
    extras: {
      ...fields.extras,
      rawFinishReason,
      generation: name,
      toolRoster: names.length > 0 ? names : undefined,
      parameters: contentOf(attributes, `${OBSERVATION}model.parameters`),
    },
  })
}

function modelOf(attributes: Attributes): string | undefined {
  return textOf(attributes, `${OBSERVATION}model.name`)
}

/** `input` and `output` leave out their parts, which are named `input_…` and `output_…`. */
function usageOf(attributes: Attributes) {
  const usage = contentOf(attributes, `${OBSERVATION}usage_details`)
  const cost = contentOf(attributes, `${OBSERVATION}cost_details`)
  const costUsd = isRecord(cost) ? asNumber(cost['total']) : undefined
  if (!isRecord(usage)) return undefined
  const side = (name: string) => {
    const own = asCount(usage[name])
    return own === undefined
      ? undefined
      : Object.entries(usage).reduce((sum, [key, value]) => (key.startsWith(`${name}_`) ? sum + (asCount(value) ?? 0) : sum), own)
  }
  return tokenUsage({
    input: side('input'),
    output: side('output'),
    total: asCount(usage['total']),
    cacheRead: asCount(usage['input_cached_tokens'] ?? usage['input_cache_read']),
    cacheWrite: asCount(usage['input_cache_creation'] ?? usage['input_cache_write']),
    reasoning: asCount(usage['output_reasoning_tokens'] ?? usage['output_reasoning']),
    costUsd,
  })
}

/** Level ERROR is the only sign; the output then is `{"error": "RangeError: …"}`. */
function failureOfLevel(attributes: Attributes, output: unknown): ErrorInfo | undefined {
  if (textOf(attributes, `${OBSERVATION}level`) !== 'ERROR') return undefined
  const told = isRecord(output) && typeof output['error'] === 'string' ? output['error'] : undefined
  const status = textOf(attributes, `${OBSERVATION}status_message`)
  const named = /^([A-Z]\w*): ([\s\S]+)$/.exec(told ?? status ?? '')
  const message = named?.[2] ?? told ?? status ?? 'The observation has level ERROR and no message.'
  return { name: named?.[1] ?? 'Error', message: message.toWellFormed() }
}

function firstTokenMs(span: SpanView): number | undefined {
  const text = parseJsonText(textOf(span.attributes, `${OBSERVATION}completion_start_time`) ?? '')
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  const ms = at - Number(span.startNanos / 1000n) / 1000
  return Number.isFinite(ms) && ms >= 0 ? roundToMicros(ms) : undefined
}
