import type { NodeKind } from '@graphmind-ai/schema'
import type { Fields } from '../json-fields.ts'
import { storable } from '../storable.ts'
import { messageTypeOf, type ServiceRequest, text } from './read-frame.ts'

/** How a request to a service is drawn, and what its answers mean. */
interface ServiceRule {
  readonly kind: NodeKind
  /** What its node is called, and the part of the node id after the prefix. */
  readonly name: (request: ServiceRequest) => string
  /** In front of the name in the node id; the kind when absent. */
  readonly prefix?: string
  /** The output, from the recorded responses in order. */
  readonly output: (parts: readonly Fields[]) => unknown
  /** The text that a streamed part adds. */
  readonly textOf?: (part: Fields) => string | undefined
}

const service = (request: ServiceRequest) => request.service
const withOperation = ({ service: name, operation }: ServiceRequest) => (operation === undefined ? name : `${name}.${operation}`)
const field = (key: string) => (parts: readonly Fields[]) => parts.findLast((part) => part[key] !== undefined)?.[key]
const concatenated = (key: string) => (parts: readonly Fields[]) => parts.flatMap((part) => (Array.isArray(part[key]) ? part[key] : []))
const responses = (parts: readonly Fields[]) => (parts.length > 1 ? parts : parts[0])

/** Explain frames tell where an answer comes from; some carry an empty answer. */
export function isExplain(part: Fields): boolean {
  return messageTypeOf(part) === 'explain'
}

const answerText = (part: Fields) => (isExplain(part) ? undefined : text(part['response']))
const promptText = (part: Fields) => text(part['text'])
const joined = (textOf: (part: Fields) => string | undefined) => (parts: readonly Fields[]) =>
  parts.map((part) => textOf(part) ?? '').join('')

/** A template gives text, or an object as a JSON string. */
function promptOutput(parts: readonly Fields[]): unknown {
  const object = field('object')(parts)
  if (object === undefined) return joined(promptText)(parts)
  try {
    return typeof object === 'string' ? JSON.parse(object) : object
  } catch {
    // It promised an object and sent something else: that is what came out.
    return object
  }
}

const retrieverOf = (key: string): ServiceRule => ({ kind: 'retriever', name: service, output: concatenated(key) })
const rag: ServiceRule = { kind: 'retriever', name: service, output: joined(answerText), textOf: answerText }
const query: ServiceRule = { kind: 'retriever', name: service, output: responses }
const chain: ServiceRule = { kind: 'chain', name: service, output: responses }
const load: ServiceRule = { kind: 'resource', name: service, output: responses }
const papers: ServiceRule = { kind: 'resource', name: withOperation, output: responses }
const other: ServiceRule = { kind: 'custom', prefix: 'trustgraph', name: withOperation, output: responses }

const SERVICES: { readonly [service: string]: ServiceRule } = {
  // What it says is told by its steps.
  agent: { kind: 'agent', name: ({ flow }) => flow ?? 'agent', output: () => undefined },
  'text-completion': { kind: 'llm', name: service, output: joined(answerText), textOf: answerText },
  'image-to-text': { kind: 'llm', name: service, output: field('description') },
  prompt: { kind: 'prompt', name: ({ request }) => text(request['id']) ?? '?', output: promptOutput, textOf: promptText },
  'graph-rag': rag,
  'document-rag': rag,
  triples: retrieverOf('response'),
  'graph-embeddings': retrieverOf('entities'),
  'document-embeddings': retrieverOf('chunks'),
  'row-embeddings': retrieverOf('matches'),
  reranker: retrieverOf('results'),
  rows: query,
  sparql: query,
  'nlp-query': chain,
  'structured-query': chain,
  'structured-diag': chain,
  embeddings: { kind: 'custom', name: service, output: field('vectors') },
  'mcp-tool': {
    kind: 'tool',
    name: ({ request }) => text(request['name']) ?? '?',
    output: (parts) => field('object')(parts) ?? field('text')(parts),
  },
  'text-load': load,
  'document-load': load,
  librarian: papers,
  knowledge: papers,
  'collection-management': papers,
}

export interface ServiceNode {
  readonly nodeId: string
  readonly kind: NodeKind
  readonly name: string
}

export function nodeOf(request: ServiceRequest): ServiceNode {
  const { kind, name, prefix = kind } = ruleOf(request)
  const shown = storable(name(request))
  return { nodeId: storable(`${prefix}:${shown}`), kind, name: shown }
}

export function outputOf(request: ServiceRequest, parts: readonly Fields[]): unknown {
  return ruleOf(request).output(parts)
}

/** The text that a part of a streamed answer adds; undefined when it adds none. */
export function streamedText(request: ServiceRequest, part: Fields): string | undefined {
  return request.isStreaming ? ruleOf(request).textOf?.(part) : undefined
}

function ruleOf({ service: name }: ServiceRequest): ServiceRule {
  return (Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined) ?? other
}
