/** Stands for a value nobody told us; never shown as 0, empty or {}. */
export const MISSING = '—'
/** Stands for a value that was hidden before it left the agent. */
export const HIDDEN = '▮▮'

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false })

/** A length of time in ms as people read it: "0.42 ms", "412 ms", "12.4 s", "2 min 5 s", "1 h 2 min". */
export function duration(ms: number | undefined | null): string {
  if (ms === undefined || ms === null || !Number.isFinite(ms)) return MISSING
  if (ms < 0) return '0 ms'
  if (ms < 999.5) return `${three.format(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${three.format(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A running length of time in ms, to the tenth of a second so that it does not flicker. */
export function ticking(ms: number): string {
  const shown = Math.max(0, ms)
  return shown < 60_000 ? `${(shown / 1000).toFixed(1)} s` : wholeSeconds(shown)
}

/** A running length of time in ms, to the second. */
export function wholeSeconds(ms: number): string {
  return duration(Math.floor(Math.max(0, ms) / 1000) * 1000).replace(/^0 ms$/, '0 s')
}

/** A count to three digits: "847", "18.2k", "1.32M". */
export function count(value: number | undefined | null): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return MISSING
  if (Math.abs(value) < 1000) return three.format(value)
  if (Math.abs(value) < 999_500) return `${three.format(value / 1000)}k`
  return `${three.format(value / 1_000_000)}M`
}

/** All digits, for the tooltip of a shortened number. */
export function exactly(value: number | undefined | null): string {
  return value === undefined || value === null ? 'not known' : exact.format(value)
}

/** A length of time with all its digits, to the nanosecond, for the tooltip of a rounded one: "12,345.678 ms". */
export function exactDuration(ms: number | undefined | null): string {
  return ms === undefined || ms === null ? exactly(ms) : `${exactly(Math.round(ms * 1e6) / 1e6)} ms`
}

const LEAST_COST = 0.0001

/** US dollars. A free call is "$0", an unknown cost is the dash. */
export function cost(usd: number | undefined | null): string {
  if (usd === undefined || usd === null || !Number.isFinite(usd)) return MISSING
  if (usd === 0) return '$0'
  if (usd < LEAST_COST) return `<$${LEAST_COST}`
  return usd < 1 ? `$${three.format(usd)}` : `$${usd.toFixed(2)}`
}

/** An estimate in US dollars: "≈ $0.041". */
export function aboutCost(usd: number): string {
  return usd > 0 && usd < LEAST_COST ? cost(usd) : `≈ ${cost(usd)}`
}

/** How long ago `at` was, both epoch ms. */
export function ago(at: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - at) / 1000))
  if (seconds < 5) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return new Date(at).toISOString().slice(0, 10)
}

/** The last moment before `nowMs` at which `ago` began to say what it says, give or take its rounding; all epoch ms. */
export function agoAsOf(at: number, nowMs: number): number {
  const age = Math.max(0, nowMs - at)
  const step = age < 60_000 ? 1000 : age < 3_600_000 ? 60_000 : 3_600_000
  return at + Math.floor(age / step) * step
}

const localDay = new Intl.DateTimeFormat()

/** Local date and time to the millisecond, for tooltips. */
export function dateTime(at: number): string {
  return `${localDay.format(at)} ${clock(at)}`
}

/** Local time of day to the millisecond. */
export function clock(at: number): string {
  const date = new Date(at)
  const pad = (value: number, width = 2) => String(value).padStart(width, '0')
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
}

/** Size of a text of `characters` UTF-16 units, about. */
export function size(characters: number): string {
  if (characters < 1000) return `${characters} B`
  return characters < 999_500 ? `${three.format(characters / 1000)} KB` : `${three.format(characters / 1_000_000)} MB`
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as file managers count them, in steps of 1024: "847 B", "1.2 GB". */
export function bytes(value: number | undefined | null): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return MISSING
  const step = value < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(value) / 10))
  return `${three.format(value / 1024 ** step)} ${BYTE_UNITS[step]}`
}

/** A count with its noun: "1 step", "1,204 steps". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
