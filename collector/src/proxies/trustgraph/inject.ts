import { type Fields, isFields } from '../json-fields.ts'
import { type ServiceRequest, text } from './read-frame.ts'

/** How a typed value becomes the response of a service. */
interface InjectRule {
  /** Keys of the payload: an object that has one of them is the response as it was typed. */
  readonly ownKeys: readonly string[]
  readonly lift: (value: unknown, request: ServiceRequest) => unknown
}

/** The key under which an operation returns a list. */
const LIST_KEYS: { readonly [operation: string]: string } = {
  'librarian.list-documents': 'document-metadatas',
  'librarian.list-processing': 'processing-metadatas',
  'knowledge.list-kg-cores': 'ids',
  'flow.list-flows': 'flow-ids',
  'flow.list-blueprints': 'blueprint-names',
  'collection-management.list-collections': 'collections',
  'config.list': 'directory',
  'config.getvalues': 'values',
}

const listOf = (key: string): InjectRule => ({
  ownKeys: [key],
  lift: (value) => (Array.isArray(value) ? { [key]: value } : value),
})
const rag: InjectRule = {
  ownKeys: ['response'],
  lift: (value) => ({ message_type: 'chunk', response: textOf(value), end_of_stream: true, end_of_session: true }),
}
const load: InjectRule = { ownKeys: [], lift: () => ({}) }
const other: InjectRule = {
  ownKeys: [],
  lift(value, { service, operation }) {
    const name = `${service}.${operation}`
    const key = Object.hasOwn(LIST_KEYS, name) ? LIST_KEYS[name] : undefined
    return key !== undefined && Array.isArray(value) ? { [key]: value } : (value ?? {})
  },
}

const RULES: { readonly [service: string]: InjectRule } = {
  'text-completion': { ownKeys: ['response'], lift: (value) => ({ response: textOf(value), end_of_stream: true }) },
  agent: {
    ownKeys: ['content', 'answer', 'message_type', 'chunk_type'],
    lift: (value, { isStreaming }) => ({
      // Older clients read one name of the type, newer ones the other, and neither minds the other's.
      message_type: 'answer',
      chunk_type: 'answer',
      content: textOf(value),
      ...(isStreaming ? {} : { answer: textOf(value) }),
      end_of_message: true,
      end_of_dialog: true,
    }),
  },
  'graph-rag': rag,
  'document-rag': rag,
  prompt: {
    ownKeys: ['text', 'object'],
    lift: (value) => ({ ...(isText(value) ? { text: value ?? '' } : { object: JSON.stringify(value) }), end_of_stream: true }),
  },
  'image-to-text': { ownKeys: ['description'], lift: (value) => ({ description: textOf(value) }) },
  'mcp-tool': { ownKeys: ['text', 'object'], lift: (value) => (isText(value) ? { text: value ?? '' } : { object: value }) },
  embeddings: listOf('vectors'),
  'graph-embeddings': listOf('entities'),
  'document-embeddings': listOf('chunks'),
  'row-embeddings': listOf('matches'),
  reranker: listOf('results'),
  triples: listOf('response'),
  rows: { ownKeys: ['data', 'errors'], lift: (value) => ({ data: value }) },
  'structured-query': { ownKeys: ['data', 'errors'], lift: (value) => ({ data: value, errors: [] }) },
  'nlp-query': {
    ownKeys: ['graphql_query'],
    lift: (value) => (typeof value === 'string' ? { graphql_query: value, variables: {}, detected_schemas: [], confidence: 1 } : value),
  },
  'text-load': load,
  'document-load': load,
}

/** The frame that answers a request with a typed value; `id` is the request's, as it was spelled. */
export function injectedFrame(value: unknown, id: unknown, request: ServiceRequest): Fields {
  if (isFields(value)) {
    if (typeof value['complete'] === 'boolean' && ('response' in value || 'error' in value)) return { ...value, id }
    const [key, ...others] = Object.keys(value)
    if (key === 'error' && others.length === 0) return { id, error: errorOf(value['error']), complete: true }
  }
  return { id, response: responseOf(value, request), complete: true }
}

function responseOf(value: unknown, request: ServiceRequest): unknown {
  const rule = (Object.hasOwn(RULES, request.service) ? RULES[request.service] : undefined) ?? other
  if (isFields(value) && rule.ownKeys.some((key) => key in value)) return value
  return rule.lift(value, request)
}

function errorOf(error: unknown): unknown {
  return typeof error === 'string' ? { type: 'error', message: error } : error
}

/** The frame that a request which was called off gets. */
export function abortedFrame(id: unknown): Fields {
  return { id, error: { type: 'aborted', message: 'Aborted in GraphMind' }, complete: true }
}

/** What an injected frame means for the node: its response, or its error. */
export function injectedError(frame: Fields): { readonly name: string; readonly message: string } | undefined {
  const { error } = frame
  if (error === undefined) return undefined
  const fields = isFields(error) ? error : {}
  return { name: text(fields['type']) ?? 'TrustGraphError', message: text(fields['message']) ?? text(error) ?? 'An error was injected.' }
}

function isText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}

function textOf(value: unknown): string {
  return isText(value) ? (value ?? '') : JSON.stringify(value)
}
