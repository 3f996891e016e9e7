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
