import { readJson } from '../read-json.ts'
import type { Slice } from '../trace-cuts.ts'
import type { FieldNames } from './field-names.ts'

/** Bytes that are no JSON. Thrown inside this folder only; its readers answer with a problem. */
export class BrokenText extends Error {}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const LOWER_N = 0x6e
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))
const INNER = 0
const END = 1
const ESCAPE = 2
/** What a byte of a text is; 3 for one that must not stand there. */
const TEXT_CLASSES = Uint8Array.from({ length: 256 }, (_unused, byte) =>
  byte < 0x20 ? 3 : byte === QUOTE ? END : byte === BACKSLASH ? ESCAPE : INNER,
)
/** 1 for what may stand behind a backslash alone, which `u` with its four digits may, too. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_unused, byte) => ('"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0))

/** Walks JSON text in UTF-8 from front to back, as strict as `JSON.parse`, and makes values only of what is asked for. */
export class JsonCursor {
  readonly #bytes: Buffer
  readonly #view: DataView
  /** Right behind what was read last. */
  #at: number
  /** What closes the lists and objects around the value that is being passed over. */
  #closers = new Uint8Array(64)

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // A byte order mark is none of the text, as for `TextDecoder`.
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  }

  /** Where what was read last ends. */
  get at(): number {
    return this.#at
  }

  /** Where the next value begins. */
  get next(): number {
    this.#peek()
    return this.#at
  }

  get isAtEnd(): boolean {
    this.#peek()
    return this.#at >= this.#bytes.byteLength
  }

  get isAtObject(): boolean {
    return this.#peek() === OPEN_OBJECT
  }

  get isAtList(): boolean {
    return this.#peek() === OPEN_LIST
  }

  get isAtNull(): boolean {
    return this.#peek() === LOWER_N
  }

  /** Goes into the object or list that begins here. False when it is empty, and has been left again. */
  enter(): boolean {
    const close = this.#peek() === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST
    this.#at += 1
    if (this.#peek() !== close) return true
    this.#at += 1
    return false
  }

  /** On to the next field of the object. False when there is none, and it has been left. */
  nextField(): boolean {
    return this.#next(CLOSE_OBJECT)
  }

  /** On to the next entry of the list. False when there is none, and it has been left. */
  nextEntry(): boolean {
    return this.#next(CLOSE_LIST)
  }

  /** The name of the field that begins here, if it is one of these; its value is next. */
  field(names: FieldNames): string | undefined {
    if (this.#peek() !== QUOTE) throw new BrokenText('a field without a name')
    const from = this.#at
    const isPlain = this.#string()
    const end = this.#at
    if (this.#peek() !== COLON) throw new BrokenText('a name without a value')
    this.#at += 1
    if (isPlain) return names.find(this.#bytes, from + 1, end - 1)
    const name = Buffer.from(String(this.#parsed(from, end)))
    return names.find(name, 0, name.byteLength)
  }

  /** The value that begins here, as `readJson` reads it. */
  value(): unknown {
    const isText = this.#peek() === QUOTE
    const from = this.#at
    if (isText && this.#string()) return this.#bytes.toString('utf8', from + 1, this.#at - 1)
    if (!isText) this.skip()
    return this.#parsed(from, this.#at)
  }

  /** Where the value is that begins here, which is passed over. */
  slice(): Slice {
    this.#peek()
    const from = this.#at
    this.skip()
    return { from, end: this.#at }
  }

  /** Passes over the value that begins here. However deep it is, the stack of calls does not grow. */
  skip(): void {
    let depth = 0
    for (;;) {
      const byte = this.#peek()
      if (byte === QUOTE) this.#string()
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.enter()) {
          depth = this.#push(depth, byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)
          if (byte === OPEN_OBJECT) this.#skipKey()
          continue
        }
      } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) this.#number()
      else this.#word(byte)
      for (;;) {
        if (depth === 0) return
        const close = this.#closers[depth - 1]
        if (this.#next(close)) {
          if (close === CLOSE_OBJECT) this.#skipKey()
          break
        }
        depth -= 1
      }
    }
  }

  #push(depth: number, close: number): number {
    if (depth === this.#closers.length) {
      const larger = new Uint8Array(depth * 2)
      larger.set(this.#closers)
      this.#closers = larger
    }
    this.#closers[depth] = close
    return depth + 1
  }

  #next(close: number | undefined): boolean {
    const byte = this.#peek()
    if (byte !== COMMA && byte !== close) throw new BrokenText('neither a next one nor the end')
    this.#at += 1
    return byte === COMMA
  }

  /** The next byte that is no white space; 0 at the end. */
  #peek(): number {
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return byte
      this.#at += 1
    }
  }

  #skipKey(): void {
    if (this.#peek() !== QUOTE) throw new BrokenText('a field without a name')
    this.#string()
    if (this.#peek() !== COLON) throw new BrokenText('a name without a value')
    this.#at += 1
  }

  /** Passes over a text, from quote to quote. Returns whether it holds no escapes. */
  #string(): boolean {
    const bytes = this.#bytes
    const classes = TEXT_CLASSES
    const view = this.#view
    const lastFour = bytes.byteLength - 4
    let isPlain = true
    for (let at = this.#at + 1; ; ) {
      while (at <= lastFour && isInner(view.getInt32(at))) at += 4
      const found = classes[bytes[at] ?? 0]
      at += 1
      if (found === INNER) continue
      if (found === END) {
        this.#at = at
        return isPlain
      }
      if (found !== ESCAPE) throw new BrokenText('a text with a control character, or without an end')
      isPlain = false
      at += this.#escape(at)
    }
  }

  /** How long what stands behind a backslash is. */
  #escape(at: number): number {
    const byte = this.#bytes[at] ?? 0
    if (ESCAPED[byte] === 1) return 1
    if (byte !== 0x75) throw new BrokenText('an escape that does not exist')
    for (let digit = at + 1; digit <= at + 4; digit++)
      if (!isHex(this.#bytes[digit] ?? 0)) throw new BrokenText('an escape without its four digits')
    return 5
  }

  #number(): void {
    if (this.#bytes[this.#at] === MINUS) this.#at += 1
    if (this.#bytes[this.#at] === ZERO) this.#at += 1
    else this.#digits()
    if (this.#bytes[this.#at] === DOT) {
      this.#at += 1
      this.#digits()
    }
    const byte = this.#bytes[this.#at]
    if (byte !== 0x65 && byte !== 0x45) return
    const sign = this.#bytes[this.#at + 1]
    this.#at += sign === MINUS || sign === 0x2b ? 2 : 1
    this.#digits()
  }

  #digits(): void {
    const from = this.#at
    for (let byte = this.#bytes[from]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = this.#bytes[this.#at]) this.#at += 1
    if (this.#at === from) throw new BrokenText('a number without digits')
  }

  #word(first: number): void {
    const word = WORDS.find(([letter]) => letter === first)
    if (word === undefined || !this.#bytes.subarray(this.#at, this.#at + word.length).equals(word)) throw new BrokenText('no value')
    this.#at += word.length
  }

  #parsed(from: number, end: number): unknown {
    // Most are the numbers of a kind or a code.
    const first = this.#bytes[from] ?? 0
    if (end === from + 1 && first >= ZERO && first <= NINE) return first - ZERO
    const json = readJson(`[${this.#bytes.toString('utf8', from, end)}]`)
    if (!json.ok) throw new BrokenText(json.problem.message)
    return (json.value as readonly unknown[])[0]
  }
}

/**
 * Whether none of four bytes of a text is a quote, a backslash or a control character. Taking away 0x20 borrows from a byte's top bit where
 * it is less, and 1 where it is 0, as what is looked for is after an exclusive or. A borrow that goes on to the next byte gives a false no,
 * never a false yes.
 */
function isInner(four: number): boolean {
  const quote = four ^ 0x22222222
  const backslash = four ^ 0x5c5c5c5c
  const found = ((four - 0x20202020) & ~four) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)
  return (found & 0x80808080) === 0
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20
  return (byte >= ZERO && byte <= NINE) || (letter >= 0x61 && letter <= 0x66)
}
