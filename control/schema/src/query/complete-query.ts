import { QUERY_KEYS, type QueryKey, queryKey } from './keys.ts'
import { queryTokens, type TextRange } from './tokens.ts'

export interface QuerySuggestion {
  /** What takes the place of `replace`. */
  readonly insert: string
  readonly summary: string
}

/** What could be written at a place of the query. */
export interface QueryCompletion {
  readonly replace: TextRange
  readonly suggestions: readonly QuerySuggestion[]
  /** Set where a value of this key is being written, so that the caller can add what it knows: models, tags, apps. */
  readonly key: QueryKey | undefined
  /** What of the value stands before the caret. */
  readonly written: string
}

/** Suggestions for the caret at an offset of the query: keys, or the words a key takes. Undefined inside free text. */
export function completeQuery(text: string, caret: number): QueryCompletion | undefined {
  const token = queryTokens(text).find(({ start, end }) => start <= caret && caret <= end)
  if (token === undefined) return keysFor({ start: caret, end: caret }, '')
  if (token.key === undefined) {
    const [value] = token.values
    if (value === undefined || value.quoted || caret < value.start) return undefined
    const completion = keysFor(value, text.slice(value.start, caret))
    return completion.suggestions.length === 0 ? undefined : completion
  }
  if (caret <= token.key.end) return keysFor({ start: token.key.start, end: token.key.end + 1 }, text.slice(token.key.start, caret))
  const key = queryKey(token.key.text)
  const value = token.values.find(({ start, end }) => start <= caret && caret <= end)
  if (key === undefined || value === undefined) return undefined
  const written = text.slice(value.start, caret)
  const suggestions = key.values
    .filter((word) => word.startsWith(written.toLowerCase()))
    .map((word) => ({ insert: word, summary: key.summary }))
  return { replace: { start: value.start, end: value.end }, suggestions, key, written }
}

function keysFor({ start, end }: TextRange, written: string): QueryCompletion {
  const suggestions = QUERY_KEYS.filter(({ name }) => name.startsWith(written.toLowerCase())).map(({ name, summary }) => ({
    insert: `${name}:`,
    summary,
  }))
  return { replace: { start, end }, suggestions, key: undefined, written }
}
