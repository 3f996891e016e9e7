/** Small readers for values from outside: each gives the value, or undefined when it is not of that kind. */
export type Loose = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

export function oneOf<const Known extends string>(known: readonly Known[], value: unknown): Known | undefined {
  return known.find((candidate) => candidate === value)
}
