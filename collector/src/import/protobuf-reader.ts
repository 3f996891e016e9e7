import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'
import { type DecodedLog, decodeLogs } from '../otlp/decode-logs.ts'
import { LOGS_FIELD } from '../otlp/logs-field.ts'
import { holdsLogRecords } from '../otlp/protobuf/holds-log-records.ts'
import { failed, ok, type Result } from '../problem.ts'
import { MAX_RECORD_BYTES } from './json-reader.ts'

const LENGTH_DELIMITED = 2
const GROUP_TAG = (1 << 3) | LENGTH_DELIMITED
const LOGS_TAG = (LOGS_FIELD << 3) | LENGTH_DELIMITED
const PREFIX_BYTES = 4

export interface ProtobufSink {
  spans(spans: readonly DecodedSpan[]): void
  logs(logs: readonly DecodedLog[]): void
  /** Something of a group could not be read. */
  rejected(reasons: readonly string[]): void
}

/**
 * Reads OTLP protobuf as it comes, a ResourceSpans or ResourceLogs at a time: one message, messages after each other, or messages behind a
 * length of four bytes as the OpenTelemetry collector's file exporter writes them. Bytes that are neither end the reading with a problem.
 */
export class ProtobufReader {
  readonly #sink: ProtobufSink
  #waiting = Buffer.alloc(0)
  /** Not joined to `waiting` before it pays: a large group comes in hundreds of pieces. */
  readonly #pieces: Uint8Array[] = []
  #pieceBytes = 0
  /** So many bytes have to be there before anything more can be read. */
  #wanted = 1
  #isFramed: boolean | undefined
  /** Bytes left of the framed message that is being read. */
  #left = 0
  #problem: Result<void> | undefined

  constructor(sink: ProtobufSink) {
    this.#sink = sink
  }

  write(bytes: Uint8Array): Result<void> {
    if (this.#problem !== undefined) return this.#problem
    this.#pieces.push(bytes)
    this.#pieceBytes += bytes.length
    if (this.#waiting.length + this.#pieceBytes < this.#wanted) return ok(undefined)
    this.#waiting = Buffer.concat([this.#waiting, ...this.#pieces.splice(0)])
    this.#pieceBytes = 0
    this.#wanted = 1
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
    const isWhole = this.#waiting.length + this.#pieceBytes === 0 && this.#left === 0
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
    if (size > MAX_RECORD_BYTES) return failed('import-large', 'it holds a group of spans or records of more than 64 MiB')
    if (this.#isFramed && size > this.#left) return notTraces()
    if (size > this.#waiting.length) {
      this.#wanted = size
      return ok(0)
    }
    if (this.#isFramed) this.#left -= size
    const { tag, from } = field.value
    // One field of the message is a message of the same type by itself.
    if (tag === GROUP_TAG) return this.#group(this.#waiting.subarray(0, size))
    return tag === LOGS_TAG ? this.#group(Buffer.concat([Buffer.of(GROUP_TAG), this.#waiting.subarray(from, size)]), size) : ok(size)
  }

  #prefix(): Result<number> {
    if (this.#waiting.length < PREFIX_BYTES) return ok(0)
    this.#left = this.#waiting.readUInt32BE(0)
    return ok(PREFIX_BYTES)
  }

  #group(message: Uint8Array, size = message.length): Result<number> {
    const decoded = holdsLogRecords(message) ? decodeLogs(message, 'protobuf') : decodeTraces(message, 'protobuf')
    if (!decoded.ok) return notTraces()
    if ('spans' in decoded.value) this.#sink.spans(decoded.value.spans)
    else this.#sink.logs(decoded.value.logs)
    const { rejectedCount, reasons } = decoded.value
    if (rejectedCount > 0) this.#sink.rejected(reasons)
    return ok(size)
  }
}

/** The first field: its tag, where its length begins, and its size with tag and length when that can be told already. */
function fieldAt(bytes: Buffer): Result<{ readonly tag: number; readonly from: number; readonly size: number | undefined }> {
  const tag = varintAt(bytes, 0)
  if (!tag.ok) return tag
  if (tag.value === undefined) return ok({ tag: 0, from: 0, size: undefined })
  if (tag.value.value < 8 || (tag.value.value & 7) !== LENGTH_DELIMITED) return notTraces()
  const { value, end: from } = tag.value
  const length = varintAt(bytes, from)
  if (!length.ok) return length
  return ok({ tag: value, from, size: length.value === undefined ? undefined : length.value.end + length.value.value })
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
