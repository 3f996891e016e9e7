import { failed, ok, type Result } from '../../problem.ts'
import { spaced } from './searched-text.ts'

export const MAX_SEARCH_LENGTH = 500
export const MAX_SEARCH_TERMS = 20

/** A word, or a text in quotes. It has to stand in the found field as it is written, in either case; a word may go on. */
export interface SearchTerm {
  readonly text: string
  readonly quoted: boolean
}

/** What was typed into the search box: every term has to be found. There is no syntax that could be wrong. */
export function readSearch(query: string): Result<readonly SearchTerm[]> {
  if (query.length > MAX_SEARCH_LENGTH) {
    return failed('search-too-long', `A search may have at most ${MAX_SEARCH_LENGTH} characters; this one has ${query.length}. Shorten it.`)
  }
  // A quote that is not closed goes to the end: who is still typing sees what is found so far.
  const terms = [...query.normalize('NFC').matchAll(/"([^"]*)(?:"|$)|[^\s"]+/g)]
    .map(([written, inside]) => ({ text: (inside ?? written).trim(), quoted: inside !== undefined }))
    .filter(({ text }) => wordsOf(text).length > 0)
  if (terms.length === 0) return failed('nothing-to-search', 'Write a word to look for, or a text in quotes.')
  if (terms.length > MAX_SEARCH_TERMS) {
    return failed(
      'too-many-terms',
      `A search may have at most ${MAX_SEARCH_TERMS} words; this one has ${terms.length}. Put a text in quotes to look for it as one.`,
    )
  }
  return ok(terms)
}

/** The terms for FTS5. Words are letters and digits only, and quoted, so that nothing in them is syntax. */
export function matchExpression(terms: readonly SearchTerm[]): string {
  return searchedWords(terms)
    .map(({ word, mayGoOn }) => `"${word}"${mayGoOn ? ' *' : ''}`)
    .join(' AND ')
}

/** The terms for rows whose words are parted by spaces: texts that all have to be in ` words `. */
export function partsOfWords(terms: readonly SearchTerm[]): readonly string[] {
  return searchedWords(terms).map(({ word, mayGoOn }) => ` ${word}${mayGoOn ? '' : ' '}`)
}

function searchedWords(terms: readonly SearchTerm[]): readonly { readonly word: string; readonly mayGoOn: boolean }[] {
  return terms.flatMap(({ text, quoted }) => {
    const words = wordsOf(text)
    return words.map((word, index) => ({ word, mayGoOn: !quoted && index === words.length - 1 }))
  })
}

function wordsOf(text: string): readonly string[] {
  return spaced(text).split(' ').filter(Boolean)
}
