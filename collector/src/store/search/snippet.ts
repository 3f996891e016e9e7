import type { SearchTerm } from './search-terms.ts'
import { textLeaves } from './searched-text.ts'

/** A piece of a found text: where the terms stand in it (UTF-16 offsets, the end not included), and whether the text goes on. */
export interface Snippet {
  readonly text: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

export interface FoundText {
  readonly path: string
  readonly snippet: Snippet
}

const SNIPPET_LENGTH = 240
const BEFORE = 60
const MAX_RANGES = 20

/** Shows the text inside a value that has most of the terms. Undefined when one of them stands nowhere in it: the index knows words, not texts. */
export function findText(value: unknown, terms: readonly SearchTerm[]): FoundText | undefined {
  const patterns = terms.map(({ text }) => new RegExp(literal(text), 'giu'))
  const missing = new Set(patterns)
  let best: { readonly path: string; readonly text: string; readonly hits: number } | undefined
  for (const { path, text: raw } of textLeaves(value)) {
    const text = raw.normalize('NFC')
    const found = patterns.filter((pattern) => text.search(pattern) >= 0)
    for (const pattern of found) missing.delete(pattern)
    if (found.length > (best?.hits ?? 0)) best = { path, text, hits: found.length }
  }
  return best === undefined || missing.size > 0 ? undefined : { path: best.path, snippet: snippetOf(best.text, patterns) }
}

/** As RegExp.escape, which Node has from 24 on. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function snippetOf(text: string, patterns: readonly RegExp[]): Snippet {
  const places = patterns.map((pattern) => text.search(pattern)).filter((at) => at >= 0)
  let start = Math.max(0, Math.min(...places) - BEFORE)
  let end = Math.min(text.length, start + SNIPPET_LENGTH)
  // A cut must not go through a character.
  if (isLow(text, start)) start -= 1
  if (isLow(text, end)) end -= 1
  const piece = text.slice(start, end)
  const ranges = patterns
    .flatMap((pattern) => [...piece.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length] as const))
    .sort(([one], [other]) => one - other)
  return { text: piece, ranges: joined(ranges).slice(0, MAX_RANGES), cutBefore: start > 0, cutAfter: end < text.length }
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function joined(ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const apart: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}
