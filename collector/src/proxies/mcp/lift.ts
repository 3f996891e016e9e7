import { type Fields, isFields } from '../json-fields.ts'

/** What a lifted result has to fit. */
export interface Requested {
  readonly method: string
  readonly params: unknown
  /** The 2026-07-28 protocol or a later one, whose results say what they are and how long they may be kept. */
  readonly isStateless: boolean
}

interface ResultShape {
  readonly isShaped: (value: Fields) => boolean
  readonly lift: (value: unknown, requested: Requested) => Fields
}

const SHAPES: { readonly [method: string]: ResultShape } = {
  'tools/call': {
    isShaped: ({ content, structuredContent }) => Array.isArray(content) || isFields(structuredContent),
    lift: (value) => ({ content: [textContent(value)], ...(isFields(value) ? { structuredContent: value } : {}) }),
  },
  'resources/read': {
    isShaped: ({ contents }) => Array.isArray(contents),
    lift: (value, { params, isStateless }) => ({
      contents: [
        {
          uri: isFields(params) && typeof params['uri'] === 'string' ? params['uri'] : '',
          mimeType: typeof value === 'string' ? 'text/plain' : 'application/json',
          text: textOf(value),
        },
      ],
      ...(isStateless ? { ttlMs: 0, cacheScope: 'private' } : {}),
    }),
  },
  'prompts/get': {
    isShaped: ({ messages }) => Array.isArray(messages),
    lift: (value) => ({ messages: [{ role: 'user', content: textContent(value) }] }),
  },
  'sampling/createMessage': {
    isShaped: ({ role, content }) => typeof role === 'string' && content !== undefined,
    lift: (value) => ({ role: 'assistant', content: textContent(value), model: 'graphmind', stopReason: 'endTurn' }),
  },
}

/**
 * A typed value as the result its method has to return. What looks like such a result already is left as it is, and so is everything for a
 * method that has no shape here.
 */
export function liftResult(value: unknown, requested: Requested): unknown {
  const shape = Object.hasOwn(SHAPES, requested.method) ? SHAPES[requested.method] : undefined
  if (shape === undefined) return value ?? null
  if (isFields(value) && (typeof value['resultType'] === 'string' || shape.isShaped(value))) return value
  const lifted = shape.lift(value, requested)
  return requested.isStateless ? { resultType: 'complete', ...lifted } : lifted
}

/** The frame an injected value becomes: itself when it is a whole frame, else an answer with this id. */
export function answerFrame(value: unknown, id: unknown, requested: Requested): Fields {
  if (isFrame(value)) return 'id' in value ? value : { ...value, id }
  return { jsonrpc: '2.0', id, result: liftResult(value, requested) }
}

/** What goes on in place of a notification. */
export function notificationFrame(value: unknown, method: string): Fields {
  if (isFrame(value)) return value
  return { jsonrpc: '2.0', method, ...(value === undefined || value === null ? {} : { params: value }) }
}

function isFrame(value: unknown): value is Fields {
  return isFields(value) && value['jsonrpc'] !== undefined
}

function textContent(value: unknown): Fields {
  return { type: 'text', text: textOf(value) }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
