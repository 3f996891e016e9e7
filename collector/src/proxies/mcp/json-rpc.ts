import { type Fields, isFields } from '../json-fields.ts'

/** Ids are echoed by the peer; `null` is what an error about an unreadable request carries. */
export type RequestId = string | number

export interface RpcError {
  readonly code: number
  readonly message: string
}

export interface Request {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: unknown
}

export interface Response {
  readonly kind: 'response'
  readonly id: RequestId
  readonly outcome: { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: RpcError }
}

export type Message = Request | Notification | Response

/** What a line says. `other` is JSON that is no message, or nothing at all: relayed and not shown. `noise` is no JSON. */
export type Reading =
  | Message
  | { readonly kind: 'batch'; readonly messages: readonly Message[] }
  | { readonly kind: 'other' }
  | { readonly kind: 'noise'; readonly text: string }

/** Reads one line. Never throws. */
export function readFrame(bytes: Buffer): Reading {
  const text = bytes.toString('utf8').trim()
  if (text === '') return { kind: 'other' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'noise', text }
  }
  // A batch of the 2025-03-26 protocol.
  if (Array.isArray(value)) return { kind: 'batch', messages: value.map(readMessage).filter((message) => message !== undefined) }
  return readMessage(value) ?? { kind: 'other' }
}

function readMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const { id, method, params } = value
  if (typeof method === 'string') {
    return isRequestId(id) ? { kind: 'request', id, method, params } : { kind: 'notification', method, params }
  }
  if (!isRequestId(id)) return undefined
  if (isFields(value['error'])) return { kind: 'response', id, outcome: { ok: false, error: readError(value['error']) } }
  return 'result' in value ? { kind: 'response', id, outcome: { ok: true, result: value['result'] } } : undefined
}

function readError({ code, message }: Fields): RpcError {
  return { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : 'The error has no message.' }
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
