import type { Attributes, AttributeValue } from '../span-view.ts'

/** The first of these attributes that is a text with something in it; a number reads as its digits. */
export function textOf(attributes: Attributes, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key]
    if (typeof value === 'string' && value !== '') return value.toWellFormed()
    if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  }
  return undefined
}

/** The first of these attributes that is a finite number; numbers come as text, too, and NaN means absent (AI SDK 4). */
export function numberOf(attributes: Attributes, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = asNumber(attributes[key])
    if (value !== undefined) return value
  }
  return undefined
}

/** The first of these attributes that is a count: whole and not negative. */
export function countOf(attributes: Attributes, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = asCount(attributes[key])
    if (value !== undefined) return value
  }
  return undefined
}

/** The first of these attributes that is true or false; the words count, too. */
export function flagOf(attributes: Attributes, ...keys: string[]): boolean | undefined {
  for (const key of keys) {
    const value = attributes[key]
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
  }
  return undefined
}

/** True when the span says anything under one of these keys. */
export function hasAny(attributes: Attributes, ...keys: string[]): boolean {
  return keys.some((key) => attributes[key] !== undefined && attributes[key] !== null)
}

let keyed: { readonly attributes: Attributes; readonly keys: readonly string[] } | undefined

/** The keys of a span's attributes; asked several times for each span, of which one after the other is read. */
export function keysOf(attributes: Attributes): readonly string[] {
  if (keyed?.attributes !== attributes) keyed = { attributes, keys: Object.keys(attributes) }
  return keyed.keys
}

/** Attributes whose key starts with `prefix`, by the rest of the key. */
export function withPrefix(attributes: Attributes, prefix: string): [string, AttributeValue][] {
  const found: [string, AttributeValue][] = []
  for (const key of keysOf(attributes)) {
    if (key.length <= prefix.length || !key.startsWith(prefix)) continue
    const value = attributes[key]
    if (value !== undefined && value !== null) found.push([key.slice(prefix.length), value])
  }
  return found
}

/** A finite number out of a number, a 64-bit integer in the safe range, or its text. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : typeof value === 'string' && /^\s*-?\d/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A whole number of at least 0, rounded when a sender counts in fractions. */
export function asCount(value: unknown): number | undefined {
  const number = asNumber(value)
  return number === undefined || number < 0 ? undefined : Math.round(number)
}

/** Milliseconds without the noise of a double: three digits after the point. */
export function roundToMicros(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 1e3) / 1e3
}
