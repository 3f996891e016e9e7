import { MAX_DEPTH, TRUNCATED } from './limits.ts'

/**
 * What can be read of JSON text that was cut off: complete leading elements, and the last one as far as it goes (its text ends in the
 * truncation mark). Undefined when the text is broken in any other way, or is not the start of an object or array.
 */
export function salvageJson(text: string): unknown {
  const reader = new CutReader(text)
  const value = reader.value(0)
  return reader.broken || !reader.cut ? undefined : value
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const LITERALS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Reads JSON until its end (`cut`) or until something that is not JSON (`broken`); both stop everything. */
class CutReader {
  private at = 0
  private readonly text: string
  cut = false
  broken = false

  constructor(text: string) {
    this.text = text
  }

  private peek(): string | undefined {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text.charAt(this.at))) this.at++
    if (this.at < this.text.length) return this.text.charAt(this.at)
    this.cut = true
    return undefined
  }

  private fail(): undefined {
    this.broken = true
    return undefined
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) return this.fail()
    const next = this.peek()
    if (next === undefined) return undefined
    if (next === '{') return this.object(depth)
    if (next === '[') return this.array(depth)
    if (next === '"') return this.string()
    return this.scalar()
  }

  private array(depth: number): unknown[] {
    const items: unknown[] = []
    this.at++
    for (let first = true; ; first = false) {
      const next = this.peek()
      if (next === undefined) return items
      if (next === ']') {
        this.at++
        return items
      }
      if (!first) {
        if (next !== ',') {
          this.fail()
          return items
        }
        this.at++
      }
      const item = this.value(depth + 1)
      if (item !== undefined) items.push(item)
      if (this.cut || this.broken) return items
    }
  }

  private object(depth: number): Record<string, unknown> {
    const fields: [string, unknown][] = []
    const done = () => Object.fromEntries(fields)
    this.at++
    for (let first = true; ; first = false) {
      let next = this.peek()
      if (next === undefined) return done()
      if (next === '}') {
        this.at++
        return done()
      }
      if (!first) {
        if (next !== ',') {
          this.fail()
          return done()
        }
        this.at++
        next = this.peek()
      }
      if (next === undefined) return done()
      if (next !== '"') {
        this.fail()
        return done()
      }
      const key = this.string()
      if (this.cut || this.broken) return done()
      const colon = this.peek()
      if (colon === undefined) return done()
      if (colon !== ':') {
        this.fail()
        return done()
      }
      this.at++
      const value = this.value(depth + 1)
      if (key !== undefined && value !== undefined) fields.push([key, value])
      if (this.cut || this.broken) return done()
    }
  }

  private string(): string | undefined {
    let out = ''
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at)
      if (char === '"') {
        this.at++
        return out
      }
      if (char !== '\\') {
        out += char
        continue
      }
      const letter = this.text.charAt(this.at + 1)
      if (letter === 'u') {
        const hex = this.text.slice(this.at + 2, this.at + 6)
        if (hex.length < 4) break
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) return this.fail()
        out += String.fromCharCode(Number.parseInt(hex, 16))
        this.at += 5
      } else {
        if (letter === '') break
        const real = ESCAPES[letter]
        if (real === undefined) return this.fail()
        out += real
        this.at++
      }
    }
    this.cut = true
    this.at = this.text.length
    return out + TRUNCATED
  }

  private scalar(): unknown {
    const rest = this.text.slice(this.at, this.at + 40)
    for (const [word, value] of LITERALS) {
      if (rest.startsWith(word)) {
        this.at += word.length
        return value
      }
      if (word.startsWith(rest)) {
        this.cut = true
        return undefined
      }
    }
    const digits = /^-?[\d.eE+-]*/.exec(rest)?.[0] ?? ''
    if (digits === '') return this.fail()
    // A number at the very end may have lost digits, so it is not known.
    if (this.at + digits.length >= this.text.length) {
      this.cut = true
      return undefined
    }
    this.at += digits.length
    const number = Number(digits)
    return Number.isFinite(number) ? number : this.fail()
  }
}
