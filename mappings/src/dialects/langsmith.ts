import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import { modelOf, providerOf, rawFinishReasonOf } from '../gen-ai/facts.ts'
import { genAiCounts } from '../gen-ai/usage.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { asNumber, hasAny, textOf, withPrefix } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, type NodeFields } from '../read/drawn.ts'
import { describeFailure, failureOf, firstException } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping, groupingOf, joinRunFacts, tagsOf } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { unwrapLangChain } from '../read/langchain.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { countsIn, providerRequestOf, providerResponseOf, writeRequest } from '../read/provider-body.ts'
import { stableName } from '../read/stable-name.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { tokenUsage } from '../read/usage.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'langsmith'
const METADATA = 'langsmith.metadata.'

/** LangSmith in OpenTelemetry mode: whole inputs and outputs as one JSON text each, and a status that stays OK. */
export const langSmith: Dialect = {
  name: DIALECT,
  claims: (span) => hasAny(span.attributes, 'langsmith.span.kind', 'langsmith.traceable'),
  map: mapLangSmith,
  metadataKeys: [
    'langsmith.traceable',
    'langsmith.span.kind',
    'langsmith.trace.name',
    'langsmith.trace.session_name',
    'langsmith.span.tags',
    'langsmith.request.streaming',
    'langsmith.usage_metadata',
    ...['session_id', 'thread_id', 'conversation_id', 'user_id', 'ls_model_name', 'ls_provider', 'ls_model_type'].map(
      (key) => METADATA + key,
    ),
  ],
}

function mapLangSmith(span: SpanView): MappedSpan {
  const { attributes } = span
  const metadata = withPrefix(attributes, METADATA)
  const tags = tagsOf(attributes['langsmith.span.tags'])
  const name = stableName(textOf(attributes, 'gen_ai.tool.name') ?? span.name)
  const fields: NodeFields = {
    run: joinRunFacts(joinRunFacts(conventionalGrouping(attributes), groupingOf(metadata)), tags && { tags }),
    input: plainInput(unwrapLangChain(contentOf(attributes, 'gen_ai.prompt'))),
    output: plainOutput(unwrapLangChain(contentOf(attributes, 'gen_ai.completion'))),
    error: langSmithFailure(span),
    extras: { project: textOf(attributes, 'langsmith.trace.session_name') },
  }
  switch (textOf(attributes, 'langsmith.span.kind')) {
    case 'llm':
      return mapModel(span, fields)
    case 'tool':
      return drawnByName(DIALECT, 'tool', name, fields)
    case 'retriever':
      return drawnByName(DIALECT, 'retriever', name, fields)
    case 'prompt':
      return drawnByName(DIALECT, 'prompt', name, fields)
    case 'embedding':
      return drawn(DIALECT, 'custom', `custom:${name}`, name, {
        twinClass: EMBEDDING_TWINS,
        ...fields,
        output: undefined,
        model: modelOf(attributes),
      })
    case 'parser':
      return drawn(DIALECT, 'custom', `custom:${name}`, name, fields)
    default:
      return drawnByName(DIALECT, 'chain', name, { ...fields, mayBeAgent: true })
  }
}

function mapModel(span: SpanView, fields: NodeFields): MappedSpan {
  const { attributes } = span
  const request = providerRequestOf(fields.input)
  const response = providerResponseOf(fields.output)
  const names = toolNames(request.tools)
  const output = response && outputOfMessages(response.messages)
  const rawFinishReason = rawFinishReasonOf(attributes) ?? response?.finishReason
  const details = contentOf(attributes, 'langsmith.usage_metadata')
  const costUsd = isRecord(details) ? asNumber(details['total_cost']) : undefined
  return drawnStep(DIALECT, {
    ...fields,
    hints: toolHints(names),
    input: writeRequest(request) ?? fields.input,
    output: output ?? fields.output,
    usage: tokenUsage({ ...countsIn(details), ...defined(genAiCounts(attributes)), costUsd }),
    model: modelOf(attributes) ?? textOf(attributes, `${METADATA}ls_model_name`),
    provider: textOf(attributes, `${METADATA}ls_provider`) ?? providerOf(attributes),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    extras: {
      ...fields.extras,
      rawFinishReason,
      responseId: textOf(attributes, 'gen_ai.response.id'),
      toolRoster: names.length > 0 ? names : undefined,
      streaming: attributes['langsmith.request.streaming'] === true ? true : undefined,
    },
  })
}

/** One value alone is sent as `{input: value}`. */
function plainInput(value: unknown): unknown {
  return isRecord(value) && Object.keys(value).length === 1 && 'input' in value ? value['input'] : value
}

/** What is no object is sent as `{outputs: value}`. */
function plainOutput(value: unknown): unknown {
  if (!isRecord(value) || Object.keys(value).length !== 1) return value
  return value['outputs'] ?? value['output'] ?? value
}

/** OK was set first and stays; the exception tells, in the translator's words: type `Error`, the real class in the message. */
function langSmithFailure(span: SpanView): ErrorInfo | undefined {
  const exception = firstException(span)
  if (exception === undefined) return failureOf(span)
  const { name, message } = describeFailure(exception, undefined, span.status.message)
  const first = message.split('\n\n', 1)[0] ?? message
  const named = /^([A-Z]\w*): ([\s\S]+)$/.exec(first)
  return { name: named?.[1] ?? name, message: named?.[2] ?? first }
}
