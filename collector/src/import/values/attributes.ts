import type { OtlpAnyValue, OtlpKeyValue } from '../../otlp/otlp-json.ts'
import { isFields, MAX_VALUE_DEPTH, readText } from '../../otlp/read-value.ts'

/** Attributes given as a plain object, flat (`{"a.b": 1}`) or nested (`{"a": {"b": 1}}`), as OTLP has them. Null counts as absent. */
export function attributesFrom(value: unknown): readonly OtlpKeyValue[] {
  const out: OtlpKeyValue[] = []
  if (isFields(value)) for (const [key, entry] of Object.entries(value)) addAttribute(out, key, entry, 0)
  return out
}

/** Adds one attribute; objects and lists of objects become dotted keys, which is how the vocabularies write them. */
export function addAttribute(out: OtlpKeyValue[], key: string, value: unknown, depth = 0): void {
  if (value === undefined || value === null) return
  if (depth < MAX_VALUE_DEPTH && isFields(value)) {
    for (const [name, entry] of Object.entries(value)) addAttribute(out, `${key}.${name}`, entry, depth + 1)
  } else if (depth < MAX_VALUE_DEPTH && Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    value.forEach((item: unknown, index) => {
      addAttribute(out, `${key}.${index}`, item, depth + 1)
    })
  } else out.push({ key: readText(key), value: anyValueOf(value, depth) })
}

/** A plain value as an OTLP AnyValue. */
export function anyValueOf(value: unknown, depth = 0): OtlpAnyValue {
  if (typeof value === 'string') return { stringValue: readText(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: String(value) }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (value === undefined || value === null || depth >= MAX_VALUE_DEPTH) return {}
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => anyValueOf(item, depth + 1)) } }
  return {
    kvlistValue: { values: Object.entries(value).map(([key, item]) => ({ key: readText(key), value: anyValueOf(item, depth + 1) })) },
  }
}

/** A text attribute, or none when there is no text. */
export function textAttribute(key: string, value: unknown): readonly OtlpKeyValue[] {
  return typeof value === 'string' && value !== '' ? [{ key, value: { stringValue: readText(value) } }] : []
}

/** An attribute that holds JSON text, as the vocabularies keep inputs and outputs. Text stays as it is. */
export function jsonAttribute(key: string, value: unknown): readonly OtlpKeyValue[] {
  if (value === undefined || value === null) return []
  return textAttribute(key, typeof value === 'string' ? value : jsonOf(value))
}

/** JSON text of a value that was read from a file. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) => (typeof entry === 'bigint' ? String(entry) : entry))
}
