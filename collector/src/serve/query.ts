/** A whole number from a query, within 1 and `max`; anything else is `fallback`. */
export function readLimit(value: unknown, fallback: number, max: number): number {
  const limit = readSeq(value)
  return limit === undefined || limit < 1 ? fallback : Math.min(limit, max)
}

/** A whole number of zero or more from a query. */
export function readSeq(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
