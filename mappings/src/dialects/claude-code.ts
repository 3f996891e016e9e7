import type { ErrorInfo } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import { failureIn } from '../logs/claude-code-session.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { countOf, flagOf, numberOf, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { definedOrAbsent } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, hidden, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { plusParts, tokenUsage } from '../read/usage.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'claude-code'
/**
 * A tool span and its execution phase are one call. The phase may know neither tool nor call id, and a subagent's tools lie below a tool
 * as well, so the class is the outer span's id.
 */
const toolTwins = (spanId: string | undefined): string => `claude_code.tool:${spanId ?? ''}`

/** Claude Code: one user turn with its model requests and tools; most attributes have no prefix. */
export const claudeCode: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name === 'com.anthropic.claude_code.tracing' || span.name.startsWith('claude_code.'),
  map: mapClaudeCode,
  metadataKeys: [
    'span.type',
    'model',
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'cache_creation_tokens',
    'result_tokens',
    'ttft_ms',
    'duration_ms',
    'attempt',
    'success',
    'status_code',
    'error_class',
    'request_id',
    'client_request_id',
    'stop_reason',
    'response.has_tool_call',
    'tool_name',
    'tool_use_id',
    'subagent_type',
    'agent_id',
    'parent_agent_id',
    'decision',
    'source',
    'speed',
    'query_source',
    'llm_request.context',
    'user_prompt_length',
    'interaction.*',
    'terminal.type',
  ],
}

function mapClaudeCode(span: SpanView): MappedSpan {
  const { attributes } = span
  const type = textOf(attributes, 'span.type') ?? span.name.replace(/^claude_code\./, '')
  const fields: NodeFields = { run: conventionalGrouping(attributes), error: claudeFailure(span) }
  switch (type) {
    case 'interaction':
      return drawnByName(DIALECT, 'agent', span.name, { ...fields, input: promptOf(span) })
    case 'llm_request':
      return mapRequest(span, fields)
    case 'tool':
      return mapTool(span, fields)
    case 'tool.execution': {
      const name = textOf(attributes, 'tool_name') ?? 'execution'
      return drawnByName(DIALECT, 'tool', name, {
        ...fields,
        twinClass: toolTwins(span.parentSpanId),
        toolCallId: textOf(attributes, 'tool_use_id'),
      })
    }
    case 'subagent':
      return drawnByName(DIALECT, 'agent', textOf(attributes, 'subagent_type', 'agent_type') ?? span.name, fields)
    case 'tool.blocked_on_user':
    case 'hook':
      return hidden(DIALECT, span.name, { run: fields.run })
    default:
      return drawn(DIALECT, 'custom', `custom:${span.name}`, span.name, fields)
  }
}

/** The prompt is written on the span or in a log record, each only if the user wants that. */
function promptOf(span: SpanView): string | undefined {
  const hidden = '<REDACTED>'
  const own = textOf(span.attributes, 'user_prompt')
  if (own !== undefined && own !== hidden) return own
  return textOf(logAt(span, 'claude_code.user_prompt'), 'prompt') ?? own
}

/** What a log record of this name says of the span. */
function logAt(span: SpanView, name: string): Attributes {
  return span.events.find((event) => event.name === name)?.attributes ?? {}
}

/** `input_tokens` leaves out what was read from the cache or written to it. The price is only in a log record. */
function mapRequest(span: SpanView, fields: NodeFields): MappedSpan {
  const { attributes } = span
  const cacheRead = countOf(attributes, 'cache_read_tokens')
  const cacheWrite = countOf(attributes, 'cache_creation_tokens')
  const rawFinishReason = textOf(attributes, 'stop_reason')
  return drawnStep(DIALECT, {
    ...fields,
    usage: tokenUsage({
      input: plusParts(countOf(attributes, 'input_tokens'), cacheRead, cacheWrite),
      output: countOf(attributes, 'output_tokens'),
      cacheRead,
      cacheWrite,
      costUsd: numberOf(logAt(span, 'claude_code.api_request'), 'cost_usd'),
    }),
    model: textOf(attributes, 'model', 'gen_ai.request.model'),
    provider: textOf(attributes, 'gen_ai.system'),
    finishReason: finishReasonOf(rawFinishReason, flagOf(attributes, 'response.has_tool_call') === true),
    firstTokenMs: numberOf(attributes, 'ttft_ms'),
    extras: {
      rawFinishReason,
      responseId: textOf(attributes, 'gen_ai.response.id', 'request_id'),
      attempt: countOf(attributes, 'attempt'),
      httpStatus: textOf(attributes, 'status_code'),
      agentId: textOf(attributes, 'agent_id'),
      context: textOf(attributes, 'llm_request.context'),
    },
  })
}

/** Input and output come in an event when the user asked for contents, else the details say a little. */
function mapTool(span: SpanView, fields: NodeFields): MappedSpan {
  const { attributes } = span
  const bodies = span.events.find((event) => event.name === 'tool.output')?.attributes ?? {}
  return drawnByName(DIALECT, 'tool', textOf(attributes, 'tool_name') ?? span.name, {
    ...fields,
    twinClass: toolTwins(span.spanId),
    innerAgent: textOf(attributes, 'subagent_type'),
    toolCallId: textOf(attributes, 'tool_use_id', 'gen_ai.tool.call.id'),
    input:
      contentOf(bodies, 'input') ??
      definedOrAbsent({
        command: textOf(attributes, 'full_command'),
        file_path: textOf(attributes, 'file_path'),
        skill: textOf(attributes, 'skill_name'),
        subagent_type: textOf(attributes, 'subagent_type'),
      }),
    output: contentOf(bodies, 'output') ?? contentOf(logAt(span, 'claude_code.tool_result'), 'tool_output'),
    extras: {
      resultTokens: countOf(attributes, 'result_tokens'),
      subagent: textOf(attributes, 'subagent_type'),
      agentId: textOf(attributes, 'agent_id'),
    },
  })
}

/** `success` false is a failure whatever the status says. */
function claudeFailure(span: SpanView): ErrorInfo | undefined {
  const { attributes } = span
  const failure = failureOf(span)
  const result = logAt(span, 'claude_code.tool_result')
  if (failure === undefined && flagOf(result, 'success') === false) return failureIn({ attributes: result }, 'ToolError')
  if (failure === undefined && flagOf(attributes, 'success') !== false) return undefined
  const name = textOf(attributes, 'error_class') ?? failure?.name ?? 'Error'
  return { name, message: textOf(attributes, 'error') ?? failure?.message ?? 'The call ended without success and said nothing more.' }
}
