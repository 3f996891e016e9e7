import { type Fields, isFields } from '../json-fields.ts'

/** A request of a client to a service of the gateway. */
export interface ServiceRequest {
  readonly kind: 'request'
  /** Chosen by the client, and echoed with its JSON type. */
  readonly id: unknown
  readonly service: string
  readonly request: Fields
  readonly operation: string | undefined
  readonly flow: string | undefined
  readonly workspace: string | undefined
  readonly isStreaming: boolean
}

/** One frame of the gateway about a request. */
export interface ServiceAnswer {
  readonly kind: 'answer'
  readonly id: unknown
  readonly response: Fields
  /** The failure of the envelope; a failure of the service is inside `response`. */
  readonly error: unknown
  readonly isComplete: boolean | undefined
}

/** Belongs to no request: relayed and counted. */
export interface Unrouted {
  readonly kind: 'unrouted'
}

const UNROUTED: Unrouted = { kind: 'unrouted' }

/** Reads a frame of the client. Never throws. An `auth` frame is recognised first, so that nothing of it is looked at. */
export function readClientFrame(bytes: Buffer): ServiceRequest | { readonly kind: 'auth' } | Unrouted {
  const frame = parse(bytes)
  if (frame === undefined) return UNROUTED
  if (frame['type'] === 'auth') return { kind: 'auth' }
  const { id, service, request, flow, workspace } = frame
  if (isAbsent(id) || !isFields(request)) return UNROUTED
  return {
    kind: 'request',
    id,
    service: text(service) ?? 'unknown',
    request,
    operation: text(request['operation']),
    flow: text(flow),
    workspace: text(workspace),
    isStreaming: request['streaming'] === true,
  }
}

/** Reads a frame of the gateway. Never throws. */
export function readGatewayFrame(bytes: Buffer): ServiceAnswer | { readonly kind: 'auth'; readonly isOk: boolean } | Unrouted {
  const frame = parse(bytes)
  if (frame === undefined) return UNROUTED
  if (frame['type'] === 'auth-ok' || frame['type'] === 'auth-failed') return { kind: 'auth', isOk: frame['type'] === 'auth-ok' }
  const { id, response, error, complete } = frame
  if (isAbsent(id)) return UNROUTED
  return {
    kind: 'answer',
    id,
    response: isFields(response) ? response : {},
    error: isAbsent(error) ? undefined : error,
    isComplete: typeof complete === 'boolean' ? complete : undefined,
  }
}

/** A field in the spelling of the wire, or in the one of the documentation: `end_of_stream`, `end-of-stream`. */
export function fieldOf(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replaceAll('_', '-')]
}

/** What an answer is about, where it says so; both spellings and generations. */
export function messageTypeOf(response: Fields): string | undefined {
  return text(response['message_type']) ?? text(fieldOf(response, 'chunk_type'))
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function parse(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isFields(value) ? value : undefined
  } catch {
    // Python can send NaN, which is no JSON: relayed like anything that can't be read.
    return undefined
  }
}
