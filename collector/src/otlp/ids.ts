import { failed } from '../problem.ts'

const HEX = /^[0-9a-f]+$/
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const ZERO = /^0+$/
/** Characters of a span's name in a refusal. */
const MOST_OF_NAME = 80

/**
 * Reads an id of `bytes` bytes as lower-case hex: raw bytes (protobuf), hex in either case, or base64 as a plain proto3-JSON writer has it.
 * Undefined when absent, all zero or none of these.
 */
export function readId(value: unknown, bytes: 8 | 16): string | undefined {
  const hex = value instanceof Uint8Array ? hexOf(value) : typeof value === 'string' ? hexText(value, bytes) : undefined
  return hex === undefined || !isId(hex, bytes) ? undefined : hex
}

/** Whether this hex text has the length of an id and is not all zero. */
export function isId(hex: string, bytes: 8 | 16): boolean {
  return hex.length === bytes * 2 && !(hex.startsWith('00') && ZERO.test(hex))
}

/** The refusal of a span whose trace can't be told. */
export function noTraceId(name: string) {
  return failed('trace-id', `span "${name.slice(0, MOST_OF_NAME)}" has no valid traceId (16 bytes, not all zero)`)
}

/** The refusal of a span that can't be told from others of its trace. */
export function noSpanId(name: string) {
  return failed('span-id', `span "${name.slice(0, MOST_OF_NAME)}" has no valid spanId (8 bytes, not all zero)`)
}

function hexText(text: string, bytes: 8 | 16): string | undefined {
  if (text.length === bytes * 2) {
    const lower = text.toLowerCase()
    return HEX.test(lower) ? lower : undefined
  }
  const padded = bytes === 16 ? 24 : 12
  return text.length === padded && text.endsWith('=') && BASE64.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
