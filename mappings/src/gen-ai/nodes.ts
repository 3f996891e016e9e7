import type { MappedNode } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { finalAnswer, lastQuestion } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping, joinRunFacts } from '../read/grouping.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { writeMessage } from '../read/message.ts'
import { toolFailureOf } from '../read/tool-failure.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import type { SpanView } from '../span-view.ts'
import { type GenAiContent, genAiContent } from './content.ts'
import {
  definitionsOf,
  firstTokenMsOf,
  modelOf,
  providerOf,
  rawFinishReasonOf,
  requestModelOf,
  requestParameters,
  streamingOf,
  targetOf,
} from './facts.ts'
import { genAiUsage } from './usage.ts'

/** A model step. `fields` outrank what the conventions say. */
export function genAiStep(
  dialect: string,
  span: SpanView,
  fields: NodeFields = {},
  content: GenAiContent = genAiContent(span),
): MappedNode {
  const { attributes } = span
  const tools = definitionsOf(attributes, 'gen_ai.tool.definitions', 'gen_ai.request.available_tools')
  const output = content.output === undefined ? undefined : outputOfMessages(content.output)
  const rawFinishReason =
    rawFinishReasonOf(attributes) ?? content.output?.findLast((message) => message.finishReason !== undefined)?.finishReason
  const model = modelOf(attributes)
  const requestModel = requestModelOf(attributes)
  const names = toolNames(tools)
  const { extras, ...rest } = fields
  return drawnStep(dialect, {
    run: conventionalGrouping(attributes),
    hints: toolHints(names),
    input: stepInput(content, tools),
    output: output ?? content.rawOutput,
    usage: genAiUsage(attributes),
    error: failureOf(span),
    model,
    provider: providerOf(attributes),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    firstTokenMs: firstTokenMsOf(attributes),
    ...rest,
    extras: {
      rawFinishReason,
      requestModel: requestModel === model ? undefined : requestModel,
      responseId: textOf(attributes, 'gen_ai.response.id'),
      toolRoster: names.length > 0 ? names : undefined,
      toolChoice: contentOf(attributes, 'ai.prompt.toolChoice', 'gen_ai.request.tool_choice'),
      parameters: requestParameters(attributes),
      outputType: textOf(attributes, 'gen_ai.output.type'),
      streaming: streamingOf(attributes),
      serverAddress: textOf(attributes, 'server.address'),
      httpStatus: textOf(attributes, 'http.response.status_code'),
      ...extras,
    },
  })
}

/** One use of a tool. */
export function genAiTool(dialect: string, span: SpanView, fields: NodeFields = {}, name?: string): MappedNode {
  const { attributes } = span
  const output = contentOf(attributes, 'gen_ai.tool.call.result', 'gen_ai.tool.output', 'gcp.vertex.agent.tool_response')
  const { extras, ...rest } = fields
  return drawnByName(dialect, 'tool', name ?? textOf(attributes, 'gen_ai.tool.name') ?? targetOf(span) ?? span.name, {
    run: conventionalGrouping(attributes),
    toolCallId: textOf(attributes, 'gen_ai.tool.call.id'),
    input: contentOf(attributes, 'gen_ai.tool.call.arguments', 'gen_ai.tool.input', 'gcp.vertex.agent.tool_call_args'),
    output,
    error: toolFailureOf(output) ?? failureOf(span),
    ...rest,
    extras: {
      toolType: textOf(attributes, 'gen_ai.tool.type'),
      description: textOf(attributes, 'gen_ai.tool.description'),
      ...extras,
    },
  })
}

/** An agent: what it was asked last and its final text, not the calls in between. */
export function genAiAgent(
  dialect: string,
  span: SpanView,
  fields: NodeFields = {},
  content: GenAiContent = genAiContent(span),
): MappedNode {
  const { attributes } = span
  const name = agentName(span)
  const names = toolNames(definitionsOf(attributes, 'gen_ai.tool.definitions', 'gen_ai.agent.tools', 'gen_ai.request.available_tools'))
  const rawFinishReason = rawFinishReasonOf(attributes)
  const { extras, run, ...rest } = fields
  const named = span.parentSpanId === undefined && textOf(attributes, 'gen_ai.agent.name') !== undefined ? { name } : undefined
  return drawnByName(dialect, 'agent', name, {
    run: joinRunFacts(named, joinRunFacts(run, conventionalGrouping(attributes))),
    hints: toolHints(names),
    input: lastQuestion(content.input) ?? content.rawInput,
    output: finalAnswer(content.output) ?? content.rawOutput,
    usage: genAiUsage(attributes),
    usageIsSum: true,
    error: failureOf(span),
    finishReason: finishReasonOf(rawFinishReason, false),
    ...rest,
    extras: {
      system: content.system,
      rawFinishReason,
      agentId: textOf(attributes, 'gen_ai.agent.id'),
      agentVersion: textOf(attributes, 'gen_ai.agent.version'),
      description: textOf(attributes, 'gen_ai.agent.description'),
      toolRoster: names.length > 0 ? names : undefined,
      ...extras,
    },
  })
}

/** An embedding call, a custom node as the wire has no kind for it. */
export function genAiEmbedding(dialect: string, span: SpanView, fields: NodeFields = {}): MappedNode {
  const { attributes } = span
  return drawn(dialect, 'custom', `custom:${span.name}`, span.name, {
    twinClass: EMBEDDING_TWINS,
    run: conventionalGrouping(attributes),
    input: contentOf(attributes, 'gen_ai.embeddings.input', 'gen_ai.input.messages'),
    usage: genAiUsage(attributes),
    error: failureOf(span),
    model: modelOf(attributes),
    provider: providerOf(attributes),
    ...fields,
    extras: {
      parameters: requestParameters(attributes),
      dimensions: contentOf(attributes, 'gen_ai.embeddings.dimension.count'),
      ...fields.extras,
    },
  })
}

/** A search: the query and what it found. */
export function genAiRetrieval(dialect: string, span: SpanView, fields: NodeFields = {}): MappedNode {
  const { attributes } = span
  return drawnByName(dialect, 'retriever', textOf(attributes, 'gen_ai.data_source.id') ?? targetOf(span) ?? span.name, {
    run: conventionalGrouping(attributes),
    input: contentOf(attributes, 'gen_ai.retrieval.query.text'),
    output: contentOf(attributes, 'gen_ai.retrieval.documents'),
    usage: hasAny(attributes, 'gen_ai.usage.input_tokens') ? genAiUsage(attributes) : undefined,
    error: failureOf(span),
    ...fields,
    extras: { parameters: requestParameters(attributes), ...fields.extras },
  })
}

/** A workflow, a chain in the wire's words. */
export function genAiWorkflow(dialect: string, span: SpanView, fields: NodeFields = {}): MappedNode {
  const { attributes } = span
  const content = genAiContent(span)
  return drawnByName(dialect, 'chain', textOf(attributes, 'gen_ai.workflow.name') ?? targetOf(span) ?? span.name, {
    run: conventionalGrouping(attributes),
    input: lastQuestion(content.input) ?? content.rawInput,
    output: finalAnswer(content.output) ?? content.rawOutput,
    usage: genAiUsage(attributes),
    usageIsSum: true,
    error: failureOf(span),
    ...fields,
  })
}

/** `gen_ai.agent.name`, else the name the span carries after its operation, unless that is only the model. */
export function agentName(span: SpanView): string {
  const target = targetOf(span)
  return textOf(span.attributes, 'gen_ai.agent.name') ?? (target === requestModelOf(span.attributes) ? span.name : (target ?? span.name))
}

function stepInput(content: GenAiContent, tools: readonly unknown[] | undefined): unknown {
  if (content.input === undefined && content.system === undefined && tools === undefined) return content.rawInput
  return defined({ system: content.system, messages: content.input?.map(writeMessage), prompt: content.rawInput, tools })
}
