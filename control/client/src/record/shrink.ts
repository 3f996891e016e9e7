import { PROTOCOL_VERSION, parseEnvelope, TRUNCATED_SUFFIX } from '@graphmind-ai/schema'
import type { Payload } from './redact.ts'
import { serialize } from './serialize.ts'

/** Largest payload that is sent as it is, in bytes of JSON. */
export const MAX_PAYLOAD_BYTES = 512 * 1024
const PREVIEW_LENGTH = 2000
const MAX_KEYS = 256

/**
 * Makes a payload fit into `maxBytes`: its largest fields are cut first; where that is not enough, or the contract would not
 * recognise the result, only the fields that the contract needs stay; a payload of an unknown type becomes one marker.
 */
export function shrinkPayload(type: string, payload: Payload, bytes: number, maxBytes: number): Payload {
  const trimmed = trimFields(payload, bytes, maxBytes)
  if (fits(type, trimmed, maxBytes)) return trimmed
  const skeleton = keepKeys(trimmed, bytes)
  if (fits(type, skeleton, maxBytes)) return skeleton
  return cutObject(serialize(payload), bytes)
}

function trimFields(payload: Payload, bytes: number, maxBytes: number): Payload {
  const trimmed: Record<string, unknown> = { ...payload }
  const cutFields: string[] = []
  const sizes = Object.entries(payload).map(([key, value]) => ({ key, bytes: Buffer.byteLength(serialize(value)) }))
  sizes.sort((left, right) => right.bytes - left.bytes)
  let total = bytes
  for (const { key, bytes: fieldBytes } of sizes) {
    if (total <= maxBytes - PREVIEW_LENGTH || fieldBytes <= PREVIEW_LENGTH) break
    trimmed[key] = cut(payload[key])
    cutFields.push(key)
    total -= fieldBytes - Buffer.byteLength(serialize(trimmed[key]))
  }
  return cutFields.length === 0 ? payload : { ...trimmed, __graphmindTruncated: true, bytes, fields: cutFields }
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return preview(value) + TRUNCATED_SUFFIX
  if (Array.isArray(value)) return []
  if (isErrorLike(value)) return { name: cutText(value.name), message: cutText(value.message), __graphmindTruncated: true }
  const text = serialize(value)
  return cutObject(text, Buffer.byteLength(text))
}

function cutText(text: string): string {
  return text.length <= PREVIEW_LENGTH ? text : preview(text) + TRUNCATED_SUFFIX
}

function cutObject(text: string, bytes: number): Payload {
  return { __graphmindTruncated: true, bytes, preview: preview(text) }
}

// Half a surrogate pair at the cut would not be text.
function preview(text: string): string {
  return text.slice(0, PREVIEW_LENGTH).toWellFormed()
}

/** Thousands of small fields: the first ones stay, and how many went is said. */
function keepKeys(payload: Payload, bytes: number): Payload {
  const keys = Object.keys(payload)
  const kept = Object.fromEntries(
    keys.slice(0, MAX_KEYS).map((key) => [key, isErrorLike(payload[key]) ? payload[key] : cutIfLarge(payload[key])]),
  )
  const keysDropped = keys.length - MAX_KEYS
  return { ...kept, __graphmindTruncated: true, bytes, ...(keysDropped > 0 ? { keysDropped } : {}) }
}

function cutIfLarge(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value)
  return Buffer.byteLength(serialize(value)) > PREVIEW_LENGTH ? cut(value) : value
}

function fits(type: string, payload: Payload, maxBytes: number): boolean {
  if (Buffer.byteLength(serialize(payload)) > maxBytes) return false
  return parseEnvelope({ gm: PROTOCOL_VERSION, seq: 0, ts: 0, runId: 'r', type, payload }).outcome !== 'invalid'
}

function isErrorLike(value: unknown): value is { readonly name: string; readonly message: string } {
  if (typeof value !== 'object' || value === null) return false
  return 'name' in value && typeof value.name === 'string' && 'message' in value && typeof value.message === 'string'
}
