const SLOTS = 4096
const LONGEST = 40

/**
 * Turns bytes into text, and gives back the same string for short text that came before: attribute keys and names repeat in every span.
 * Bounded: a slot holds one text, a newer one takes its place.
 */
export class KnownTexts {
  readonly #slots: string[] = new Array<string>(SLOTS).fill('')

  read(bytes: Buffer, from: number, end: number): string {
    const length = end - from
    if (length > LONGEST) return bytes.toString('utf8', from, end)
    let hash = length
    for (let at = from; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte >= 0x80) return bytes.toString('utf8', from, end)
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const known = this.#slots[slot] ?? ''
    if (known.length === length && isSame(known, bytes, from)) return known
    const text = bytes.toString('latin1', from, end)
    this.#slots[slot] = text
    return text
  }
}

function isSame(text: string, bytes: Buffer, from: number): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== bytes[from + index]) return false
  return true
}
