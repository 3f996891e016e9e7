import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { openInferenceNode, runFactsOf, spanKindOf } from '../openinference/nodes.ts'
import { inputValue, outputValue } from '../openinference/value.ts'
import { hasAny } from '../read/attribute.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { drawnByName, hidden } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { isRecord } from '../read/is-record.ts'
import { parseJsonText } from '../read/json-text.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'openai-agents'

/** The OpenAI Agents SDK through OpenInference: workflow, `Agent workflow`, agent, `turn`, then model calls and tools. */
export const openAiAgents: Dialect = {
  name: DIALECT,
  claims: (span) =>
    /openinference[-.]instrumentation[-.]openai[-_]agents/.test(span.scope.name) &&
    typeof span.attributes['openinference.span.kind'] === 'string',
  map: mapOpenAiAgents,
  metadataKeys: [],
}

function mapOpenAiAgents(span: SpanView): MappedSpan {
  const { attributes } = span
  const run = runFactsOf(attributes)
  const error = agentsFailure(span)
  const kind = spanKindOf(attributes)
  if (kind === 'CHAIN' && /^(turn|Agent workflow)$/.test(span.name)) return hidden(DIALECT, span.name, { run })
  // The trace itself is called an agent, too, but only real agents are nodes of the agent graph.
  if (kind === 'AGENT' && !hasAny(attributes, 'graph.node.id')) {
    return drawnByName(DIALECT, 'chain', span.name, {
      run: { ...run, name: span.name.toWellFormed() },
      input: questionIn(inputValue(attributes)),
      output: answerIn(outputValue(attributes)),
      error,
    })
  }
  return openInferenceNode(DIALECT, span, { run, error })
}

/** Messages look like `Error in agent run: {"error":"Name: text"}`: the inner text is what went wrong. */
function agentsFailure(span: SpanView): ErrorInfo | undefined {
  const failure = failureOf(span)
  const start = failure?.message.indexOf('{') ?? -1
  if (failure === undefined || start < 0) return failure
  const inner = parseJsonText(failure.message.slice(start))
  if (!isRecord(inner) || typeof inner['error'] !== 'string' || inner['error'] === '') return failure
  const named = /^([A-Z]\w*): ([\s\S]+)$/.exec(inner['error'])
  const message = (named?.[2] ?? inner['error']).toWellFormed()
  return { ...failure, name: named?.[1] ?? failure.name, message }
}
