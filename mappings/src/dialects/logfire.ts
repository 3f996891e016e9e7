import type { Dialect } from '../dialect.ts'
import { operationOf } from '../gen-ai/facts.ts'
import { genAiStep } from '../gen-ai/nodes.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { drawn } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { conventionalGrouping, joinRunFacts, tagsOf } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { outputOfMessages } from '../read/llm-output.ts'
import { providerRequestOf, providerResponseOf, writeRequest } from '../read/provider-body.ts'
import { tokenUsage } from '../read/usage.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'logfire'

/** Spans of the Logfire SDKs: the template is the stable name, the message says it for this one time. */
export const logfire: Dialect = {
  name: DIALECT,
  claims: (span) => hasAny(span.attributes, 'logfire.msg_template') && operationOf(span) === undefined,
  map: (span) =>
    hasAny(span.attributes, 'request_data') && hasAny(span.attributes, 'gen_ai.request.model') ? mapModel(span) : mapSpanOfApp(span),
  metadataKeys: ['logfire.msg_template', 'logfire.tags', 'logfire.exception.fingerprint'],
}

function mapSpanOfApp(span: SpanView): MappedSpan {
  const { attributes } = span
  const name = textOf(attributes, 'logfire.msg_template') ?? span.name
  const message = textOf(attributes, 'logfire.msg')
  const tags = tagsOf(attributes['logfire.tags'])
  return drawn(DIALECT, 'custom', `custom:${name}`, name, {
    run: joinRunFacts(conventionalGrouping(attributes), tags && { tags }),
    error: failureOf(span),
    extras: { message: message === name ? undefined : message },
  })
}

/** Logfire's own instrumentation of model clients keeps the whole request and a summary of the response. */
function mapModel(span: SpanView): MappedSpan {
  const { attributes } = span
  const request = providerRequestOf(contentOf(attributes, 'request_data'))
  const data = contentOf(attributes, 'response_data')
  const response = providerResponseOf(data)
  return genAiStep(
    DIALECT,
    span,
    defined({
      input: writeRequest(request),
      output: response ? outputOfMessages(response.messages) : isRecord(data) ? data : undefined,
      usage: response?.counts && tokenUsage(response.counts),
    }),
  )
}
