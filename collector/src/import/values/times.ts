const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d+))?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/** Nanoseconds since 1970 as decimal digits from an ISO time (without a zone: UTC) or a number whose size tells its unit; `0` when absent. */
export function nanosFrom(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '0'
  if (typeof value === 'bigint' || typeof value === 'number') return nanosOfNumber(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return /^\d+(\.\d+)?$/.test(text) ? nanosOfNumber(text.includes('.') ? Number(text) : BigInt(text)) : nanosOfIso(text)
}

/** Nanoseconds as decimal digits from a whole number of microseconds. */
export function nanosOfMicros(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n ? value * 1000n : undefined
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? BigInt(Math.round(value)) * 1000n : undefined
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) * 1000n : undefined
}

function nanosOfIso(text: string): string | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, date, time, fraction = '', zone = 'Z'] = match
  const ms = Date.parse(`${date}T${time}${/^z$/i.test(zone) ? 'Z' : zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`}`)
  return Number.isNaN(ms) || ms < 0 ? undefined : String(BigInt(ms) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')))
}

// Seconds, milliseconds, microseconds or nanoseconds: no two of them meet between 1973 and 5138.
function nanosOfNumber(value: number | bigint): string | undefined {
  if (typeof value === 'number' && (!Number.isFinite(value) || value < 0)) return undefined
  if (value < 0) return undefined
  const factor = value >= 1e17 ? 1 : value >= 1e14 ? 1e3 : value >= 1e11 ? 1e6 : 1e9
  if (typeof value === 'bigint') return String(value * BigInt(factor))
  const whole = Math.trunc(value)
  return String(BigInt(whole) * BigInt(factor) + BigInt(Math.round((value - whole) * factor)))
}
