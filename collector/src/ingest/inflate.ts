import { gunzipSync, inflateSync } from 'node:zlib'
import { failed, ok, type Result } from '../problem.ts'
import type { BodyEncoding } from './messages.ts'

/** Largest body, counted after decompression, as the OTLP specification advises. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Inflates a request body; stops as soon as the result would pass the cap. */
export function inflate(body: Uint8Array, encoding: BodyEncoding, maxBytes = MAX_BODY_BYTES): Result<Uint8Array> {
  if (encoding === 'identity') return body.byteLength > maxBytes ? tooLarge(maxBytes) : ok(body)
  try {
    const options = { maxOutputLength: maxBytes }
    return ok(encoding === 'gzip' ? gunzipSync(body, options) : inflateSync(body, options))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes)
    return failed('encoding', `The body is not valid ${encoding}. Check the Content-Encoding header and that the body is whole.`)
  }
}

function tooLarge(maxBytes: number): Result<never> {
  return failed('too-large', `The body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB after decompression. Send smaller batches.`)
}
