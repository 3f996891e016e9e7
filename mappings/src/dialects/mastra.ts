import type { Dialect } from '../dialect.ts'
import { providerOf, rawFinishReasonOf } from '../gen-ai/facts.ts'
import { agentName, genAiAgent, genAiStep, genAiTool } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, roundToMicros, textOf, withPrefix } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { questionIn } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, hidden } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { GROUPING_KEYS, groupingOf } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { writeMessage } from '../read/message.ts'
import { providerRequestOf, providerResponseOf } from '../read/provider-body.ts'
import { stableName } from '../read/stable-name.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'mastra'
const METADATA = 'mastra.metadata.'

/** Mastra's exporter: agent run, generation, step, then the model call and the tools, by `mastra.span.type`. */
export const mastra: Dialect = {
  name: DIALECT,
  claims: (span) => hasAny(span.attributes, 'mastra.span.type'),
  map: mapMastra,
  metadataKeys: [
    'mastra.span.type',
    'mastra.completion_start_time',
    'mastra.model_step.step_index',
    'mastra.model_step.is_continued',
    ...[...GROUPING_KEYS, 'resourceId', 'runId'].map((key) => METADATA + key),
  ],
}

function mapMastra(span: SpanView): MappedSpan {
  const { attributes } = span
  const type = textOf(attributes, 'mastra.span.type') ?? ''
  const run = groupingOf(withPrefix(attributes, METADATA))
  const input = contentOf(attributes, `mastra.${type}.input`)
  const output = contentOf(attributes, `mastra.${type}.output`)
  switch (type) {
    case 'agent_run':
      return genAiAgent(DIALECT, span, { run, ...defined({ input: questionIn(input), output: textOrAll(output) }) })
    case 'model_step':
      return mapStep(span, input, output)
    case 'model_inference':
      return mapInference(span)
    case 'tool_call':
    case 'mcp_tool_call':
    case 'client_tool_call':
    case 'provider_tool_call':
      return genAiTool(DIALECT, span, { run, ...defined({ input, output }) })
    case 'model_generation':
    case 'model_chunk':
      return hidden(DIALECT, span.name, { run })
    case 'mcp_server_request':
      return drawnByName(DIALECT, 'server', stableName(span.name), { run, input, output, error: failureOf(span) })
  }
  const name = stableName(type.startsWith('workflow_') ? span.name.replace(/^(invoke_workflow|workflow_\w+) /, '') : span.name)
  if (type.startsWith('workflow_')) return drawnByName(DIALECT, 'chain', name, { run, input, output, error: failureOf(span) })
  return drawn(DIALECT, 'custom', `custom:${name}`, name, { run, input, output, error: failureOf(span) })
}

/** The step has the messages and the requested tools, the inference below it the model and the tokens: twins. */
function mapStep(span: SpanView, input: unknown, output: unknown): MappedSpan {
  const messages = providerRequestOf(input).messages
  const response = providerResponseOf(output)
  return drawnStep(DIALECT, {
    run: groupingOf(withPrefix(span.attributes, METADATA)),
    input: messages ? { messages: messages.map(writeMessage) } : input,
    output: (response && outputOfMessages(response.messages)) ?? output,
    error: failureOf(span),
  })
}

function mapInference(span: SpanView): MappedSpan {
  const { attributes } = span
  const failed =
    rawFinishReasonOf(attributes) === 'error' ? { name: 'Error', message: 'The model call ended with finish reason “error”.' } : undefined
  return genAiStep(DIALECT, span, {
    run: groupingOf(withPrefix(attributes, METADATA)),
    provider: providerOf(attributes)?.replace(/\.(chat|responses|completion|messages)$/, ''),
    error: failureOf(span) ?? failed,
    firstTokenMs: firstTokenMs(span),
    extras: { agent: hasAny(attributes, 'gen_ai.agent.name') ? agentName(span) : undefined },
  })
}

function textOrAll(output: unknown): unknown {
  return isRecord(output) && typeof output['text'] === 'string' && output['text'] !== '' ? output['text'] : output
}

/** Mastra repeats the first step's time for every step, so a time before the span says nothing. */
function firstTokenMs(span: SpanView): number | undefined {
  const ms = Date.parse(textOf(span.attributes, 'mastra.completion_start_time') ?? '') - Number(span.startNanos / 1000n) / 1000
  return Number.isFinite(ms) && ms >= 0 ? roundToMicros(ms) : undefined
}
