import type { NodeKind } from '@graphmind-ai/schema'
import type { MappedNode } from '../mapped-span.ts'
import { countOf, numberOf, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { unflattenList } from '../read/flat-keys.ts'
import { conventionalGrouping, groupingOf, joinRunFacts, type RunFacts, tagsOf } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { writeMessage } from '../read/message.ts'
import { providerRequestOf, providerResponseOf } from '../read/provider-body.ts'
import { shorten } from '../read/shorten.ts'
import { stableName } from '../read/stable-name.ts'
import { toolFailureOf } from '../read/tool-failure.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { type TokenCounts, tokenUsage } from '../read/usage.ts'
import type { Attributes, SpanView } from '../span-view.ts'
import { flatMessages } from './messages.ts'
import { inputValue, outputValue } from './value.ts'

const KINDS: Readonly<Record<string, NodeKind>> = {
  LLM: 'llm',
  TOOL: 'tool',
  AGENT: 'agent',
  CHAIN: 'chain',
  RETRIEVER: 'retriever',
  RERANKER: 'retriever',
  PROMPT: 'prompt',
}

/** The kind a span names itself, in capitals. */
export function spanKindOf(attributes: Attributes): string {
  return textOf(attributes, 'openinference.span.kind')?.toUpperCase() ?? ''
}

/** A node for any OpenInference span; `fields` outrank what the conventions say, `name` the span's own name. */
export function openInferenceNode(dialect: string, span: SpanView, fields: NodeFields = {}, name = nameOf(span)): MappedNode {
  const kind = KINDS[spanKindOf(span.attributes)]
  if (kind === 'llm') return llmNode(dialect, span, fields)
  const { attributes } = span
  const input = inputValue(attributes)
  const output = outputValue(attributes)
  const common = { run: runFactsOf(attributes), error: failureOf(span), ...fields }
  if (kind === undefined) return otherNode(dialect, span, common)
  if (kind === 'tool') {
    return drawnByName(dialect, 'tool', name, {
      toolCallId: textOf(attributes, 'tool_call.id', 'tool.id'),
      input: input ?? contentOf(attributes, 'tool.parameters'),
      output,
      ...common,
      error: common.error ?? toolFailureOf(output),
      extras: { description: textOf(attributes, 'tool.description'), ...fields.extras },
    })
  }
  if (kind === 'retriever') return drawnByName(dialect, kind, name, { input, output: documentsOf(attributes) ?? output, ...common })
  if (kind === 'prompt')
    return drawnByName(dialect, kind, name, { input, output, ...common, extras: { template: templateOf(attributes), ...fields.extras } })
  return drawnByName(dialect, kind, name, {
    input: kind === 'agent' ? questionIn(input) : input,
    output: kind === 'agent' ? answerIn(output) : output,
    usage: tokenUsage(countsOf(attributes)),
    usageIsSum: true,
    ...common,
  })
}

/** Conversation, user and tags, also those inside `metadata`. */
export function runFactsOf(attributes: Attributes): RunFacts | undefined {
  const metadata = contentOf(attributes, 'metadata')
  const tags = tagsOf(attributes['tag.tags'])
  const own = joinRunFacts(conventionalGrouping(attributes), tags && { tags })
  return joinRunFacts(own, isRecord(metadata) ? groupingOf(Object.entries(metadata)) : undefined)
}

function nameOf(span: SpanView): string {
  const { attributes } = span
  if (spanKindOf(attributes) === 'TOOL') return textOf(attributes, 'tool.name') ?? stableName(span.name)
  if (spanKindOf(attributes) === 'AGENT') return textOf(attributes, 'agent.name', 'graph.node.id') ?? stableName(span.name)
  return stableName(span.name)
}

/** The span attribute limit drops flattened messages and counts first, so the bodies speak where something is missing. */
function llmNode(dialect: string, span: SpanView, fields: NodeFields): MappedNode {
  const { attributes } = span
  const dropped = span.droppedAttributesCount > 0
  const request = providerRequestOf(inputValue(attributes))
  const response = providerResponseOf(outputValue(attributes))
  const flatInput = flatMessages(attributes, 'llm.input_messages.')
  const flatOutput = flatMessages(attributes, 'llm.output_messages.')
  const inputMessages = dropped ? (request.messages ?? flatInput) : (flatInput ?? request.messages)
  const outputMessages = dropped ? (response?.messages ?? flatOutput) : (flatOutput ?? response?.messages)
  const parameters = contentOf(attributes, 'llm.invocation_parameters')
  const tools = toolsOf(attributes, request.tools, parameters)
  const names = toolNames(tools)
  const output = outputMessages === undefined ? outputValue(attributes) : outputOfMessages(outputMessages)
  const rawFinishReason = textOf(attributes, 'llm.finish_reason') ?? response?.finishReason
  const counts = countsOf(attributes)
  const { extras, ...rest } = fields
  return drawnStep(dialect, {
    run: runFactsOf(attributes),
    hints: toolHints(names),
    input:
      inputMessages === undefined
        ? inputValue(attributes)
        : defined({ system: shorten(request.system), messages: inputMessages.map(writeMessage), tools }),
    output,
    usage: tokenUsage({ ...response?.counts, ...defined(counts) }),
    error: failureOf(span),
    model: textOf(attributes, 'llm.response.model_name', 'llm.model_name', 'llm.request.model_name') ?? response?.model,
    provider: textOf(attributes, 'llm.provider', 'llm.system'),
    finishReason: finishReasonOf(rawFinishReason, isRecord(output) && output['toolCalls'] !== undefined),
    ...rest,
    extras: {
      rawFinishReason,
      responseId: response?.id,
      toolRoster: names.length > 0 ? names : undefined,
      parameters: plainParameters(parameters),
      template: templateOf(attributes),
      ...extras,
    },
  })
}

function otherNode(dialect: string, span: SpanView, fields: NodeFields): MappedNode {
  const { attributes } = span
  const name = stableName(span.name)
  if (spanKindOf(attributes) !== 'EMBEDDING') {
    return drawn(dialect, 'custom', `custom:${name}`, name, { input: inputValue(attributes), output: outputValue(attributes), ...fields })
  }
  const texts = unflattenList(attributes, 'embedding.embeddings.')?.map((item) => (isRecord(item) ? embeddedText(item) : item))
  return drawn(dialect, 'custom', `custom:${name}`, name, {
    twinClass: EMBEDDING_TWINS,
    input: inputValue(attributes) ?? texts,
    output: texts && { vectors: texts.length },
    usage: tokenUsage(countsOf(attributes)),
    model: textOf(attributes, 'embedding.model_name', 'llm.model_name'),
    provider: textOf(attributes, 'llm.provider', 'llm.system'),
    ...fields,
  })
}

function embeddedText(item: Record<string, unknown>): unknown {
  return isRecord(item['embedding']) ? item['embedding']['text'] : undefined
}

function documentsOf(attributes: Attributes): readonly unknown[] | undefined {
  const list = unflattenList(attributes, 'retrieval.documents.') ?? unflattenList(attributes, 'reranker.output_documents.')
  return list?.map((item) => shorten(isRecord(item) ? (item['document'] ?? item) : item))
}

function countsOf(attributes: Attributes): TokenCounts {
  const detail = 'llm.token_count.'
  return {
    input: countOf(attributes, `${detail}prompt`),
    output: countOf(attributes, `${detail}completion`),
    total: countOf(attributes, `${detail}total`),
    cacheRead: countOf(attributes, `${detail}prompt_details.cache_read`, `${detail}prompt_details.cache_input`),
    cacheWrite: countOf(attributes, `${detail}prompt_details.cache_write`),
    reasoning: countOf(attributes, `${detail}completion_details.reasoning`),
    costUsd: numberOf(attributes, 'llm.cost.total'),
  }
}

function toolsOf(attributes: Attributes, requested: readonly unknown[] | undefined, parameters: unknown): readonly unknown[] | undefined {
  const flat = unflattenList(attributes, 'llm.tools.')?.map((item) => {
    const tool = isRecord(item) ? item['tool'] : undefined
    const schema = isRecord(tool) ? (tool['json_schema'] ?? tool) : item
    return typeof schema === 'string' ? contentOf({ schema }, 'schema') : schema
  })
  const inParameters = isRecord(parameters) && Array.isArray(parameters['tools']) ? parameters['tools'] : undefined
  return flat ?? requested ?? inParameters
}

function plainParameters(parameters: unknown): unknown {
  if (!isRecord(parameters)) return parameters
  const {
    model: _model,
    tools: _tools,
    messages: _messages,
    system: _system,
    instructions: _instructions,
    input: _input,
    ...rest
  } = parameters
  return Object.keys(rest).length > 0 ? rest : undefined
}

function templateOf(attributes: Attributes): unknown {
  return contentOf(attributes, 'llm.prompt_template.template')
}
