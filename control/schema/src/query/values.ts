export type Comparison = '>' | '>=' | '<' | '<=' | '='

export interface Bound {
  readonly comparison: Comparison
  readonly value: number
}

const COMPARISON = /^(>=|<=|>|<|=)?(.+)$/
const NUMBER = /^(\d{1,15}(?:\.\d{1,9})?|\.\d{1,9})([kKmM]?)$/
const DURATION = /^(\d{1,12}(?:\.\d{1,6})?|\.\d{1,6})(ms|s|m|min|h|d|w)$/i
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/
const TIMES = { '': 1, k: 1_000, m: 1_000_000 } as const
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** `>0.1`, `<= 18k`, `2`: a number with an optional comparison before it and k or M after it. Undefined for anything else. */
export function readNumberBound(text: string): Bound | undefined {
  return readBound(text, (value) => {
    const match = NUMBER.exec(value)
    return match === null ? undefined : Number(match[1]) * TIMES[(match[2] ?? '').toLowerCase() as keyof typeof TIMES]
  })
}

/** `>2s`: a length of time in milliseconds with an optional comparison before it. */
export function readDurationBound(text: string): Bound | undefined {
  return readBound(text, readDuration)
}

/** `500ms`, `2s`, `1.5m`, `1h`, `30d`, `2w` as milliseconds. */
export function readDuration(text: string): number | undefined {
  const match = DURATION.exec(text)
  return match === null ? undefined : Number(match[1]) * UNIT_MS[(match[2] ?? '').toLowerCase() as keyof typeof UNIT_MS]
}

/** How long ago in milliseconds, or an epoch time: `1h`, `2026-03-01`, `2026-03-01T12:00Z`. A time without a zone is local. */
export type Moment = { readonly agoMs: number } | { readonly epochMs: number }

export function readMoment(text: string): Moment | undefined {
  const agoMs = readDuration(text)
  if (agoMs !== undefined) return { agoMs }
  if (!DATE.test(text)) return undefined
  // JavaScript takes a date alone for midnight in Greenwich; who writes one means midnight where they are.
  const epochMs = Date.parse(text.length === 10 ? `${text}T00:00` : text)
  return Number.isNaN(epochMs) ? undefined : { epochMs }
}

function readBound(text: string, read: (value: string) => number | undefined): Bound | undefined {
  const match = COMPARISON.exec(text)
  const value = read(match?.[2] ?? '')
  return match === null || value === undefined ? undefined : { comparison: (match[1] ?? '=') as Comparison, value }
}

export function isWithin(value: number, { comparison, value: bound }: Bound): boolean {
  switch (comparison) {
    case '>':
      return value > bound
    case '>=':
      return value >= bound
    case '<':
      return value < bound
    case '<=':
      return value <= bound
    case '=':
      return value === bound
  }
}
