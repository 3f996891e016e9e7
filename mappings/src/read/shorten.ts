import { setField } from './defined.ts'
import { isRecord } from './is-record.ts'
import { MAX_BASE64_BYTES, MAX_DEPTH, TRUNCATED } from './limits.ts'

/** Stands for bytes that nobody reads as text. */
export interface BytesNote {
  readonly mime?: string
  readonly bytes: number
}

const SIGNATURES: readonly (readonly [string, readonly number[], string])[] = [
  ['iVBORw0KGgo', [0x89, 0x50, 0x4e, 0x47], 'image/png'],
  ['/9j/', [0xff, 0xd8, 0xff], 'image/jpeg'],
  ['R0lGOD', [0x47, 0x49, 0x46, 0x38], 'image/gif'],
  ['UklGR', [0x52, 0x49, 0x46, 0x46], 'image/webp'],
  ['JVBERi0', [0x25, 0x50, 0x44, 0x46], 'application/pdf'],
]

/**
 * A plain value made fit to keep: whole Unicode, bytes as their size (long base64, numbered bytes of the AI SDK, Node buffers), no
 * endless nesting, no number JSON cannot hold.
 */
export function shorten(value: unknown): unknown {
  return walk(value, 0, undefined)
}

function walk(value: unknown, depth: number, media: string | undefined): unknown {
  if (typeof value === 'string') return walkText(value, media)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Uint8Array) return bytesNote(value.length, media ?? mimeOfBytes(value))
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return TRUNCATED
  if (Array.isArray(value)) return walkList(value, depth, media)
  if (!isRecord(value)) return value
  const bytes = numberedBytes(value) ?? nodeBuffer(value)
  if (bytes !== undefined) return bytes.length < 16 ? value : bytesNote(bytes.length, media ?? mimeOfBytes(bytes))
  return walkFields(value, depth)
}

// Most values are fit already: those are passed on as they are, and nothing is copied.
function walkList(list: readonly unknown[], depth: number, media: string | undefined): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const kept = walk(item, depth + 1, media)
    if (copy === undefined && kept !== item) copy = list.slice(0, index)
    copy?.push(kept)
  }
  return copy ?? list
}

function walkFields(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  const own = mediaOf(value)
  let copy: Record<string, unknown> | undefined
  const keys = Object.keys(value)
  for (const [index, key] of keys.entries()) {
    const field = value[key]
    const kept = walk(field, depth + 1, own)
    if (copy === undefined && (kept !== field || !key.isWellFormed())) copy = firstFields(value, keys, index)
    if (copy !== undefined) setField(copy, key.toWellFormed(), kept)
  }
  return copy ?? value
}

function firstFields(value: Record<string, unknown>, keys: readonly string[], count: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const key of keys.slice(0, count)) setField(fields, key, value[key])
  return fields
}

/** The media type an object names for its data, or `''` when it only says that it is media. */
function mediaOf(value: Record<string, unknown>): string | undefined {
  for (const key of ['mediaType', 'mimeType', 'mime_type', 'media_type', 'mime', 'contentType']) {
    const type = value[key]
    if (typeof type === 'string' && type !== '') return type
  }
  const type = value['type']
  return typeof type === 'string' && /image|file|audio|video|blob|media|document|base64/.test(type) ? '' : undefined
}

function walkText(text: string, media: string | undefined): unknown {
  const data = !text.startsWith('data:') ? null : /^data:([\w.+/-]*)(?:;[\w=.+-]+)*;base64,/.exec(text.slice(0, 200))
  if (data !== null) return base64(text, data[0].length, data[1] || undefined)
  if (media !== undefined && text.length >= 100 && /^[A-Za-z0-9+/_-]{100,}={0,2}$/.test(text))
    return base64(text, 0, media || mimeOfBase64(text))
  return text.toWellFormed()
}

function base64(text: string, start: number, mime: string | undefined): unknown {
  const bytes = Math.floor(((text.length - start) * 3) / 4)
  return bytes > MAX_BASE64_BYTES ? bytesNote(bytes, mime) : text.toWellFormed()
}

function bytesNote(bytes: number, mime: string | undefined): BytesNote {
  return mime ? { mime, bytes } : { bytes }
}

/** `{"0":137,"1":80,…}`, which is what JSON.stringify makes of a Uint8Array. */
function numberedBytes(value: Record<string, unknown>): readonly number[] | undefined {
  if (typeof value['0'] !== 'number') return undefined
  const items = Object.values(value)
  if (value[String(items.length - 1)] === undefined) return undefined
  return allBytes(items) ? items : undefined
}

/** `{"type":"Buffer","data":[…]}`, which is what JSON.stringify makes of a Node buffer. */
function nodeBuffer(value: Record<string, unknown>): readonly number[] | undefined {
  const data = value['data']
  return value['type'] === 'Buffer' && Array.isArray(data) && allBytes(data) ? data : undefined
}

function allBytes(items: readonly unknown[]): items is readonly number[] {
  return items.every((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255)
}

function mimeOfBase64(text: string): string | undefined {
  return SIGNATURES.find(([start]) => text.startsWith(start))?.[2]
}

function mimeOfBytes(bytes: ArrayLike<number>): string | undefined {
  return SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[2]
}
