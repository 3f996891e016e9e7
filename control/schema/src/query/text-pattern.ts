import { matchesGlob } from './glob.ts'

/**
 * What a text has to look like: `contains` it anywhere, `is` it whole, or match a glob (`*` any text, `?` one character) whole. Letters
 * match in either case.
 */
export interface TextPattern {
  readonly match: 'contains' | 'is' | 'glob'
  readonly text: string
}

/** `draft` is contained, `=draft` is all of it, `draft*` is a glob; quoted text means itself, wherever it stands. */
export function textPattern(text: string, quoted: boolean): TextPattern {
  if (quoted) return { match: 'contains', text }
  if (text.startsWith('=') && text.length > 1) return { match: 'is', text: text.slice(1) }
  return { match: /[*?]/.test(text) ? 'glob' : 'contains', text }
}

export function matchesText(pattern: TextPattern, text: string): boolean {
  const fold = isPlainText(pattern.text) ? foldPlain : foldAny
  const wanted = fold(pattern.text)
  const found = fold(text)
  if (pattern.match === 'contains') return found.includes(wanted)
  return pattern.match === 'is' ? found === wanted : matchesGlob([...wanted], [...found])
}

/** Only ASCII: then SQL's own LIKE folds the same letters as we do, and no row needs a function call. */
export function isPlainText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function foldPlain(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function foldAny(text: string): string {
  return text.toLowerCase()
}
