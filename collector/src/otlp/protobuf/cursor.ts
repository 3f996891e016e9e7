import { KnownTexts } from './known-texts.ts'

/** Bytes that are no protobuf. Thrown inside this folder only; its readers answer with a problem. */
export class BrokenBytes extends Error {}

const MAX_GROUP_DEPTH = 32
const texts = new KnownTexts()

/** Reads protobuf's wire format from front to back, and never past the message it is in. */
export class Cursor {
  readonly #bytes: Buffer
  #at: number
  #end: number

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = 0
    this.#end = bytes.byteLength
  }

  /** Whether the message that was entered last has more fields. */
  get hasMore(): boolean {
    return this.#at < this.#end
  }

  /** Goes into the message, text or bytes that begin here. Returns what `leave` needs. */
  enter(): number {
    const size = this.#size()
    const outer = this.#end
    this.#end = this.#at + size
    return outer
  }

  /** Where the next byte is. */
  get at(): number {
    return this.#at
  }

  /** Where the message ends that was entered last. */
  get end(): number {
    return this.#end
  }

  /** Goes out again, also when not all was read. `end` is for one that gave up somewhere further in. */
  leave(outer: number, end = this.#end): void {
    this.#at = end
    this.#end = outer
  }

  /** Back to where `at` was, in the message that was entered then. */
  goTo(at: number): void {
    this.#at = at
  }

  /** The next field: its number times 8 plus its wire type. */
  tag(): number {
    const first = this.#byte()
    return first < 0x80 ? first : this.#varint32(first, 5)
  }

  /** Passes over a field that this version doesn't know. */
  skip(tag: number, depth = 0): void {
    const field = tag >>> 3
    if (field === 0 || depth > MAX_GROUP_DEPTH) throw new BrokenBytes('field number 0, or groups nested too deep')
    switch (tag & 7) {
      case 0:
        while (this.#byte() >= 0x80);
        return
      case 1:
        this.#advance(8)
        return
      case 2:
        this.#advance(this.#size())
        return
      case 3:
        this.#skipGroup(field, depth)
        return
      case 5:
        this.#advance(4)
        return
      default:
        throw new BrokenBytes('a wire type that does not exist')
    }
  }

  /** The low 32 bits of a varint, unsigned. */
  uint32(): number {
    const first = this.#byte()
    return first < 0x80 ? first : this.#varint32(first, 10)
  }

  bool(): boolean {
    let value = false
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte()
      if ((byte & 0x7f) !== 0) value = true
      if (byte < 0x80) return value
    }
    throw new BrokenBytes('a number of more than ten bytes')
  }

  /** A signed 64-bit varint as decimal text, exact. */
  int64(): string {
    const first = this.#byte()
    if (first < 0x80) return String(first)
    let low = first & 0x7f
    let high = 0
    for (let count = 1; count < 10; count++) {
      const byte = this.#byte()
      const bits = byte & 0x7f
      if (count < 4) low |= bits << (7 * count)
      else if (count === 4) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (7 * count - 32)
      if (byte < 0x80) return wholeText(low >>> 0, high >>> 0)
    }
    throw new BrokenBytes('a number of more than ten bytes')
  }

  /** An unsigned 64-bit number as decimal text, exact. */
  fixed64(): string {
    const at = this.#at
    this.#advance(8)
    return this.#bytes.readBigUInt64LE(at).toString()
  }

  /** An unsigned 64-bit count of nanoseconds as milliseconds, exact to the microsecond. */
  fixed64Millis(): number {
    const at = this.#at
    this.#advance(8)
    return (this.#bytes.readUInt32LE(at + 4) * 0x100000000 + this.#bytes.readUInt32LE(at)) / 1e6
  }

  fixed32(): number {
    const at = this.#at
    this.#advance(4)
    return this.#bytes.readUInt32LE(at)
  }

  double(): number {
    const at = this.#at
    this.#advance(8)
    return this.#bytes.readDoubleLE(at)
  }

  /** Text; bytes that are not UTF-8 are replaced, so that a cut-off character costs no span. */
  text(): string {
    const size = this.#size()
    const from = this.#at
    this.#at = from + size
    return texts.read(this.#bytes, from, from + size)
  }

  hex(): string {
    const size = this.#size()
    const from = this.#at
    this.#at = from + size
    return this.#bytes.toString('hex', from, from + size)
  }

  base64(): string {
    const size = this.#size()
    const from = this.#at
    this.#at = from + size
    return this.#bytes.toString('base64', from, from + size)
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined
    if (byte === undefined) throw new BrokenBytes('the end comes too early')
    this.#at += 1
    return byte
  }

  #advance(count: number): void {
    if (count > this.#end - this.#at) throw new BrokenBytes('the end comes too early')
    this.#at += count
  }

  /** A length that fits into what is left. */
  #size(): number {
    const first = this.#byte()
    const size = first < 0x80 ? first : this.#varint32(first, 5)
    if (size > this.#end - this.#at) throw new BrokenBytes('a length beyond the end')
    return size
  }

  #varint32(first: number, maxBytes: 5 | 10): number {
    let value = first & 0x7f
    for (let count = 1; count < maxBytes; count++) {
      const byte = this.#byte()
      // Tags and lengths have no more than 32 bits; of a longer number the rest is cut, as protobuf says.
      if (count === 4 && maxBytes === 5 && byte > 0x0f) break
      if (count < 5) value |= (byte & 0x7f) << (7 * count)
      if (byte < 0x80) return value >>> 0
    }
    throw new BrokenBytes('a number that is too long')
  }

  #skipGroup(field: number, depth: number): void {
    for (;;) {
      const tag = this.tag()
      if ((tag & 7) !== 4) this.skip(tag, depth + 1)
      else if (tag >>> 3 === field) return
      else throw new BrokenBytes('the end of another group')
    }
  }
}

function wholeText(low: number, high: number): string {
  // Below 2^53 a double is exact.
  if (high < 0x200000) return String(high * 0x100000000 + low)
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)).toString()
}
