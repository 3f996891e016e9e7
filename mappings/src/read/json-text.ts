import { salvageJson } from './salvage-json.ts'

const MAX_ENCODINGS = 4

/**
 * The value that a text encodes as JSON, or the text itself. Encoded twice is decoded twice, text that was cut off gives what is left
 * of it, and an integer too large for a double stays its digits.
 */
export function parseJsonText(text: string): unknown {
  let value: unknown = text
  for (let round = 0; round < MAX_ENCODINGS && typeof value === 'string'; round++) {
    const start = value.trimStart().charAt(0)
    const nested = start === '{' || start === '[' || start === '"'
    // Only the outermost text may be a bare number or word: `"4"` inside a document is a text.
    if (!nested && round > 0) return value
    const parsed = nested ? parseStructure(value) : parseScalar(value)
    if (parsed === undefined) return value
    value = parsed
  }
  return value
}

function parseStructure(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    // Not JSON: either cut off, or ordinary text that begins like JSON.
    return salvageJson(text)
  }
}

function parseScalar(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  if (!/^-?\d{1,17}(\.\d+)?$/.test(text)) return undefined
  const number = Number(text)
  return String(number) === text ? number : undefined
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
}
