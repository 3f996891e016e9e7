import type { NodeKind } from '@graphmind-ai/schema'
import type { Dialect } from '../dialect.ts'
import type { MappedSpan } from '../mapped-span.ts'
import { hasAny, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { defined } from '../read/defined.ts'
import { drawn, drawnByName, drawnStep, EMBEDDING_TWINS, hidden, type NodeFields } from '../read/drawn.ts'
import { failureOf } from '../read/failure.ts'
import { finishReasonOf } from '../read/finish-reason.ts'
import { conventionalGrouping } from '../read/grouping.ts'
import { isRecord } from '../read/is-record.ts'
import { type LlmOutput, outputOfMessages } from '../read/llm-output.ts'
import { textOfParts } from '../read/message.ts'
import { messagePartOf } from '../read/message-part.ts'
import { type ProviderResponse, providerRequestOf, providerResponseOf, writeRequest } from '../read/provider-body.ts'
import { stableName } from '../read/stable-name.ts'
import { toolHints, toolNames } from '../read/tool-roster.ts'
import { type TokenCounts, tokenUsage } from '../read/usage.ts'
import type { SpanView } from '../span-view.ts'

const DIALECT = 'genkit'
const KINDS: Readonly<Record<string, NodeKind>> = {
  flow: 'chain',
  tool: 'tool',
  agent: 'agent',
  retriever: 'retriever',
  reranker: 'retriever',
  indexer: 'retriever',
  prompt: 'prompt',
  'executable-prompt': 'prompt',
  resource: 'resource',
}

/** Genkit: attribute keys with colons; `generate` spans wrap each turn of the loop and nest into each other. */
export const genkit: Dialect = {
  name: DIALECT,
  claims: (span) => hasAny(span.attributes, 'genkit:type'),
  map: mapGenkit,
  metadataKeys: [
    'genkit:type',
    'genkit:metadata:subtype',
    'genkit:name',
    'genkit:key',
    'genkit:path',
    'genkit:isRoot',
    'genkit:state',
    'genkit:isFailureSource',
  ],
}

function mapGenkit(span: SpanView): MappedSpan {
  const { attributes } = span
  const type = textOf(attributes, 'genkit:type')
  const subtype = textOf(attributes, 'genkit:metadata:subtype') ?? ''
  const name = stableName(textOf(attributes, 'genkit:name') ?? span.name)
  const fields: NodeFields = {
    run: conventionalGrouping(attributes),
    input: contentOf(attributes, 'genkit:input'),
    output: contentOf(attributes, 'genkit:output'),
    error: failureOf(span),
  }
  if (type === 'util' || type === 'userEngagement') return hidden(DIALECT, name, { run: fields.run })
  if (subtype === 'model') return mapModel(name, fields)
  if (subtype === 'retriever') return drawnByName(DIALECT, 'retriever', name, { ...fields, input: queryOf(fields.input) })
  if (subtype === 'embedder') {
    return drawn(DIALECT, 'custom', `custom:${name}`, name, { twinClass: EMBEDDING_TWINS, ...fields, output: vectorNote(fields.output) })
  }
  const kind = KINDS[subtype] ?? (type === 'flowStep' ? 'chain' : undefined)
  return kind === undefined ? drawn(DIALECT, 'custom', `custom:${name}`, name, fields) : drawnByName(DIALECT, kind, name, fields)
}

function mapModel(name: string, fields: NodeFields): MappedSpan {
  const request = providerRequestOf(fields.input)
  const response = providerResponseOf(fields.output)
  const raw = isRecord(fields.output) ? providerResponseOf(fields.output['raw']) : undefined
  const output = response && withRawText(outputOfMessages(response.messages), raw)
  const names = toolNames(request.tools)
  const slash = name.indexOf('/')
  const rawFinishReason = raw?.finishReason ?? response?.finishReason
  return drawnStep(DIALECT, {
    ...fields,
    hints: toolHints(names),
    input: writeRequest(request) ?? fields.input,
    output: output ?? fields.output,
    usage: tokenUsage(countsOf(response, raw)),
    model: slash < 0 ? name : name.slice(slash + 1),
    provider: slash < 0 ? undefined : name.slice(0, slash),
    finishReason: finishReasonOf(rawFinishReason, output?.toolCalls !== undefined),
    extras: {
      rawFinishReason,
      responseId: raw?.id,
      toolRoster: names.length > 0 ? names : undefined,
      parameters: isRecord(fields.input) ? fields.input['config'] : undefined,
    },
  })
}

/** Adapters drop the text beside tool requests; the provider's own body still has it. */
function withRawText(output: LlmOutput | undefined, raw: ProviderResponse | undefined): LlmOutput | undefined {
  const text = output?.text === undefined && raw !== undefined ? outputOfMessages(raw.messages)?.text : undefined
  return text === undefined || text === '' ? output : { text, ...output }
}

/** Gemini counts thoughts beside the output: then the total is the sum of the three. */
function countsOf(response: ProviderResponse | undefined, raw: ProviderResponse | undefined): TokenCounts {
  const counts: TokenCounts = { ...defined(raw?.counts ?? {}), ...defined(response?.counts ?? {}) }
  const { input, output, total, reasoning } = counts
  const apart = input !== undefined && output !== undefined && reasoning !== undefined && total === input + output + reasoning
  return apart ? { ...counts, output: output + reasoning } : counts
}

function queryOf(input: unknown): unknown {
  const query = isRecord(input) ? input['query'] : undefined
  const content = isRecord(query) ? query['content'] : query
  return Array.isArray(content) ? (textOfParts(content.map(messagePartOf)) ?? input) : (content ?? input)
}

function vectorNote(output: unknown): unknown {
  const list = isRecord(output) ? output['embeddings'] : undefined
  return Array.isArray(list) ? { vectors: list.length } : undefined
}
