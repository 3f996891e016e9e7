import type { NodeKind } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { asCount, asNumber, hasAny, textOf, withPrefix } from '../read/attribute.ts'
import { contentListOf, contentOf } from '../read/content.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { defined, definedOrAbsent } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping, joinRunFacts, type RunFacts } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { parseJsonText } from '../read/json-text.ts'
import { unwrapLangChain } from '../read/langchain.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { countsIn, type ProviderResponse, providerRequestOf, providerResponseOf, writeRequest } from '../read/provider-body.ts'
import { stableName } from '../read/stable-name.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { type TokenCounts, tokenUsage } from '../read/usage.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'mlflow'
const TAG = 'mlflow.traceTag.'
const KINDS: Readonly<Record<string, NodeKind>> = {
  TOOL: 'tool',
  RETRIEVER: 'retriever',
  RERANKER: 'retriever',
  CHAIN: 'chain',
  WORKFLOW: 'chain',
  TASK: 'chain',
  UNKNOWN: 'chain',
}
/** Providers whose count of input tokens leaves out what was read from and written to their cache. */
const CACHE_APART = new Set(['anthropic', 'bedrock'])

/** MLflow Tracing 2 and 3, over OTLP and from its exports: every attribute of its own is JSON text, words included. */
export const mlflow: Dialect = {
  name: DIALECT,
  claims: (span) => hasAny(span.attributes, 'mlflow.spanType'),
  map: mapMlflow,
  metadataKeys: [
    'mlflow.spanType',
    'mlflow.spanFunctionName',
    'mlflow.spanLogLevel',
    'mlflow.traceRequestId',
    'mlflow.traceName',
    'mlflow.experimentId',
    'mlflow.chat.tokenUsage',
    'mlflow.llm.model',
    'mlflow.llm.provider',
    'mlflow.llm.cost',
    'mlflow.message.format',
  ],
}

function mapMlflow(span: SpanView): MappedSpan {
  const { attributes } = span
  const type = wordOf(attributes, 'mlflow.spanType') ?? 'UNKNOWN'
  const input = contentOf(attributes, 'mlflow.spanInputs')
  const output = contentOf(attributes, 'mlflow.spanOutputs')
  const error = failureOf(span)
  const name = stableName(span.name)
  const fields: NodeFields = {
    run: runOf(attributes),
    input,
    output: error === undefined ? output : undefined,
    error,
  }
  if (type === 'LLM' || type === 'CHAT_MODEL') return mapModel(span, name, fields)
  if (type === 'AGENT') {
    return drawnByName(DIALECT, 'agent', name, {
      ...fields,
      input: questionIn(input),
      output: error ? undefined : answerIn(output),
      usage: tokenUsage(usageOf(attributes, undefined)),
      usageIsSum: true,
    })
  }
  if (type === 'EMBEDDING') {
    const model = wordOf(attributes, 'mlflow.llm.model')
    const usage = tokenUsage(usageOf(attributes, undefined))
    return drawn(DIALECT, 'custom', `custom:${name}`, name, { twinClass: EMBEDDING_TWINS, ...fields, model, usage, output: undefined })
  }
  const kind = KINDS[type]
  if (kind === undefined) return drawn(DIALECT, 'custom', `custom:${name}`, name, fields)
  return drawnByName(DIALECT, kind, name, kind === 'chain' ? { ...fields, mayBeAgent: true } : fields)
}

function mapModel(span: SpanView, name: string, fields: NodeFields): MappedSpan {
  const { attributes } = span
  const request = providerRequestOf(unwrapLangChain(fields.input))
  const response = providerResponseOf(unwrapLangChain(fields.output))
  const tools = contentListOf(attributes, 'mlflow.chat.tools') ?? request.tools
  const names = toolNames(tools)
  const output = response && outputOfMessages(response.messages)
  const rawFinishReason = response?.finishReason
  const asked = isRecord(fields.input) ? textOf(fields.input as Attributes, 'model') : undefined
  return drawnStep(DIALECT, {
    ...fields,
    hints: toolHints(names),
    input: writeRequest({ ...request, ...(tools && { tools }) }) ?? fields.input,
    output: output ?? fields.output,
    usage: tokenUsage(usageOf(attributes, response)),
    model: wordOf(attributes, 'mlflow.llm.model') ?? response?.model ?? asked,
    provider: wordOf(attributes, 'mlflow.llm.provider'),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    extras: { rawFinishReason, generation: name, responseId: response?.id, toolRoster: names.length > 0 ? names : undefined },
  })
}

/** A word that stands as JSON text: `"AGENT"` with its quotes. */
function wordOf(attributes: Attributes, key: string): string | undefined {
  const word = parseJsonText(textOf(attributes, key) ?? '')
  return typeof word === 'string' && word !== '' ? word : undefined
}

/** What the trace says of the run; an export keeps it beside the spans, and the import puts it on them under these names. */
function runOf(attributes: Attributes): RunFacts | undefined {
  const tags = withPrefix(attributes, TAG).flatMap(([key, value]) => (typeof value === 'string' ? `${key}=${value}`.toWellFormed() : []))
  const own = definedOrAbsent({
    name: wordOf(attributes, 'mlflow.traceName'),
    sessionId: wordOf(attributes, 'session.id') ?? wordOf(attributes, 'mlflow.trace.session'),
    userId: wordOf(attributes, 'user.id') ?? wordOf(attributes, 'mlflow.trace.user'),
    tags: tags.length > 0 ? tags : undefined,
  })
  return joinRunFacts(own, conventionalGrouping(attributes))
}

/** The provider's own counts where the answer has them, as MLflow's keep no reasoning tokens. */
function usageOf(attributes: Attributes, response: ProviderResponse | undefined): TokenCounts {
  const counted = contentOf(attributes, 'mlflow.chat.tokenUsage')
  const cost = contentOf(attributes, 'mlflow.llm.cost')
  const costUsd = isRecord(cost) ? asNumber(cost['total_cost']) : undefined
  const inclusive = !CACHE_APART.has(wordOf(attributes, 'mlflow.message.format') ?? '')
  const own = isRecord(counted) && inclusive ? inclusiveCounts(counted) : countsIn(counted)
  return { ...own, ...defined(response?.counts ?? {}), costUsd }
}

function inclusiveCounts(counted: Record<string, unknown>): TokenCounts {
  const count = (key: string) => asCount(counted[key])
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    total: count('total_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  }
}
