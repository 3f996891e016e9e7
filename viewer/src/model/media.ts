import { size } from './format.ts'
import { isObject, textOf } from './values.ts'

/** A picture, recording or file in a message. */
export interface Media {
  readonly type: 'media'
  /** Its media type, or what its sender calls it: `image/png`, `audio`. */
  readonly media: string
  /** Undefined when it is not in the message. */
  readonly bytes: number | undefined
  /** A `data:` address of a picture that can be drawn. */
  readonly picture: string | undefined
  /** Where it lies when it is not in the message. It is told, and never loaded: the viewer asks nobody but its collector. */
  readonly elsewhere: string | undefined
}

/** Larger pictures are named and not drawn: it holds the page up while it is decoded, and one is shown for each message. */
export const MOST_PICTURE_BYTES = 3_000_000

/** How base64 of the formats begins that every browser draws. What only calls itself a picture is not drawn. */
const BEGINNINGS: readonly (readonly [beginning: string, media: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** The media in a part of a message, as AI SDK, OpenAI, Anthropic, Gemini and OpenTelemetry write it. */
export function readMedia(part: Readonly<Record<string, unknown>>): Media {
  const box = boxOf(part)
  const address = [
    part['image_url'],
    part['image'],
    part['file_data'],
    box['url'],
    box['uri'],
    box['fileUri'],
    box['file_data'],
    box['data'],
  ]
  const data = textOf(box['data'] ?? box['image'] ?? box['content'] ?? box['blob'])
  const written = address.map(textOf).find((text) => text !== undefined && /^(?:data|https?|gs|file):/i.test(text)) ?? data
  const named = ['mediaType', 'mimeType', 'mime_type', 'media_type', 'modality', 'format'].map((name) => textOf(box[name] ?? part[name]))
  const name = named.find((text) => text !== undefined) ?? String(part['type'] ?? 'file')
  if (written === undefined) return { type: 'media', media: name, bytes: undefined, picture: undefined, elsewhere: undefined }
  return mediaOf(written, name)
}

function mediaOf(written: string, name: string): Media {
  const inline = /^data:([^;,]*)[^,]*,/i.exec(written.slice(0, 200))
  if (inline === null && /^[a-z]+:\/\//i.test(written)) {
    return { type: 'media', media: name, bytes: undefined, picture: undefined, elsewhere: written }
  }
  const base64 = inline === null ? written : written.slice(inline[0].length)
  const format = BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1]
  const bytes = bytesOf(base64)
  const picture = format !== undefined && bytes <= MOST_PICTURE_BYTES ? `data:${format};base64,${base64}` : undefined
  return { type: 'media', media: format ?? (inline?.[1] || name), bytes, picture, elsewhere: undefined }
}

/** Vendors put it beside the type, or in an object of its own. */
function boxOf(part: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = ['source', 'image_url', 'input_audio', 'file', 'inlineData', 'inline_data', 'fileData', 'file_data']
  return names.map((name) => part[name]).find(isObject) ?? part
}

export function holdsMedia(part: Readonly<Record<string, unknown>>): boolean {
  return ['inlineData', 'inline_data', 'fileData', 'file_data'].some((name) => isObject(part[name]))
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding)
}

/** Base64 shorter than this is nothing that hurts: ids and digests are to be seen. */
const SHORT = 200
const DATA_ADDRESSES = /data:([\w.+-]+\/[\w.+-]+)?[^,\s"')]{0,60};base64,([A-Za-z0-9+/_=-]{200,})/gi

/** The text with media in it named instead of written out. */
export function withoutBase64(text: string): string {
  if (text.length < SHORT) return text
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text)) return inWords(undefined, text)
  return text.includes(';base64,')
    ? text.replace(DATA_ADDRESSES, (_whole, media: string | undefined, data: string) => inWords(media, data))
    : text
}

/** The value with media in its texts named instead of written out. */
export function valueWithoutBase64(value: unknown): unknown {
  if (typeof value === 'string') return withoutBase64(value)
  if (Array.isArray(value)) return value.map(valueWithoutBase64)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, valueWithoutBase64(inner)])) : value
}

function inWords(media: string | undefined, base64: string): string {
  const format = BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1]
  return `[${media ?? format ?? 'base64'}, ${size(bytesOf(base64))}]`
}
