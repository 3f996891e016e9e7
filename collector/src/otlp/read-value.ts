import { CUT_MARK, MAX_ATTRIBUTES, MAX_TEXT_LENGTH } from './limits.ts'
import type { OtlpAnyValue, OtlpKeyValue } from './otlp-json.ts'

/** Attribute values nested deeper are replaced by a note; the exporters we know stay below 8. */
export const MAX_VALUE_DEPTH = 32
/** The note in place of a value that is nested too deep. */
export const TOO_DEEP: OtlpAnyValue = { stringValue: `[graphmind: nested deeper than ${MAX_VALUE_DEPTH} levels]` }

export type Fields = { readonly [key: string]: unknown }

/** Whether this is an object with fields: no list, no bytes. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

/** A field under its camelCase or its proto name. */
export function pick(fields: Fields, camel: string, snake: string): unknown {
  return fields[camel] ?? fields[snake]
}

/** Text without half surrogate pairs, so that everything we store and send is valid UTF-8. Objects are none: their `toString` is the sender's. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

/** A number as number or text; NaN for anything else. Objects are none: their `valueOf` is the sender's. */
export function readNumber(value: unknown): number {
  return typeof value === 'object' ? Number.NaN : Number(value)
}

/** The attributes of one span, event, link, record, resource or scope, up to the cap; `dropped` counts those beyond it. */
export function readAttributes(value: unknown): { readonly kept: readonly OtlpKeyValue[]; readonly dropped: number } {
  if (!Array.isArray(value)) return { kept: [], dropped: 0 }
  const list = value as readonly unknown[]
  if (list.length <= MAX_ATTRIBUTES) return { kept: readKeyValues(list), dropped: 0 }
  return { kept: readKeyValues(list.slice(0, MAX_ATTRIBUTES)), dropped: list.length - MAX_ATTRIBUTES }
}

function readKeyValues(value: unknown, depth = 0): readonly OtlpKeyValue[] {
  if (!Array.isArray(value)) return []
  const out: OtlpKeyValue[] = []
  for (const entry of value as readonly unknown[]) {
    // Protobuf leaves an empty key out.
    const key = isFields(entry) ? (entry['key'] ?? '') : undefined
    if (!isFields(entry) || typeof key !== 'string') continue
    out.push({ key: readText(key), value: readAnyValue(entry['value'], depth) })
  }
  return out
}

/** Reads an AnyValue of either spelling; an unknown or empty one becomes `{}`, which counts as absent. */
export function readAnyValue(value: unknown, depth: number): OtlpAnyValue {
  if (!isFields(value)) return {}
  if (depth > MAX_VALUE_DEPTH) return TOO_DEEP
  const string = pick(value, 'stringValue', 'string_value')
  if (string !== undefined) return { stringValue: cutText(readText(string)) }
  const boolean = pick(value, 'boolValue', 'bool_value')
  if (boolean !== undefined) return { boolValue: boolean === true || boolean === 'true' }
  const integer = pick(value, 'intValue', 'int_value')
  if (integer !== undefined) return readInteger(integer)
  const double = pick(value, 'doubleValue', 'double_value')
  if (double !== undefined) return readDouble(double)
  const array = pick(value, 'arrayValue', 'array_value')
  if (isFields(array)) return { arrayValue: { values: listOf(array['values']).map((item) => readAnyValue(item, depth + 1)) } }
  const list = pick(value, 'kvlistValue', 'kvlist_value')
  if (isFields(list)) return { kvlistValue: { values: readKeyValues(list['values'], depth + 1) } }
  const bytes = pick(value, 'bytesValue', 'bytes_value')
  if (bytes instanceof Uint8Array) return { bytesValue: Buffer.from(bytes).toString('base64') }
  if (typeof bytes === 'string') return { bytesValue: readText(bytes) }
  return {}
}

/** Text up to the cap; what was cut says so. */
export function cutText(text: string): string {
  return text.length <= MAX_TEXT_LENGTH
    ? text
    : `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()} …[of ${text.length} characters] ${CUT_MARK}`
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function readInteger(value: unknown): OtlpAnyValue {
  const digits = wholeNumber(value)
  return digits === undefined ? { stringValue: readText(value) } : { intValue: digits }
}

function readDouble(value: unknown): OtlpAnyValue {
  if (typeof value === 'string') {
    const number = Number(value)
    if (value !== '' && Number.isFinite(number)) return { doubleValue: number }
    return /^(NaN|-?Infinity)$/.test(value) ? { doubleValue: value } : {}
  }
  if (typeof value === 'bigint') return { doubleValue: Number(value) }
  if (typeof value !== 'number') return {}
  return { doubleValue: Number.isFinite(value) ? value : String(value) }
}

/** The decimal digits of a whole number given as number, bigint or text, without rounding; undefined for anything else. */
export function wholeNumber(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : undefined
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'string') return undefined
  if (/^-?[1-9]\d*$/.test(value)) return value
  const text = value.trim()
  if (/^-?\d+$/.test(text)) return text.length < 16 ? String(Number(text)) : BigInt(text).toString()
  const number = Number(text)
  return text !== '' && Number.isInteger(number) ? BigInt(number).toString() : undefined
}
