import { gunzipSync, inflateSync } from 'node:zlib'
import { failed, ok, type Result } from '../problem.ts'
import type { BodyEncoding } from './messages.ts'

/** Largest body, counted after decompression, as the OTLP specification advises. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Deflate can't make more than this of a byte (zlib's technical notes). */
const MAX_RATIO = 1032
/** Zlib's own format, unlike gzip, does not say how long the result is, so less of it is tried. */
const MAX_DEFLATE_BYTES = 16 * 1024 * 1024

/** Inflates a request body of at most `maxBytes`. A gzip body says its length at its end, so one that is too long costs nothing. */
export function inflate(body: Uint8Array, encoding: BodyEncoding, maxBytes = MAX_BODY_BYTES): Result<Uint8Array> {
  if (encoding === 'identity') return body.byteLength > maxBytes ? tooLarge(maxBytes) : ok(body)
  if (encoding === 'deflate') return inflateAtMost(body, encoding, Math.min(maxBytes, MAX_DEFLATE_BYTES))
  const said = saidLength(body)
  // The end of half a body is not its end.
  if (said > body.byteLength * MAX_RATIO) return broken(encoding)
  return said > maxBytes ? tooLarge(maxBytes) : inflateAtMost(body, encoding, said)
}

/** The last four bytes of a gzip member: its length uncompressed (RFC 1952, ISIZE). */
function saidLength(body: Uint8Array): number {
  return body.byteLength < 4 ? 0 : new DataView(body.buffer, body.byteOffset).getUint32(body.byteLength - 4, true)
}

function inflateAtMost(body: Uint8Array, encoding: Exclude<BodyEncoding, 'identity'>, maxBytes: number): Result<Uint8Array> {
  try {
    const options = { maxOutputLength: Math.max(1, maxBytes) }
    return ok(encoding === 'gzip' ? gunzipSync(body, options) : inflateSync(body, options))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ERR_BUFFER_TOO_LARGE') return broken(encoding)
    return encoding === 'deflate'
      ? tooLarge(maxBytes)
      : failed('encoding', 'The gzip body is longer than its own end says. Send it as one whole gzip member.')
  }
}

function broken(encoding: BodyEncoding): Result<never> {
  return failed('encoding', `The body is not valid ${encoding}. Check the Content-Encoding header and that the body is whole.`)
}

function tooLarge(maxBytes: number): Result<never> {
  return failed('too-large', `The body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB after decompression. Send smaller batches.`)
}
