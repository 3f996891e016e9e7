import type { QueryCompletion, RunInfo, TextRange } from '@graphmind-ai/schema'
import { filterValue, sessionFilter } from './run-filter.ts'

/** What runs at hand have as values of the text keys, by the key's name. */
export type FilterWords = Readonly<Record<string, readonly string[]>>

/** Something that can be written at the caret. */
export interface Suggested {
  readonly insert: string
  readonly summary: string
  readonly replace: TextRange
  /** A key waits for its value, a value is complete. */
  readonly isComplete: boolean
}

const MOST_SUGGESTED = 12
/** Runs that are looked at: enough to know what there is. */
const MOST_RUNS = 500

/** The values of text keys in these runs, the most recent first. */
export function wordsOf(runs: Iterable<RunInfo>): FilterWords {
  const words = {
    app: new Set<string>(),
    model: new Set<string>(),
    tag: new Set<string>(),
    session: new Set<string>(),
    name: new Set<string>(),
  }
  let looked = 0
  for (const run of runs) {
    if (looked >= MOST_RUNS) break
    looked += 1
    if (run.app !== '') words.app.add(run.app)
    for (const model of run.models) words.model.add(model)
    for (const tag of run.tags) words.tag.add(tag)
    if (run.sessionId !== undefined) words.session.add(run.sessionId)
    for (const name of [run.name, ...run.nodeNames]) words.name.add(name)
  }
  return Object.fromEntries(Object.entries(words).map(([key, values]) => [key, [...values]]))
}

/** What to offer for a completion: the language's own words, then what the runs have. Nothing when all that is left is what stands there. */
export function filterWords(completion: QueryCompletion | undefined, words: FilterWords): readonly Suggested[] {
  if (completion === undefined) return []
  const { replace, suggestions, key, written } = completion
  const own = suggestions.map(({ insert, summary }) => ({ insert, summary, replace, isComplete: key !== undefined }))
  const wanted = written.replace(/^[="]/, '').toLowerCase()
  const found = (key === undefined ? [] : (words[key.name] ?? []))
    .filter((value) => value.toLowerCase().includes(wanted))
    .map((value) => ({
      insert: key?.name === 'session' ? sessionFilter(value).slice('session:'.length) : filterValue(value),
      summary: key?.summary ?? '',
      replace,
      isComplete: true,
    }))
  const all = [...own, ...found].slice(0, MOST_SUGGESTED)
  return all.length === 1 && all[0]?.insert.toLowerCase() === written.toLowerCase() ? [] : all
}

/** The filter with what was chosen in it, and where the caret then stands. A complete filter gets a space behind it. */
export function withSuggestion(
  text: string,
  { insert, replace, isComplete }: Suggested,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(replace.end)
  const space = isComplete && !/^[\s,]/.test(after) ? ' ' : ''
  return { text: `${text.slice(0, replace.start)}${insert}${space}${after}`, caret: replace.start + insert.length + space.length }
}
