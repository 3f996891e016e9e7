import type { Dialect } from '../dialect.ts'
import { type GenAiContent, genAiContent } from '../gen-ai/content.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiAgent, genAiStep, genAiTool } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { lastQuestion } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { hidden } from '../read/drawn.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { messagePartsOf } from '../read/message.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import type { SpanView } from '../span-view.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'pydantic-ai'

/** Pydantic AI in all three versions of its instrumentation. */
export const pydanticAi: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name === 'pydantic-ai' || isToolWithoutScope(span),
  map: mapPydanticAi,
  metadataKeys: ['agent_name', 'model_name', 'operation.cost', 'logfire.span_type', 'logfire.json_schema'],
}

/** Files written by the Python SDK's exporters leave the scope out. */
function isToolWithoutScope(span: SpanView): boolean {
  const { attributes } = span
  return (
    span.scope.name === '' &&
    operationOf(span) === undefined &&
    hasAny(attributes, 'gen_ai.tool.name') &&
    hasAny(attributes, 'tool_arguments', 'tool_response')
  )
}

function mapPydanticAi(span: SpanView): MappedSpan {
  const { attributes } = span
  if (/^running \d*\s*tools$/.test(span.name)) return hidden(DIALECT, span.name, { run: conventionalGrouping(attributes) })
  if (operationOf(span) === 'invoke_agent' || hasAny(attributes, 'agent_name')) return mapAgent(span)
  if (operationOf(span) === 'execute_tool' || hasAny(attributes, 'gen_ai.tool.name')) {
    const own = { input: contentOf(attributes, 'tool_arguments'), output: contentOf(attributes, 'tool_response') }
    return genAiTool(DIALECT, span, defined(own))
  }
  return operationOf(span) === 'chat' ? mapModel(span) : mapOperation(DIALECT, span)
}

function mapAgent(span: SpanView): MappedSpan {
  const { attributes } = span
  const messages = messagePartsOf(contentOf(attributes, 'pydantic_ai.all_messages', 'all_messages_events'))
  const named = textOf(attributes, 'gen_ai.agent.name', 'agent_name')
  const view = named === undefined ? span : { ...span, attributes: { ...attributes, 'gen_ai.agent.name': named } }
  return genAiAgent(DIALECT, view, defined({ input: lastQuestion(messages), output: contentOf(attributes, 'final_result') }))
}

function mapModel(span: SpanView): MappedSpan {
  const parameters = contentOf(span.attributes, 'model_request_parameters')
  const tools = isRecord(parameters) && Array.isArray(parameters['function_tools']) ? parameters['function_tools'] : undefined
  const names = toolNames(tools)
  return genAiStep(
    DIALECT,
    span,
    { ...defined({ hints: toolHints(names) }), extras: defined({ toolRoster: names.length > 0 ? names : undefined }) },
    { ...contentOfEvents(span), ...genAiContent(span) },
  )
}

/** Version 1: one JSON text with all message events; the one with `message` inside is the answer. */
function contentOfEvents(span: SpanView): GenAiContent {
  const events = contentOf(span.attributes, 'events')
  if (!Array.isArray(events)) return {}
  const answers = events.flatMap((event) => (isRecord(event) && isRecord(event['message']) ? [event['message']] : []))
  const asked = events.filter((event) => isRecord(event) && !isRecord(event['message']))
  return defined({ input: messagePartsOf(asked), output: messagePartsOf(answers) })
}
