import { REDACTED } from '@graphmind-ai/schema'

/** JSON of a value, indented; text that JSON can't hold (bigint, cycles) is said instead of thrown. */
export function prettyJson(value: unknown): string {
  if (value === undefined) return ''
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch (error) {
    return `This value can’t be shown as JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** True when the whole value was hidden at its source. */
export function isHidden(value: unknown): boolean {
  return value === REDACTED
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** One line of at most `length` characters that gives an idea of a value. */
export function glimpse(value: unknown, length = 120): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const line = text.slice(0, length * 4).replace(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** The object or list that a text holds as JSON, undefined when it holds none. */
export function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // A text that only begins like JSON is a text.
    return undefined
  }
}

/** Deeper than this, texts are left as they are. */
const DEEPEST = 20

/** The value with each text in it that holds JSON replaced by what it holds, and how many there were. */
export function withTextsParsed(value: unknown): { readonly value: unknown; readonly parsed: number } {
  let parsed = 0
  const open = (inner: unknown, depth: number): unknown => {
    if (depth > DEEPEST) return inner
    if (typeof inner === 'string') {
      const held = jsonIn(inner)
      if (held === undefined) return inner
      parsed += 1
      return open(held, depth + 1)
    }
    if (Array.isArray(inner)) return inner.map((item) => open(item, depth + 1))
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, open(item, depth + 1)])) : inner
  }
  return { value: open(value, 0), parsed }
}
