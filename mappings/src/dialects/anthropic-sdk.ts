import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import { genAiContent } from '../gen-ai/content.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiStep, genAiTool } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { resultOfBlocks } from '../read/result-blocks.ts'
import type { SpanView } from '../span-view.ts'
import { generic } from './generic.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'anthropic-sdk'

/** The spans that Anthropic's own client emits, with or without content. */
export const anthropicSdk: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name.startsWith('com.anthropic.sdk.'),
  map: mapAnthropic,
  metadataKeys: ['anthropic.message.stop_reason', 'anthropic.beta', 'anthropic.response.service_tier', 'anthropic.content.truncated'],
}

function mapAnthropic(span: SpanView): MappedSpan {
  switch (operationOf(span)) {
    case 'chat':
      return mapMessage(span)
    case 'execute_tool':
      return mapTool(span)
    case undefined:
      return { ...generic.map(span), dialect: DIALECT }
    default:
      return mapOperation(DIALECT, span)
  }
}

/** An aborted stream has a part of its answer, but no stop reason and no status. */
function mapMessage(span: SpanView): MappedSpan {
  const content = genAiContent(span)
  const stop = textOf(span.attributes, 'anthropic.message.stop_reason')
  const output = content.output && outputOfMessages(content.output)
  return genAiStep(
    DIALECT,
    span,
    {
      finishReason: finishReasonOf(stop, output?.toolCalls !== undefined),
      aborted: span.endNanos !== undefined && span.status.code === 'unset' && stop === undefined,
      extras: defined({ rawFinishReason: stop }),
    },
    content,
  )
}

/** The result is content blocks; for a failed tool they say what went wrong, as there is no exception event. */
function mapTool(span: SpanView): MappedSpan {
  const result = resultOfBlocks(contentOf(span.attributes, 'anthropic.tool_result.content'))
  const failure = failureOf(span)
  if (failure === undefined) return genAiTool(DIALECT, span, defined({ output: result }))
  const told: ErrorInfo = typeof result === 'string' ? { ...failure, message: result.replace(/^Error: /, '') } : failure
  return genAiTool(DIALECT, span, { error: told, output: undefined })
}
