import { type Fields, isFields, readNumber, readText, wholeNumber } from './read-value.ts'

const MAX_UINT64 = 2n ** 64n - 1n

/** Decimal digits of a 64-bit nanosecond count; `0` when absent, undefined when it is none. */
export function readNanos(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '0'
  const digits = wholeNumber(value)
  if (digits === undefined || digits.startsWith('-')) return undefined
  return digits.length < 20 || BigInt(digits) <= MAX_UINT64 ? digits : undefined
}

/** An enum as its number, from the number or the name. */
export function readEnum(value: unknown, prefix: string, names: readonly string[]): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : 0
  if (typeof value !== 'string') return 0
  if (/^\d+$/.test(value)) return Number(value)
  const name = value.toUpperCase()
  return Math.max(0, names.indexOf(name.startsWith(prefix) ? name.slice(prefix.length) : name))
}

/** Reads up to `max` entries of a list; `dropped` counts those beyond it. */
export function readList<Item>(
  value: unknown,
  max: number,
  read: (fields: Fields) => Item,
): { readonly kept: readonly Item[]; readonly dropped: number } {
  if (!Array.isArray(value)) return { kept: [], dropped: 0 }
  const list = value as readonly unknown[]
  return { kept: list.slice(0, max).filter(isFields).map(read), dropped: Math.max(0, list.length - max) }
}

/** What the sender dropped and what we did. */
export function droppedField<Key extends string>(key: Key, said: unknown, dropped: number): { [K in Key]?: number } {
  const sum = (readNumber(said) || 0) + dropped
  return countField(key, dropped === 0 ? said : sum)
}

/** A text under its key; left out when empty. */
export function textField<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  const text = readText(value)
  return (text === '' ? {} : { [key]: text }) as { [K in Key]?: string }
}

/** A count of 32 bits; zero, negative and odd ones are left out. */
export function countField<Key extends string>(key: Key, value: unknown): { [K in Key]?: number } {
  const count = readNumber(value)
  return (Number.isInteger(count) && count > 0 && count <= 0xffffffff ? { [key]: count } : {}) as { [K in Key]?: number }
}
