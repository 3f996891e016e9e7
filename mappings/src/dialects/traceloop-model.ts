import type { Dialect } from '../dialect.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiEmbedding, genAiStep } from '../gen-ai/nodes.ts'
import { genAiCounts } from '../gen-ai/usage.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { defined } from '../read/defined.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { unflattenList } from '../read/flat-keys.ts'
import { isRecord } from '../read/is-record.ts'
import { parseJsonText } from '../read/json-text.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { type MessageParts, messagePartsOf, writeMessage } from '../read/message.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { plusParts, tokenUsage } from '../read/usage.ts'
import type { Attributes, SpanView } from '../span-view.ts'

const DIALECT = 'traceloop-model'

/** Model spans of old OpenLLMetry: messages flattened under `gen_ai.prompt.<i>.` and `gen_ai.completion.<i>.`. */
export const traceloopModel: Dialect = {
  name: DIALECT,
  claims: (span) =>
    hasAny(span.attributes, 'gen_ai.prompt.0.role', 'gen_ai.completion.0.role') ||
    (hasAny(span.attributes, 'llm.request.type') && operationOf(span) === undefined),
  map: mapModelSpan,
  metadataKeys: ['llm.request.type', 'llm.usage.*', 'gen_ai.completion.0.finish_reason'],
}

function mapModelSpan(span: SpanView): MappedSpan {
  const { attributes } = span
  if (textOf(attributes, 'llm.request.type') === 'embedding') return genAiEmbedding(DIALECT, span)
  const input = flatMessages(attributes, 'gen_ai.prompt.')
  const answers = flatMessages(attributes, 'gen_ai.completion.')
  const tools = unflattenList(attributes, 'llm.request.functions.')
  const names = toolNames(tools)
  const output = answers && outputOfMessages(answers)
  const rawFinishReason = answers?.findLast((answer) => answer.finishReason !== undefined)?.finishReason
  return genAiStep(DIALECT, span, {
    ...defined({
      input: input && defined({ messages: input.map(writeMessage), tools }),
      output,
      usage: tokenUsage(countsOf(attributes)),
      hints: toolHints(names),
      finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    }),
    extras: defined({ rawFinishReason, toolRoster: names.length > 0 ? names : undefined }),
  })
}

function flatMessages(attributes: Attributes, prefix: string): readonly MessageParts[] | undefined {
  return messagePartsOf(unflattenList(attributes, prefix)?.map(plainMessage))
}

/** Content is text, JSON text of blocks, or the text `null`. */
function plainMessage(message: unknown): unknown {
  if (!isRecord(message)) return message
  const content = message['content']
  const decoded = typeof content === 'string' && /^\s*\[/.test(content) ? parseJsonText(content) : content
  return { role: 'assistant', ...message, content: decoded === 'null' ? undefined : decoded }
}

/** Old Anthropic spans leave cache reads and writes out of the prompt; then the total counts the prompt without them. */
function countsOf(attributes: Attributes) {
  const counts = genAiCounts(attributes)
  const isAnthropic = /anthropic/i.test(textOf(attributes, 'gen_ai.system') ?? '')
  return isAnthropic ? { ...counts, input: plusParts(counts.input, counts.cacheRead, counts.cacheWrite) } : counts
}
