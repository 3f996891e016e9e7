/** A member of a JSON object in its text: `from` is at its key, `value` where its value begins, `end` behind that. */
export interface Member {
  readonly name: string
  readonly from: number
  readonly value: number
  readonly end: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * The members of an object, as `JSON.stringify` writes it: no blanks between its parts. Values are passed over, not read: what went through
 * a call is mostly long strings, and their end is found at the speed of memory.
 */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = []
  for (let at = 1; text.charCodeAt(at) === QUOTE; ) {
    const from = at
    const colon = stringEnd(text, at)
    const value = colon + 1
    const end = valueEnd(text, value)
    members.push({ name: text.slice(from + 1, colon - 1), from, value, end })
    at = end + 1
  }
  return members
}

/** The items of an array, each as its text. The array begins at `from` and is written as objects are. */
export function itemsOf(text: string, from = 0): readonly string[] {
  const items: string[] = []
  for (let at = from + 1; at < text.length && !CLOSE.has(text.charCodeAt(at)); ) {
    const end = valueEnd(text, at)
    items.push(text.slice(at, end))
    if (text.charCodeAt(end) !== COMMA) break
    at = end + 1
  }
  return items
}

/** The index behind the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

function valueEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (depth === 0 && (code === COMMA || CLOSE.has(code))) return at
    if (code === QUOTE) {
      at = stringEnd(text, at)
      continue
    }
    if (OPEN.has(code)) depth += 1
    else if (CLOSE.has(code)) depth -= 1
    at += 1
  }
  return text.length
}
