/** Which of a breakpoint's hits count, or what is wrong with the text that says so. */
export type HitCount =
  | { readonly ok: true; readonly holds: (hits: number) => boolean }
  | { readonly ok: false; readonly code: 'BAD_HIT_COUNT'; readonly problem: string }

const HIT_COUNT = /^\s*(==?|>=?|<=?|%)?\s*(\d{1,9})\s*$/

const TESTS: Readonly<Record<string, (hits: number, count: number) => boolean>> = {
  '=': (hits, count) => hits === count,
  '==': (hits, count) => hits === count,
  '>': (hits, count) => hits > count,
  '>=': (hits, count) => hits >= count,
  '<': (hits, count) => hits < count,
  '<=': (hits, count) => hits <= count,
  '%': (hits, count) => hits % count === 0,
}

/** Reads `3` (the third hit alone), `>= 3`, `< 3` or `% 5` (each fifth). Hits are counted from 1. */
export function parseHitCount(text: string): HitCount {
  const [, operator = '=', digits = ''] = HIT_COUNT.exec(text) ?? []
  const test = TESTS[operator]
  const count = Number(digits)
  if (digits === '' || test === undefined || (operator === '%' && count === 0)) {
    const shown = text.slice(0, 40)
    const problem = `Can’t read the hit count “${shown}”. Use a number with an optional operator, like “3”, “>= 3” or “% 5”.`
    return { ok: false, code: 'BAD_HIT_COUNT', problem }
  }
  return { ok: true, holds: (hits) => test(hits, count) }
}
