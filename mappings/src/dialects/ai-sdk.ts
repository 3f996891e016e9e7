import { providerOf, rootUsage, usageOf } from '../ai-sdk/usage.ts'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { countOf, hasAny, numberOf, roundToMicros, textOf, withPrefix } from '../read/attribute.ts'
import { contentListOf, contentOf } from '../read/content.ts'
import { defined, definedOrAbsent } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS } from '../read/drawn.ts'
import { failureOf, firstException } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { GROUPING_KEYS, groupingOf, type RunFacts } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { type LlmOutput, llmOutput } from '../read/llm-output.ts'
import { messagePartsOf, messagesOf, textOfParts, writeMessage } from '../read/message.ts'
import { parametersOf } from '../read/parameters.ts'
import { firstText, toolCallsOf } from '../read/tool-call.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { tokenUsage } from '../read/usage.ts'
import { vectorsOf } from '../read/vectors.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'ai-sdk'
const METADATA = 'ai.telemetry.metadata.'

/** Vercel AI SDK 4, 5 and 6, and 7 with its LegacyOpenTelemetry: names under `ai.`, dispatched on `ai.operationId`. */
export const aiSdk: Dialect = {
  name: DIALECT,
  claims: (span) => typeof span.attributes['ai.operationId'] === 'string',
  map: mapAiSdk,
  metadataKeys: [
    'operation.name',
    'resource.name',
    'ai.operationId',
    'ai.telemetry.functionId',
    ...GROUPING_KEYS.map((key) => METADATA + key),
    'ai.model.*',
    'ai.settings.maxRetries',
    'ai.settings.maxSteps',
    'ai.settings.maxTokens',
    'ai.settings.maxOutputTokens',
    'ai.settings.temperature',
    'ai.settings.topP',
    'ai.settings.topK',
    'ai.settings.presencePenalty',
    'ai.settings.frequencyPenalty',
    'ai.settings.seed',
    'ai.settings.output',
    'ai.prompt.format',
    'ai.prompt.toolChoice',
    'ai.response.finishReason',
    'ai.response.id',
    'ai.response.model',
    'ai.response.timestamp',
    'ai.response.msToFirstChunk',
    'ai.response.msToFinish',
    'ai.response.avgCompletionTokensPerSecond',
    'ai.response.avgOutputTokensPerSecond',
    'ai.stream.msToFirstChunk',
    'ai.toolCall.name',
    'ai.toolCall.id',
    'ai.usage.*',
  ],
}

function mapAiSdk(span: SpanView): MappedSpan {
  const operation = textOf(span.attributes, 'ai.operationId') ?? span.name
  switch (operation) {
    case 'ai.generateText':
    case 'ai.streamText':
    case 'ai.generateObject':
    case 'ai.streamObject':
      return mapRoot(span, operation)
    case 'ai.toolCall':
      return mapTool(span)
    case 'ai.embed':
    case 'ai.embedMany':
    case 'ai.embed.doEmbed':
    case 'ai.embedMany.doEmbed':
      return mapEmbedding(span, operation)
    case 'ai.rerank':
    case 'ai.rerank.doRerank':
      return mapRerank(span)
  }
  if (operation.endsWith('.doGenerate') || operation.endsWith('.doStream')) return mapStep(span, operation)
  return drawn(DIALECT, 'custom', `custom:${operation}`, operation, {
    run: runOf(span),
    error: failureOf(span),
    input: contentOf(span.attributes, 'ai.value', 'ai.values', 'ai.prompt'),
  })
}

function mapRoot(span: SpanView, operation: string): MappedSpan {
  const { attributes } = span
  const output = outputOf(attributes)
  const rawFinishReason = textOf(attributes, 'ai.response.finishReason')
  const prompt = contentOf(attributes, 'ai.prompt')
  return drawnByName(DIALECT, 'agent', functionId(attributes) ?? span.name, {
    run: runOf(span),
    input: promptOf(prompt) ?? contentOf(attributes, 'ai.prompt.messages'),
    output: output?.text || output?.object || (output && definedOrAbsent(output)),
    usage: rootUsage(attributes),
    usageIsSum: true,
    error: hasCopiedError(span) ? undefined : failureOf(span),
    aborted: wasAborted(span, operation),
    finishReason: finishReasonOf(rawFinishReason, false),
    extras: {
      rawFinishReason,
      system: isRecord(prompt) ? prompt['system'] : undefined,
      parameters: settingsOf(attributes),
      schema: contentOf(attributes, 'ai.schema'),
      streaming: operation.startsWith('ai.stream') ? true : undefined,
      metadata: metadataOf(attributes),
    },
  })
}

function mapStep(span: SpanView, operation: string): MappedSpan {
  const { attributes } = span
  const tools = contentListOf(attributes, 'ai.prompt.tools')
  const output = outputOf(attributes)
  const rawFinishReason = textOf(attributes, 'ai.response.finishReason')
  const requestModel = textOf(attributes, 'ai.model.id', 'gen_ai.request.model')
  const model = textOf(attributes, 'ai.response.model', 'gen_ai.response.model') ?? requestModel
  const names = toolNames(tools)
  return drawnStep(DIALECT, {
    run: runOf(span),
    hints: toolHints(names),
    input: stepInput(attributes, tools),
    output,
    usage: usageOf(attributes),
    error: failureOf(span),
    aborted: wasAborted(span, operation),
    model,
    provider: providerOf(attributes),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    firstTokenMs: firstTokenMs(span),
    extras: {
      rawFinishReason,
      requestModel: requestModel === model ? undefined : requestModel,
      responseId: textOf(attributes, 'ai.response.id', 'gen_ai.response.id'),
      toolRoster: names.length > 0 ? names : undefined,
      toolChoice: contentOf(attributes, 'ai.prompt.toolChoice'),
      parameters: settingsOf(attributes),
      streaming: operation.endsWith('.doStream') ? true : undefined,
      functionId: functionId(attributes),
    },
  })
}

function mapTool(span: SpanView): MappedSpan {
  const { attributes } = span
  return drawnByName(DIALECT, 'tool', textOf(attributes, 'ai.toolCall.name') ?? span.name, {
    run: runOf(span),
    toolCallId: textOf(attributes, 'ai.toolCall.id'),
    input: contentOf(attributes, 'ai.toolCall.args', 'ai.toolCall.input'),
    output: contentOf(attributes, 'ai.toolCall.result', 'ai.toolCall.output'),
    error: failureOf(span),
  })
}

function mapEmbedding(span: SpanView, operation: string): MappedSpan {
  const { attributes } = span
  const base = operation.replace(/\.doEmbed$/, '')
  return drawn(DIALECT, 'custom', `custom:${base}`, base, {
    twinClass: EMBEDDING_TWINS,
    run: runOf(span),
    input: contentOf(attributes, 'ai.value') ?? contentListOf(attributes, 'ai.values'),
    output: vectorsOf(attributes['ai.embedding']) ?? vectorsOf(attributes['ai.embeddings']),
    usage: tokenUsage({ input: countOf(attributes, 'ai.usage.tokens', 'gen_ai.usage.input_tokens') }),
    error: failureOf(span),
    model: textOf(attributes, 'ai.model.id'),
    provider: providerOf(attributes),
    extras: { functionId: functionId(attributes), metadata: metadataOf(attributes) },
  })
}

function mapRerank(span: SpanView): MappedSpan {
  const { attributes } = span
  return drawnByName(DIALECT, 'retriever', functionId(attributes) ?? 'ai.rerank', {
    twinClass: 'rerank',
    run: runOf(span),
    input: definedOrAbsent({ query: contentOf(attributes, 'ai.query'), documents: contentListOf(attributes, 'ai.documents') }),
    output: contentOf(attributes, 'ai.ranking') ?? contentListOf(attributes, 'ai.ranking'),
    error: failureOf(span),
    model: textOf(attributes, 'ai.model.id'),
    provider: providerOf(attributes),
    extras: { metadata: metadataOf(attributes) },
  })
}

/** The question: `prompt`, else what the user said last; the whole value when it is neither. */
function promptOf(prompt: unknown): unknown {
  if (!isRecord(prompt)) return prompt
  const given = prompt['prompt'] ?? prompt['messages']
  if (typeof given === 'string') return given
  const last = messagePartsOf(given)?.findLast((message) => message.role === 'user')
  if (last === undefined) return prompt
  return last.parts.every((part) => part.type === 'text') ? textOfParts(last.parts) : writeMessage(last).content
}

function stepInput(attributes: Attributes, tools: readonly unknown[] | undefined): unknown {
  const seen = contentOf(attributes, 'ai.prompt.messages', 'ai.prompt')
  const messages = messagesOf(seen)
  if (messages === undefined) return tools === undefined ? seen : defined({ prompt: seen, tools })
  return defined({ messages, tools })
}

function outputOf(attributes: Attributes): LlmOutput | undefined {
  return llmOutput({
    text: textOf(attributes, 'ai.response.text'),
    reasoning: textOf(attributes, 'ai.response.reasoning'),
    object: contentOf(attributes, 'ai.response.object'),
    toolCalls: toolCallsOf(contentOf(attributes, 'ai.response.toolCalls')),
    files: contentListOf(attributes, 'ai.response.files'),
  })
}

/** OpenInference's processor marks the root failed when any child failed, also when the run came to its answer. */
function hasCopiedError(span: SpanView): boolean {
  return (
    hasAny(span.attributes, 'openinference.span.kind') &&
    hasAny(span.attributes, 'ai.response.finishReason') &&
    firstException(span) === undefined
  )
}

/** A stream that its caller gave up ends without a word of an answer, without error and without count. */
function wasAborted(span: SpanView, operation: string): boolean {
  if (span.endNanos === undefined || span.status.code !== 'unset' || !/stream/i.test(operation)) return false
  return !Object.keys(span.attributes).some((key) => key.startsWith('ai.response.') || key.startsWith('ai.usage.'))
}

function firstTokenMs(span: SpanView): number | undefined {
  const keys = ['ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk']
  const event = span.events.find((candidate) => candidate.name === 'ai.stream.firstChunk')
  return roundToMicros(numberOf(span.attributes, ...keys) ?? (event && numberOf(event.attributes, ...keys)))
}

function functionId(attributes: Attributes): string | undefined {
  return textOf(attributes, 'ai.telemetry.functionId', 'resource.name')
}

function settingsOf(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  const own = parametersOf(attributes, 'ai.settings.', (key) => key.startsWith('context.'))
  const requested = parametersOf(attributes, 'gen_ai.request.', (key) => key === 'model')
  return own || requested ? { ...own, ...requested } : undefined
}

function metadataOf(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  return parametersOf(attributes, METADATA, (key) => GROUPING_KEYS.includes(key))
}

function runOf(span: SpanView): RunFacts | undefined {
  const name = span.parentSpanId === undefined ? firstText(functionId(span.attributes)) : undefined
  return definedOrAbsent({ name, ...groupingOf(withPrefix(span.attributes, METADATA)) })
}
