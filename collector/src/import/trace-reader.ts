import type { Envelope } from '@graphmind-ai/schema'
import { type DecodedSpan, decodedSpan, type Surroundings, surroundingsOf } from '../otlp/decode.ts'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import type { OtlpResource, OtlpScope } from '../otlp/otlp-json.ts'
import type { ReadSpan, TraceFormat } from './formats/format.ts'
import { FORMATS } from './formats/index.ts'
import { JsonReader } from './json-reader.ts'
import type { Frame, Leaf } from './leaf.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { SNIFF_BYTES, sniff, utf8Of } from './text.ts'

/** What a file turns out to hold, in its order. Lines count from 1; null where a file has no lines. */
export interface TraceSink {
  span(span: DecodedSpan): void
  log(log: DecodedLog): void
  event(envelope: Envelope, origin: string | undefined): void
  skipped(line: number | null, reason: string): void
}

// Spans wait this long for what stands behind them in their group, such as its schema URL ...
const PATIENCE_BYTES = 8 * 1024 * 1024
// ... and this long where they make no sense without it: Jaeger's processes, a scope behind its spans.
const MAX_WAITING_BYTES = 64 * 1024 * 1024

const ONLY_NAMED = 'a list of Langfuse traces only names their observations; download each trace, or list the observations'

export const EMPTY_FILE = 'the file is empty'

interface Waiting {
  readonly format: TraceFormat
  readonly leaf: Leaf
  readonly line: number
  readonly bytes: number
}

interface Reader {
  write(bytes: Uint8Array, isLast: boolean): void
}

/** Reads one file of any known format, a piece at a time. Never throws on what is in it. */
export class TraceReader {
  readonly #sink: TraceSink
  readonly #waiting = new Map<Frame, Waiting[]>()
  readonly #surroundings = new WeakMap<OtlpResource, WeakMap<OtlpScope, Surroundings>>()
  #head: Uint8Array = new Uint8Array()
  #reader: Reader | undefined
  #waitingBytes = 0
  #isEmpty = true
  #strayLine = 0
  #isKnown = false
  /** Whether the document being read held anything that is no trace. */
  #isOdd = false

  constructor(sink: TraceSink) {
    this.#sink = sink
  }

  /** Something in the file was of a known format, though it may have held no spans. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  write(bytes: Uint8Array): void {
    if (this.#reader !== undefined) {
      this.#reader.write(bytes, false)
      return
    }
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    if (this.#head.length >= SNIFF_BYTES) this.#start(false)
  }

  end(): void {
    if (this.#reader !== undefined) this.#reader.write(new Uint8Array(), true)
    else this.#start(true)
    for (const frame of [...this.#waiting.keys()]) this.#release(frame)
    if (this.#isEmpty) this.#sink.skipped(null, EMPTY_FILE)
  }

  #start(isLast: boolean): void {
    const head = this.#head
    this.#head = new Uint8Array()
    this.#reader = this.#readerFor(head)
    this.#reader.write(head, isLast)
  }

  #readerFor(head: Uint8Array): Reader {
    const { kind, words, encoding, skip } = sniff(head)
    if (kind === 'foreign') {
      this.#isEmpty = false
      this.#sink.skipped(null, `the file is ${words ?? 'something else'}`)
      return { write: () => undefined }
    }
    if (kind === 'protobuf') return this.#protobuf()
    const toUtf8 = utf8Of(encoding)
    const json = this.#json()
    let left = skip
    return {
      write: (bytes, isLast) => {
        json.write(toUtf8(bytes.subarray(left), isLast))
        left = 0
        if (isLast) json.end()
      },
    }
  }

  #json(): JsonReader {
    return new JsonReader({
      leaf: (leaf, line, bytes) => this.#leaf(leaf, line, bytes),
      closed: (frame) => this.#release(frame),
      stray: (line, name) => {
        this.#isOdd = true
        this.#isEmpty = false
        this.#stray(line, name === 'observations' ? ONLY_NAMED : 'a bare value stands where a trace should')
      },
      broken: (line, reason) => {
        this.#isEmpty = false
        this.#sink.skipped(line, reason)
      },
      document: () => {
        // Nothing odd in it: an empty list, or only what is known.
        if (!this.#isOdd) this.#isKnown = true
        this.#isOdd = false
        this.#isEmpty = false
      },
    })
  }

  /** Said once a line: a list of thousands of them is one mistake. */
  #stray(line: number, reason: string): void {
    if (this.#strayLine === line) return
    this.#strayLine = line
    this.#sink.skipped(line, reason)
  }

  #protobuf(): Reader {
    let isSilent = true
    const known = (items: readonly unknown[]) => {
      if (items.length === 0) return
      this.#isKnown = true
      isSilent = false
    }
    const reader = new ProtobufReader({
      spans: (spans) => {
        known(spans)
        for (const span of spans) this.#sink.span(span)
      },
      logs: (logs) => {
        known(logs)
        for (const log of logs) this.#sink.log(log)
      },
      rejected: (reasons) => {
        isSilent = false
        for (const reason of reasons) this.#sink.skipped(null, reason)
      },
    })
    this.#isEmpty = false
    let isBroken = false
    return {
      write: (bytes, isLast) => {
        if (isBroken) return
        const written = reader.write(bytes)
        const result = written.ok && isLast ? reader.end() : written
        // Many a short file is well-formed protobuf by chance.
        if (result.ok && isLast && isSilent) this.#sink.skipped(null, 'the file holds no spans that can be read as OTLP protobuf')
        if (result.ok) return
        isBroken = true
        this.#sink.skipped(null, result.problem.message)
      },
    }
  }

  #leaf(leaf: Leaf, line: number, bytes: number): void {
    const format = FORMATS.find((known) => known.claims(leaf.fields, leaf))
    if (format !== undefined) this.#take({ format, leaf, line, bytes })
    else {
      this.#isOdd = true
      this.#sink.skipped(line, unknownWords(leaf))
    }
  }

  #take(waiting: Waiting): void {
    const { format, leaf, line, bytes } = waiting
    this.#isKnown = true
    const frame = format.waitsFor?.(leaf, this.#waitingBytes < PATIENCE_BYTES)
    if (frame === undefined) this.#read(format, leaf, line)
    else if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#sink.skipped(line, 'too many spans or records stand before the process or scope they belong to; write it in front of them')
    } else this.#wait(frame, waiting)
  }

  #wait(frame: Frame, waiting: Waiting): void {
    this.#waitingBytes += waiting.bytes
    const list = this.#waiting.get(frame)
    if (list === undefined) this.#waiting.set(frame, [waiting])
    else list.push(waiting)
  }

  /** Goes on with the spans that waited for this object's fields; some then wait for the one around it. */
  #release(frame: Frame): void {
    const list = this.#waiting.get(frame)
    if (list === undefined) return
    this.#waiting.delete(frame)
    for (const waiting of list) {
      this.#waitingBytes -= waiting.bytes
      if (frame.closed) this.#take(waiting)
      else this.#read(waiting.format, waiting.leaf, waiting.line)
    }
  }

  #read(format: TraceFormat, leaf: Leaf, line: number): void {
    const content = format.read(leaf.fields, leaf)
    if (!content.ok) this.#sink.skipped(line, content.problem.message)
    else if (content.value.kind === 'event') this.#sink.event(content.value.envelope, content.value.origin)
    else if (content.value.kind === 'log') this.#sink.log(content.value.log)
    else if (content.value.kind === 'spans') for (const read of content.value.spans) this.#sink.span(this.#decoded(read))
  }

  #decoded({ span, resource, scope }: ReadSpan): DecodedSpan {
    let scopes = this.#surroundings.get(resource)
    if (scopes === undefined) {
      scopes = new WeakMap()
      this.#surroundings.set(resource, scopes)
    }
    let surroundings = scopes.get(scope)
    if (surroundings === undefined) {
      surroundings = surroundingsOf(resource, scope)
      scopes.set(scope, surroundings)
    }
    return decodedSpan(span, surroundings)
  }
}

const MAX_KEYS = 8

function unknownWords({ fields }: Leaf): string {
  const keys = Object.keys(fields)
  if (keys.length === 0) return 'an empty object is no trace'
  const more = keys.length > MAX_KEYS ? ', …' : ''
  const shown = keys.slice(0, MAX_KEYS).map((key) => key.toWellFormed().slice(0, 40))
  return `an object with the fields ${shown.join(', ')}${more} is in no known trace format`
}
