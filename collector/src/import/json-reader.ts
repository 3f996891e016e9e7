import { isUtf8 } from 'node:buffer'
import { TokenizerError } from '@streamparser/json'
import { messageOf } from '../problem.ts'
import { BadJson, JsonStructure } from './json-structure.ts'
import type { LeafSink } from './leaf.ts'

/** One span, or a group's other fields, may be this large; the OTLP endpoint takes bodies of the same size. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024

const NEWLINE = 0x0a
const OPENERS: ReadonlySet<number> = new Set([0x7b, 0x5b])
// Enough to tell `{"resourceSpans"` from `{"resource":`.
const HEAD_BYTES = 16

/**
 * Reads UTF-8 JSON as it comes: one document, a document a line, or documents after each other. After an error it goes on at the next
 * line that begins a document, so that one broken line costs no other.
 */
export class JsonReader {
  readonly #sink: LeafSink
  readonly #maxRecordBytes: number
  #structure: JsonStructure
  #line = 1
  #atLineStart = true
  #skipping = false
  /** The beginning of a line that came without its next bytes. */
  #held: Uint8Array = new Uint8Array()
  /** How the document being read begins, where it begins a line. */
  #documentHead: Uint8Array = new Uint8Array()
  /** Every document so far began and ended on one line. */
  #isLines = true
  #documents = 0

  constructor(sink: LeafSink, maxRecordBytes = MAX_RECORD_BYTES) {
    this.#sink = {
      ...bound(sink),
      document: () => {
        this.#documents += 1
        if (this.#structure.documentLine !== this.#line) this.#isLines = false
        sink.document()
      },
    }
    this.#maxRecordBytes = maxRecordBytes
    this.#structure = new JsonStructure(this.#sink, false)
  }

  get line(): number {
    return this.#line
  }

  write(more: Uint8Array): void {
    this.#lines(this.#held.length === 0 ? more : Buffer.concat([this.#held, more]), false)
  }

  #lines(bytes: Uint8Array, isLast: boolean): void {
    this.#held = new Uint8Array()
    for (let at = 0; at < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, at)
      const end = newline < 0 ? bytes.length : newline + 1
      if (newline < 0 && !isLast && this.#atLineStart && end - at < HEAD_BYTES) {
        this.#held = bytes.slice(at)
        return
      }
      this.#segment(bytes.subarray(at, end))
      this.#atLineStart = newline >= 0
      if (newline >= 0) {
        this.#line += 1
        this.#structure.tokensOnLine = 0
      }
      at = end
    }
  }

  end(): void {
    this.#lines(this.#held, true)
    if (!this.#skipping && !this.#endsWhole()) this.#sink.broken(this.#lastLine(), 'it ends in the middle')
  }

  #endsWhole(): boolean {
    try {
      this.#structure.end()
      return !this.#structure.inDocument
    } catch {
      // The tokenizer was in the middle of a word or string.
      return false
    }
  }

  #segment(segment: Uint8Array): void {
    const opens = this.#atLineStart && OPENERS.has(segment[0] ?? 0)
    if (this.#skipping) {
      if (!opens) return
      this.#skipping = false
    } else if (opens && this.#isLines && this.#documents > 0 && this.#structure.inDocument && this.#beginsLikeDocument(segment)) {
      // In a file of lines this is the next document: the one before was cut off.
      this.#broken(this.#line - 1, 'it ends in the middle')
      this.#skipping = false
    }
    if (opens && !this.#structure.inDocument) this.#documentHead = segment.slice(0, HEAD_BYTES)
    this.#feed(segment, opens)
  }

  /** A document may go on over lines although those before it did not; then it is a part of it that begins the line. */
  #beginsLikeDocument(segment: Uint8Array): boolean {
    return this.#documentHead.length > 0 && Buffer.compare(segment.subarray(0, HEAD_BYTES), this.#documentHead) === 0
  }

  #feed(segment: Uint8Array, opens: boolean): void {
    const structure = this.#structure
    structure.line = this.#line
    try {
      structure.write(segment)
      structure.written += segment.length
      if (structure.written - structure.recordAt <= this.#maxRecordBytes) return
      const size = Math.floor(this.#maxRecordBytes / 1024 / 1024)
      this.#broken(this.#line, `it holds a record of more than ${size} MiB`)
    } catch (error) {
      if (opens && structure.tokensOnLine <= 1 && structure.documentLine < this.#line && structure.inDocument) {
        this.#broken(this.#line - 1, 'it ends in the middle')
        this.#skipping = false
        this.#feed(segment, false)
      } else this.#broken(this.#line, wordsOf(error, segment))
    }
  }

  #broken(line: number, reason: string): void {
    this.#sink.broken(line, reason)
    this.#structure = new JsonStructure(this.#sink, true)
    this.#skipping = true
  }

  #lastLine(): number {
    return this.#atLineStart && this.#line > 1 ? this.#line - 1 : this.#line
  }
}

function wordsOf(error: unknown, segment: Uint8Array): string {
  if (error instanceof BadJson) return error.message
  if (!(error instanceof TokenizerError || error instanceof TypeError)) return `it could not be read: ${messageOf(error)}`
  return isUtf8(segment) ? 'it is not JSON' : 'it is not JSON in UTF-8'
}

function bound(sink: LeafSink): LeafSink {
  return {
    leaf: (leaf, line, bytes) => sink.leaf(leaf, line, bytes),
    closed: (frame) => sink.closed(frame),
    stray: (line, name) => sink.stray(line, name),
    broken: (line, reason) => sink.broken(line, reason),
    document: () => sink.document(),
  }
}
