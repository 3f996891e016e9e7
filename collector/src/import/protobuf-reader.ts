import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'
import { failed, ok, type Result } from '../problem.ts'
import { MAX_RECORD_BYTES } from './json-reader.ts'

const RESOURCE_SPANS_TAG = 0x0a
const LENGTH_DELIMITED = 2
const PREFIX_BYTES = 4

/**
 * Reads OTLP protobuf as it comes, a ResourceSpans at a time: one message, messages after each other, or messages behind a length of four
 * bytes as the OpenTelemetry collector's file exporter writes them. Bytes that are neither end the reading with a problem.
 */
export class ProtobufReader {
  readonly #take: (spans: readonly DecodedSpan[], rejected: readonly string[]) => void
  #waiting = Buffer.alloc(0)
  #isFramed: boolean | undefined
  /** Bytes left of the framed message that is being read. */
  #left = 0
  #problem: Result<void> | undefined

  constructor(take: (spans: readonly DecodedSpan[], rejected: readonly string[]) => void) {
    this.#take = take
  }

  write(bytes: Uint8Array): Result<void> {
    if (this.#problem !== undefined) return this.#problem
    this.#waiting = this.#waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#waiting, bytes])
    for (;;) {
      const read = this.#next()
      if (!read.ok) {
        this.#problem = read
        return read
      }
      if (read.value === 0) return ok(undefined)
      this.#waiting = this.#waiting.subarray(read.value)
    }
  }

  end(): Result<void> {
    if (this.#problem !== undefined) return this.#problem
    const isWhole = this.#waiting.length === 0 && this.#left === 0
    return isWhole ? ok(undefined) : failed('import-cut', 'it ends in the middle of a message')
  }

  /** Takes one prefix or field; returns how many bytes it had, 0 when more are needed. */
  #next(): Result<number> {
    if (this.#waiting.length === 0) return ok(0)
    // No protobuf field has a tag this small; the length of any message below 32 MiB begins with it.
    this.#isFramed ??= (this.#waiting[0] ?? 0) <= 1
    if (this.#isFramed && this.#left === 0) return this.#prefix()
    const field = fieldAt(this.#waiting)
    if (!field.ok) return field
    const { size } = field.value
    if (size === undefined) return ok(0)
    if (size > MAX_RECORD_BYTES) return failed('import-large', 'it holds a ResourceSpans of more than 64 MiB')
    if (this.#isFramed && size > this.#left) return notTraces()
    if (size > this.#waiting.length) return ok(0)
    if (this.#isFramed) this.#left -= size
    return field.value.tag === RESOURCE_SPANS_TAG ? this.#resourceSpans(size) : ok(size)
  }

  #prefix(): Result<number> {
    if (this.#waiting.length < PREFIX_BYTES) return ok(0)
    this.#left = this.#waiting.readUInt32BE(0)
    return ok(PREFIX_BYTES)
  }

  #resourceSpans(size: number): Result<number> {
    // One field of the message is a message of the same type by itself.
    const decoded = decodeTraces(this.#waiting.subarray(0, size), 'protobuf')
    if (!decoded.ok) return notTraces()
    const { spans, rejectedCount, reasons } = decoded.value
    this.#take(spans, rejectedCount === 0 ? [] : reasons)
    return ok(size)
  }
}

/** The first field: its tag, and its size with tag and length when that can be told already. */
function fieldAt(bytes: Buffer): Result<{ readonly tag: number; readonly size: number | undefined }> {
  const tag = varintAt(bytes, 0)
  if (!tag.ok) return tag
  if (tag.value === undefined) return ok({ tag: 0, size: undefined })
  if (tag.value.value < 8 || (tag.value.value & 7) !== LENGTH_DELIMITED) return notTraces()
  const length = varintAt(bytes, tag.value.end)
  if (!length.ok) return length
  if (length.value === undefined) return ok({ tag: 0, size: undefined })
  return ok({ tag: tag.value.value, size: length.value.end + length.value.value })
}

/** A number of up to five bytes; undefined when it is not all there yet. */
function varintAt(bytes: Buffer, at: number): Result<{ readonly value: number; readonly end: number } | undefined> {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return ok(undefined)
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return ok({ value, end: at + index + 1 })
  }
  return notTraces()
}

function notTraces(): { readonly ok: false; readonly problem: { readonly code: string; readonly message: string } } {
  return failed('import-protobuf', 'it is binary, but not OTLP protobuf')
}
