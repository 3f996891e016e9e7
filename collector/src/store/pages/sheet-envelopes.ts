import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import { readHeadLine, readShape } from './read-sheet.ts'

/** Events as the items of a JSON list, without its brackets. */
export interface EventBytes {
  readonly bytes: Uint8Array
  readonly count: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const LIST = 0x5b
const BACKSLASH = 0x5c
const END_OF_LIST = 0x5d
const OBJECT = 0x7b
const END_OF_OBJECT = 0x7d
const END_OF_LINE = 0x0a
/** Below it, copying byte by byte is quicker than asking for it. */
const FEW_BYTES = 32
/** `,{"gm":1,"seq":…,"ts":…` with the longest numbers. */
const MOST_OF_NUMBERS = 80

/** An event but for its numbers: the bytes around its items, and which items of the row they are. */
interface EnvelopeTemplate {
  readonly pieces: readonly Buffer[]
  readonly items: readonly number[]
  /** Of all pieces and numbers together, at most. */
  readonly length: number
}

/** Templates by the text of their shapes, most of which stand in many sheets of a run. */
export class EnvelopeTemplates {
  readonly #runId: string
  readonly #byShape = new Map<string, EnvelopeTemplate>()

  constructor(runId: string) {
    this.#runId = JSON.stringify(runId)
  }

  of(shape: string): EnvelopeTemplate {
    const known = this.#byShape.get(shape)
    if (known !== undefined) return known
    const { type, without } = readShape(shape)
    const before = `,"runId":${this.#runId},"type":${JSON.stringify(type)},"payload":`
    const pieces = without.pieces.map((piece, at) => {
      return Buffer.from(`${at === 0 ? before : ''}${piece}${at === without.items.length ? '}' : ''}`)
    })
    const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, MOST_OF_NUMBERS)
    const template = { pieces, items: without.items, length }
    this.#byShape.set(shape, template)
    return template
  }
}

/**
 * The first events, at most `most`, of a sheet that may be sent to anybody, from its inflated heads: what their envelopes without payloads
 * say, to the letter. Bytes are put together from bytes: as text, each event is made of a dozen pieces that are thrown away.
 */
export function sheetEnvelopes(heads: Uint8Array, known: EnvelopeTemplates, most: number): EventBytes {
  const headEnd = heads.indexOf(END_OF_LINE)
  const { seq, ts, shapes } = readHeadLine(Buffer.from(heads.subarray(0, headEnd)).toString('utf8'))
  const templates = shapes.map((shape) => known.of(shape))
  const out = new Bytes(heads.byteLength * 4)
  /** Where each item of the row ends, at a comma or at the row's bracket. */
  const ends: number[] = []
  let count = 0
  for (let row = headEnd + 1; heads[row] === LIST && count < most; count++) {
    findEnds(heads, row, ends)
    const itemStart = (item: number) => (item === 0 ? row : (ends[item - 1] ?? row)) + 1
    const end = ends.at(-1) ?? row
    const template = templates[integerAt(heads, itemStart(0))]
    if (template === undefined) throw new Error('a row of a sheet names a shape that it has not')
    // An item may stand for several columns.
    out.reserve(template.length + (end - row) * template.items.length)
    out.addText(`${count === 0 ? '' : ','}{"gm":${PROTOCOL_VERSION},"seq":${seq + count},"ts":${ts + integerAt(heads, itemStart(1))}`)
    for (let at = 0; at < template.pieces.length; at++) {
      const piece = template.pieces[at] as Buffer
      out.addAll(piece)
      const item = template.items[at]
      if (item !== undefined) out.add(heads, itemStart(item), ends[item] ?? row)
    }
    const next = heads.indexOf(LIST, heads.indexOf(END_OF_LINE, end))
    row = next < 0 ? heads.byteLength : next
  }
  return { bytes: out.all(), count }
}

/** The whole number that begins here. */
function integerAt(bytes: Uint8Array, from: number): number {
  const isNegative = bytes[from] === MINUS
  let value = 0
  for (let at = isNegative ? from + 1 : from; ; at++) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return isNegative ? -value : value
    value = value * 10 + digit
  }
}

/** Finds the ends of the items of the list that begins here; the last is where its own bracket is. */
function findEnds(bytes: Uint8Array, list: number, ends: number[]): void {
  ends.length = 0
  let depth = 0
  for (let at = list + 1; at < bytes.byteLength; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = closingQuote(bytes, at)
        break
      case COMMA:
        if (depth === 0) ends.push(at)
        break
      case LIST:
      case OBJECT:
        depth += 1
        break
      case END_OF_OBJECT:
        depth -= 1
        break
      case END_OF_LIST:
        if (depth === 0) {
          ends.push(at)
          return
        }
        depth -= 1
    }
  }
}

function closingQuote(bytes: Uint8Array, quote: number): number {
  let at = quote + 1
  for (let byte = bytes[at]; byte !== QUOTE && byte !== undefined; byte = bytes[++at]) if (byte === BACKSLASH) at += 1
  return at
}

/** Bytes that grow at their end. */
class Bytes {
  #bytes: Buffer
  #length = 0

  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(expected)
  }

  /** Room for so many more; without it, nothing may be added. */
  reserve(count: number): void {
    if (this.#length + count <= this.#bytes.byteLength) return
    const larger = Buffer.allocUnsafe((this.#length + count) * 2)
    larger.set(this.all())
    this.#bytes = larger
  }

  /** Adds what consists of ASCII. */
  addText(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  addAll(source: Uint8Array): void {
    this.#bytes.set(source, this.#length)
    this.#length += source.byteLength
  }

  add(source: Uint8Array, from: number, to: number): void {
    const bytes = this.#bytes
    let at = this.#length
    if (to - from > FEW_BYTES) bytes.set(source.subarray(from, to), at)
    else for (let index = from; index < to; index++) bytes[at++] = source[index] as number
    this.#length += to - from
  }

  all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
