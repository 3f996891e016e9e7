import type { ChangedField, Delta, Measures } from '@graphmind-ai/schema'
import type { ComparedCall, ComparedPair, Comparison } from '../link/read-comparison.ts'
import { cost, count, duration, exactDuration, exactly, MISSING } from './format.ts'

export type Verdict = ComparedPair['verdict']

export const VERDICT_WORDS: Record<Verdict, string> = {
  same: 'Same',
  changed: 'Changed',
  'left-only': 'Only left',
  'right-only': 'Only right',
}

/** The rows that are shown; the callers of a difference stay, so that it is seen where it happened. */
export function shownPairs(rows: readonly ComparedPair[], onlyDifferences: boolean): readonly ComparedPair[] {
  if (!onlyDifferences) return rows
  const wanted = new Set<number>()
  const path: number[] = []
  rows.forEach((row, at) => {
    path.length = Math.min(path.length, row.depth)
    path.push(at)
    if (row.verdict === 'same') return
    for (const index of path) wanted.add(index)
  })
  return rows.filter((_, at) => wanted.has(at))
}

export type Measure = keyof Measures

/** A difference as people read it: with its sign, its word, and whether it is more than chance. */
export interface DeltaWords {
  readonly text: string
  /** Says it without the sign and with all digits: "1,234.5 ms slower". */
  readonly words: string
  readonly tone: 'better' | 'worse' | 'none'
}

const SHOWN: Record<
  Measure,
  { readonly format: (value: number) => string; readonly exact: (value: number) => string; readonly more: string; readonly less: string }
> = {
  durationMs: { format: duration, exact: exactDuration, more: 'slower', less: 'faster' },
  inputTokens: { format: count, exact: exactly, more: 'more tokens in', less: 'fewer tokens in' },
  outputTokens: { format: count, exact: exactly, more: 'more tokens out', less: 'fewer tokens out' },
  costUsd: { format: cost, exact: (usd) => `$${exactly(usd)}`, more: 'dearer', less: 'cheaper' },
  errors: { format: count, exact: exactly, more: 'more errors', less: 'fewer errors' },
}

/** Shorter differences than this, ms, and smaller ones than this part of the whole, are chance. */
const CHANCE_MS = 10
const CHANCE_PART = 0.1

/** Right minus left in words. `of` is the larger of both sides, by which a difference in time is judged. */
export function deltaWords(measure: Measure, delta: number | undefined, of: number): DeltaWords {
  if (delta === undefined) return { text: MISSING, words: 'not known on both sides', tone: 'none' }
  if (delta === 0) return { text: '±0', words: 'the same', tone: 'none' }
  const { format, exact, more, less } = SHOWN[measure]
  const size = format(Math.abs(delta))
  const real = measure !== 'durationMs' || (Math.abs(delta) >= CHANCE_MS && Math.abs(delta) >= of * CHANCE_PART)
  return {
    text: `${delta > 0 ? '+' : '−'}${size}`,
    words: `${exact(Math.abs(delta))} ${delta > 0 ? more : less}`,
    tone: real ? (delta > 0 ? 'worse' : 'better') : 'none',
  }
}

/** Tokens in and out together, undefined when one side knows none. */
export function tokenDelta({ inputTokens, outputTokens }: Delta): number | undefined {
  return inputTokens === undefined && outputTokens === undefined ? undefined : (inputTokens ?? 0) + (outputTokens ?? 0)
}

const FIELD_WORDS: Record<ChangedField, string> = {
  node: 'node',
  status: 'how it ended',
  error: 'error',
  model: 'model',
  input: 'input',
  output: 'output',
}

/** What differs in a pair: "input, output". */
export function changeWords(changes: readonly ChangedField[]): string {
  return changes.map((field) => FIELD_WORDS[field]).join(', ')
}

/** Where a call stands in its run: the parts of the run's length before it and that it takes, 0 to 1. */
export interface Place {
  readonly from: number
  readonly part: number
}

/** Draws calls of both sides on one scale, or each run as wide as the other. */
export function placesOf({ rows }: Comparison, scale: 'one' | 'each'): (side: 'left' | 'right', call: ComparedCall) => Place {
  const bounds = { left: boundsOf(rows, 'left'), right: boundsOf(rows, 'right') }
  const longest = Math.max(bounds.left.length, bounds.right.length)
  return (side, { startedAt, durationMs = 0 }) => {
    const { start, length } = bounds[side]
    const whole = Math.max(1, scale === 'one' ? longest : length)
    return { from: (startedAt - start) / whole, part: durationMs / whole }
  }
}

function boundsOf(rows: readonly ComparedPair[], side: 'left' | 'right'): { readonly start: number; readonly length: number } {
  let start = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const { [side]: call } of rows) {
    if (call === undefined) continue
    start = Math.min(start, call.startedAt)
    end = Math.max(end, call.startedAt + (call.durationMs ?? 0))
  }
  return end < start ? { start: 0, length: 0 } : { start, length: end - start }
}
