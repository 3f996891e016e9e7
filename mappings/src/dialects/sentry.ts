import type { Dialect } from '../dialect.ts'
import { type GenAiContent, genAiContent } from '../gen-ai/content.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiAgent, genAiStep } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { messagePartsOf } from '../read/message.ts'
import type { Attributes, SpanView } from '../span-view.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'sentry'

/** Sentry's AI spans, by hand or automatic: GenAI conventions with older names for contents. */
export const sentry: Dialect = {
  name: DIALECT,
  claims: (span) => textOf(span.attributes, 'sentry.op')?.startsWith('gen_ai.') ?? false,
  map: mapSentry,
  metadataKeys: ['sentry.op', 'sentry.origin', 'sentry.source', 'sentry.sample_rate', 'sentry.sdk_meta.*', 'gen_ai.response.streaming'],
}

function mapSentry(span: SpanView): MappedSpan {
  const operation = operationOf(span) ?? textOf(span.attributes, 'sentry.op')?.slice('gen_ai.'.length)
  const content: GenAiContent = { ...sentryContent(span.attributes), ...genAiContent(span) }
  if (operation === 'chat' || operation === 'responses' || operation === 'messages' || operation === 'generate_content') {
    return genAiStep(DIALECT, span, {}, content)
  }
  if (operation === 'invoke_agent') return genAiAgent(DIALECT, span, {}, content)
  const known = operationOf(span) !== undefined || operation === undefined
  return mapOperation(DIALECT, known ? span : { ...span, attributes: { ...span.attributes, 'gen_ai.operation.name': operation } })
}

/** `gen_ai.response.text` is a JSON list of texts for plain calls and bare text for streams. */
function sentryContent(attributes: Attributes): GenAiContent {
  const said = contentOf(attributes, 'gen_ai.response.text')
  const text = Array.isArray(said) ? said.filter((part) => typeof part === 'string').join('\n') : said
  const calls = contentOf(attributes, 'gen_ai.response.tool_calls')
  const output =
    said === undefined && calls === undefined
      ? undefined
      : messagePartsOf([{ role: 'assistant', content: typeof text === 'string' ? text : undefined, tool_calls: calls }])
  return defined({ input: messagePartsOf(contentOf(attributes, 'gen_ai.request.messages')), output })
}
