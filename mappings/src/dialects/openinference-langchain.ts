import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { openInferenceNode, runFactsOf, spanKindOf } from '../openinference/nodes.ts'
import { inputValue, outputValue } from '../openinference/value.ts'
import { contentOf } from '../read/content.ts'
import { answerIn, questionIn } from '../read/conversation.ts'
import { defined } from '../read/defined.ts'
import { drawnByName, hidden } from '../read/drawn.ts'
import { describeFailure, failureOf } from '../read/failure.ts'
import { isRecord } from '../read/is-record.ts'
import { isLangChainPlumbing, unwrapLangChain } from '../read/langchain.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { writeMessage } from '../read/message.ts'
import { providerRequestOf, providerResponseOf } from '../read/provider-body.ts'
import { firstText } from '../read/tool-call.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'openinference-langchain'

/** LangChain and LangGraph through OpenInference: every Runnable is a span, values are LangChain's constructor JSON. */
export const openInferenceLangChain: Dialect = {
  name: DIALECT,
  claims: (span) =>
    /openinference[-.]instrumentation[-.]langchain/.test(span.scope.name) && typeof span.attributes['openinference.span.kind'] === 'string',
  map: mapLangChain,
  metadataKeys: [],
}

function mapLangChain(span: SpanView): MappedSpan {
  const { attributes } = span
  const run = runFactsOf(attributes)
  const error = langChainFailure(span)
  const kind = spanKindOf(attributes)
  if (kind === 'CHAIN') return mapChain(span, error)
  if (kind === 'LLM') return openInferenceNode(DIALECT, span, { run, error, ...modelValues(span) })
  if (kind === 'TOOL') return openInferenceNode(DIALECT, span, { run, ...toolValues(attributes, error) })
  return openInferenceNode(DIALECT, span, { run, error })
}

/** An agent is a chain that is named like the agent its metadata tells of; the graph's own machinery is not drawn. */
function mapChain(span: SpanView, error: ErrorInfo | undefined): MappedSpan {
  const { attributes } = span
  const run = runFactsOf(attributes)
  const input = unwrapLangChain(inputValue(attributes))
  const output = unwrapLangChain(outputValue(attributes))
  if (agentNameOf(attributes) === span.name) {
    return drawnByName(DIALECT, 'agent', span.name, { run, input: questionIn(input), output: answerIn(output), error })
  }
  if (span.parentSpanId !== undefined && isLangChainPlumbing(span.name)) return hidden(DIALECT, span.name, { run })
  return openInferenceNode(DIALECT, span, { run, input, output, error })
}

function agentNameOf(attributes: Attributes): string | undefined {
  const metadata = contentOf(attributes, 'metadata')
  return isRecord(metadata) ? firstText(metadata['lc_agent_name']) : undefined
}

/** The flattened copy loses content that is a list, and call ids; the bodies have both. */
function modelValues(span: SpanView) {
  const request = providerRequestOf(unwrapLangChain(inputValue(span.attributes)))
  const response = providerResponseOf(unwrapLangChain(outputValue(span.attributes)))
  const tools = providerRequestOf(contentOf(span.attributes, 'llm.invocation_parameters')).tools
  return defined({
    input: request.messages && defined({ messages: request.messages.map(writeMessage), tools }),
    output: response && outputOfMessages(response.messages),
  })
}

function toolValues(attributes: Attributes, error: ErrorInfo | undefined) {
  const unwrapped = unwrapLangChain(outputValue(attributes))
  const message = isRecord(unwrapped) && isRecord(unwrapped['output']) ? unwrapped['output'] : unwrapped
  if (!isRecord(message) || message['role'] !== 'tool') return { error }
  const output = contentOf({ content: firstText(message['content']) ?? null }, 'content') ?? message['content']
  const failed = message['status'] === 'error' ? { name: 'ToolError', message: String(message['content']).toWellFormed() } : undefined
  return { error: error ?? failed, output, toolCallId: firstText(message['tool_call_id']) }
}

/** Status and exception hold "message, blank line, stack"; the class is what the stack begins with. */
function langChainFailure(span: SpanView): ErrorInfo | undefined {
  const failure = failureOf(span)
  if (failure === undefined) return undefined
  const [message = '', ...rest] = failure.message.split('\n\n')
  const stack = rest.join('\n\n')
  if (stack === '') return failure
  const name = /^([A-Za-z_$][\w$.]*?)(?::|\n|$)/.exec(stack)?.[1]
  return { ...describeFailure(undefined, name ?? failure.name, message), stack }
}
