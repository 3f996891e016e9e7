import type { Dialect } from '../dialect.ts'
import { operationOf } from '../gen-ai/facts.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hidden } from '../read/drawn.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import type { SpanView } from '../span-view.ts'
import { mapOperation } from './otel-genai.ts'

const DIALECT = 'autogen'

/** AutoGen's core: agents and tools by the GenAI conventions, and the runtime's messages, which only carry them. */
export const autoGen: Dialect = {
  name: DIALECT,
  claims: (span) => span.scope.name === 'autogen-core' || span.scope.name.startsWith('autogen '),
  map: mapAutoGen,
  metadataKeys: ['messaging.destination', 'recipient_agent_type', 'sender_agent_type', 'message_type'],
}

function mapAutoGen(span: SpanView): MappedSpan {
  return operationOf(span) === undefined
    ? hidden(DIALECT, span.name, { run: conventionalGrouping(span.attributes) })
    : mapOperation(DIALECT, span)
}
