import type { Dialect } from '../dialect.ts'
import { operationOf, requestModelOf } from '../gen-ai/facts.ts'
import { genAiAgent, genAiEmbedding, genAiRetrieval, genAiStep, genAiTool, genAiWorkflow } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { drawn, drawnByName, hidden } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'otel-genai'

/** OpenTelemetry's GenAI conventions, from 1.27 to the newest, by `gen_ai.operation.name`. */
export const otelGenAi: Dialect = {
  name: DIALECT,
  claims: (span) => operationOf(span) !== undefined || isToolByName(span) || isOldModelSpan(span),
  map: (span) => mapOperation(DIALECT, span),
  metadataKeys: [
    'gen_ai.operation.name',
    'gen_ai.provider.name',
    'gen_ai.system',
    'gen_ai.request.model',
    'gen_ai.request.temperature',
    'gen_ai.request.top_p',
    'gen_ai.request.top_k',
    'gen_ai.request.max_tokens',
    'gen_ai.request.frequency_penalty',
    'gen_ai.request.presence_penalty',
    'gen_ai.request.seed',
    'gen_ai.request.stream',
    'gen_ai.request.choice.count',
    'gen_ai.request.encoding_formats',
    'gen_ai.request.reasoning.level',
    'gen_ai.response.id',
    'gen_ai.response.model',
    'gen_ai.response.finish_reasons',
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.usage.*',
    'gen_ai.output.type',
    'gen_ai.token.type',
    'gen_ai.agent.id',
    'gen_ai.agent.name',
    'gen_ai.agent.version',
    'gen_ai.workflow.name',
    'gen_ai.conversation.id',
    'gen_ai.data_source.id',
    'gen_ai.embeddings.dimension.count',
    'gen_ai.tool.name',
    'gen_ai.tool.type',
    'gen_ai.tool.call.id',
    'gen_ai.client.*',
    'gen_ai.server.*',
    'session.id',
    'user.id',
    'enduser.id',
  ],
}

/** A span by what `gen_ai.operation.name` says, for this dialect and those built on it. Agent and model names on a span mislead. */
export function mapOperation(dialect: string, span: SpanView): MappedSpan {
  const operation = operationOf(span)
  switch (operation) {
    case 'invoke_agent':
      return genAiAgent(dialect, span)
    case 'execute_tool':
      return genAiTool(dialect, span)
    case 'embeddings':
    case 'embedding':
      return genAiEmbedding(dialect, span)
    case 'retrieval':
    case 'retrieve':
      return genAiRetrieval(dialect, span)
    case 'rerank':
      return drawnByName(dialect, 'retriever', span.name, {
        twinClass: 'rerank',
        run: conventionalGrouping(span.attributes),
        input: contentOf(span.attributes, 'ai.query', 'gen_ai.retrieval.query.text'),
        output: contentOf(span.attributes, 'ai.ranking', 'gen_ai.retrieval.documents'),
        error: failureOf(span),
      })
    case 'invoke_workflow':
    case 'workflow':
      return genAiWorkflow(dialect, span)
    case 'create_agent':
    case 'agent_step':
    case 'model_step':
      return hidden(dialect, span.name, { run: conventionalGrouping(span.attributes) })
    case 'chat':
    case 'generate_content':
    case 'text_completion':
    case undefined:
      return isToolByName(span) ? genAiTool(dialect, span) : genAiStep(dialect, span)
  }
  if (requestModelOf(span.attributes) !== undefined && hasAny(span.attributes, 'gen_ai.usage.output_tokens', 'gen_ai.output.messages')) {
    return genAiStep(dialect, span)
  }
  return drawn(dialect, 'custom', `custom:${span.name}`, span.name, {
    run: conventionalGrouping(span.attributes),
    error: failureOf(span),
    extras: { operation },
  })
}

/** A tool whose attributes were lost, or never set: the conventional span name still says what it is. */
function isToolByName(span: SpanView): boolean {
  return operationOf(span) === undefined && /^execute_tool \S/.test(span.name)
}

/** A model call from before the operation had a name. */
function isOldModelSpan(span: SpanView): boolean {
  return hasAny(span.attributes, 'gen_ai.system', 'gen_ai.provider.name') && requestModelOf(span.attributes) !== undefined
}
