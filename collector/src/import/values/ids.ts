import { digest } from '../../ingest/outbox.ts'
import { readId } from '../../otlp/ids.ts'

// MLflow writes `tr-` before a trace id where it names a trace.
const HEX = /^(?:0x|tr-)?([0-9a-f]+)$/i
const ZERO = /^[0-]*$/

/** A trace id of 32 hex digits from what a trace store writes: hex with or without `0x` and leading zeros, a UUID, base64, or any name. */
export function traceIdFrom(value: unknown): string | undefined {
  return idFrom(value, 16)
}

/** A span id of 16 hex digits, read likewise. A UUID is longer than that, so it is hashed. */
export function spanIdFrom(value: unknown): string | undefined {
  return idFrom(value, 8)
}

function idFrom(value: unknown, bytes: 8 | 16): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'bigint' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  if (text === '' || ZERO.test(text)) return undefined
  const digits = HEX.exec(text)?.[1]?.toLowerCase()
  if (digits !== undefined && digits.length <= bytes * 2) return digits.padStart(bytes * 2, '0')
  const uuid = text.replaceAll('-', '')
  return readId(text, bytes) ?? (bytes === 16 ? readId(uuid, bytes) : undefined) ?? hashed(text, bytes)
}

// The same name has to give the same id in every import.
function hashed(text: string, bytes: 8 | 16): string {
  return bytes === 8 ? digest(text) : `${digest(text)}${digest(`${text}#`)}`
}
