/** Writes protobuf's wire format from front to back. Numbers that are 0 and empty text are left out, as proto3 says of them. */
export class Writer {
  #bytes = Buffer.allocUnsafe(1024)
  #at = 0

  /** What was written so far. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  /** A whole number of up to 64 bits with a sign, as number or as decimal text. */
  int(field: number, value: number | string | undefined): void {
    if (Number(value ?? 0) === 0) return
    this.#tag(field, 0)
    this.#varint(BigInt.asUintN(64, BigInt(value ?? 0)))
  }

  fixed32(field: number, value: number | undefined): void {
    if (value === undefined || value === 0) return
    this.#tag(field, 5)
    this.#room(4)
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
  }

  /** An unsigned number as decimal text, written also when it is 0: times tell log records from spans. */
  fixed64(field: number, digits: string | undefined): void {
    if (digits === undefined) return
    this.#tag(field, 1)
    this.#room(8)
    this.#at = this.#bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(digits)), this.#at)
  }

  text(field: number, text: string | undefined): void {
    if (text !== undefined && text !== '') this.bytes(field, Buffer.from(text))
  }

  hex(field: number, hex: string | undefined): void {
    if (hex !== undefined && hex !== '') this.bytes(field, Buffer.from(hex, 'hex'))
  }

  /** Bytes, or text as such; written also when there are none. */
  bytes(field: number, bytes: Uint8Array): void {
    this.#tag(field, 2)
    this.#varint(BigInt(bytes.byteLength))
    this.#room(bytes.byteLength)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.byteLength
  }

  /** A message, written also when it holds nothing. */
  message(field: number, write: (writer: Writer) => void): void {
    const inner = new Writer()
    write(inner)
    this.bytes(field, inner.finish())
  }

  /** A member of a oneof: which one it is counts, also with nothing in it. */
  member(field: number, value: boolean | { readonly int: string } | { readonly double: number }): void {
    if (typeof value === 'object' && 'double' in value) {
      this.#tag(field, 1)
      this.#room(8)
      this.#at = this.#bytes.writeDoubleLE(value.double, this.#at)
      return
    }
    this.#tag(field, 0)
    this.#varint(typeof value === 'boolean' ? (value ? 1n : 0n) : BigInt.asUintN(64, BigInt(value.int)))
  }

  #tag(field: number, wireType: number): void {
    this.#varint(BigInt(field * 8 + wireType))
  }

  #varint(value: bigint): void {
    this.#room(10)
    let left = value
    for (; left > 0x7fn; left >>= 7n) this.#bytes[this.#at++] = Number(left & 0x7fn) | 0x80
    this.#bytes[this.#at++] = Number(left)
  }

  #room(count: number): void {
    if (this.#at + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + count))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
