import { NODE_KINDS } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'
import { readPageLimit } from '../reads/run-list.ts'
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT, type SearchRequest } from '../reads/search.ts'
import { readSearch } from './search-terms.ts'
import { SEARCH_FIELDS } from './searched-text.ts'

/** A search as texts, from a URL or a command line. */
export interface SearchWish {
  readonly query: string | undefined
  readonly limit?: string | undefined
  /** Node kinds and fields, parted by commas. */
  readonly kind?: string | undefined
  readonly in?: string | undefined
  readonly cursor?: string | undefined
}

/** Reads a search over all runs; the problem's words name what was wrong as `limit`, `kind` and `in`. */
export function readSearchWish({ query, limit, kind, in: fields, cursor }: SearchWish): Result<SearchRequest> {
  const terms = readSearch(query ?? '')
  if (!terms.ok) return terms
  const most = readPageLimit(limit, DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT)
  if (!most.ok) return most
  const kinds = readWords('kind', kind, NODE_KINDS)
  if (!kinds.ok) return kinds
  const places = readWords('in', fields, SEARCH_FIELDS)
  if (!places.ok) return places
  return ok({ terms: terms.value, run: undefined, kinds: kinds.value, fields: places.value, limit: most.value, cursor })
}

/** Words parted by commas, each one of those known; none when absent. */
function readWords<Word extends string>(name: string, value: string | undefined, known: readonly Word[]): Result<readonly Word[]> {
  const words: Word[] = []
  for (const written of (value ?? '').split(',').filter(Boolean)) {
    const word = known.find((one) => one === written)
    if (word === undefined) return failed(`bad-${name}`, `${name} takes ${known.join(', ')}, parted by commas; not "${written}".`)
    words.push(word)
  }
  return ok(words)
}
