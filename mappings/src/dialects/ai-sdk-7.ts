import type { Dialect } from '../dialect.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiAgent, genAiEmbedding, genAiStep } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, withPrefix } from '../read/attribute.ts'
import { contentListOf, contentOf } from '../read/content.ts'
import { hidden } from '../read/drawn.ts'
import { conventionalGrouping, GROUPING_KEYS, groupingOf, joinRunFacts, type RunFacts } from '../read/grouping.ts'
import { parametersOf } from '../read/parameters.ts'
import { vectorsOf } from '../read/vectors.ts'
import type { SpanView } from '../span-view.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'ai-sdk-7'
const CONTEXT = 'ai.settings.context.'

/** Vercel AI SDK 7 through `@ai-sdk/otel`: GenAI conventions under the scope `gen_ai`, with `ai.*` supplements on wish. */
export const aiSdk7: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name === 'gen_ai' && operationOf(span) !== undefined,
  map: mapAiSdk7,
  metadataKeys: [...GROUPING_KEYS.map((key) => CONTEXT + key), 'gen_ai.execute_tool.duration'],
}

function mapAiSdk7(span: SpanView): MappedSpan {
  const { attributes } = span
  const run = runOf(span)
  const context = parametersOf(attributes, CONTEXT, (key) => GROUPING_KEYS.includes(key))
  switch (operationOf(span)) {
    case 'invoke_agent':
      return genAiAgent(DIALECT, span, {
        run,
        aborted: wasAborted(span),
        extras: { metadata: context, schema: contentOf(attributes, 'ai.schema') },
      })
    case 'agent_step':
      return hidden(DIALECT, span.name, { run })
    case 'chat':
      return genAiStep(DIALECT, span, { aborted: wasAborted(span) })
    case 'embeddings':
      return genAiEmbedding(DIALECT, span, {
        run,
        input: contentOf(attributes, 'ai.value') ?? contentListOf(attributes, 'ai.values'),
        output: vectorsOf(attributes['ai.embedding']) ?? vectorsOf(attributes['ai.embeddings']),
      })
    default:
      return mapOperation(DIALECT, span)
  }
}

function runOf(span: SpanView): RunFacts | undefined {
  return joinRunFacts(groupingOf(withPrefix(span.attributes, CONTEXT)), conventionalGrouping(span.attributes))
}

/** An aborted call ends with no answer, no finish reason, no count and no error. */
function wasAborted(span: SpanView): boolean {
  if (span.endNanos === undefined || span.status.code !== 'unset') return false
  return !hasAny(
    span.attributes,
    'gen_ai.response.finish_reasons',
    'gen_ai.response.id',
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.output_tokens',
    'gen_ai.output.messages',
  )
}
