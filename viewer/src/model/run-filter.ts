import { parseQuery, type Query, type QueryToken } from '@graphmind-ai/schema'

/** The filter that is asked for: agent runs only, unless other traffic is wanted or the filter says which. */
export function askedFilter(filter: string, showOther: boolean): string {
  return showOther || namesCategory(parseQuery(filter)) ? filter : `${filter} category:agent`.trim()
}

/** The filter that keeps all that `askedFilter` leaves out whatever the reader filters by; undefined when it leaves nothing out. */
export function leftOutFilter(filter: string, showOther: boolean): string | undefined {
  return showOther || namesCategory(parseQuery(filter)) ? undefined : 'category:other'
}

function namesCategory({ terms }: Query): boolean {
  return terms.some((term) => term.type === 'choice' && term.key === 'category')
}

/** A stretch of the filter line: a filter as a chip, what is wrong in it, or what stands between. */
export interface FilterPiece {
  /** UTF-16 offset in the line. */
  readonly start: number
  readonly text: string
  readonly type: 'between' | 'filter' | 'words'
  readonly parts: readonly { readonly start: number; readonly text: string; readonly role: 'key' | 'value' | 'wrong' }[]
}

/** Cuts the filter line for drawing; the pieces together are the text. */
export function filterPieces(text: string): readonly FilterPiece[] {
  const { tokens, problems } = parseQuery(text)
  const pieces: FilterPiece[] = []
  let at = 0
  const between = (end: number) => {
    if (end > at) pieces.push({ start: at, text: text.slice(at, end), type: 'between', parts: [] })
  }
  for (const token of tokens) {
    between(token.start)
    at = token.end
    pieces.push({
      start: token.start,
      text: text.slice(token.start, token.end),
      type: token.key === undefined ? 'words' : 'filter',
      parts: partsOf(text, token, problems),
    })
  }
  between(text.length)
  return pieces
}

function partsOf(text: string, token: QueryToken, problems: Query['problems']): FilterPiece['parts'] {
  const keyEnd = token.key === undefined ? token.start : token.key.end + 1
  // A place may begin in one part and end in the next, so each letter is told apart.
  const wrong = problems.filter(({ start, end }) => start < token.end && end > token.start)
  const cuts = [token.start, keyEnd, token.end, ...wrong.flatMap(({ start, end }) => [start, end])]
    .filter((cut) => cut >= token.start && cut <= token.end)
    .sort((one, other) => one - other)
  return cuts.slice(1).flatMap((end, at) => {
    const start = cuts[at] ?? end
    if (start >= end) return []
    const isWrong = wrong.some((problem) => problem.start < end && problem.end > start)
    return [{ start, text: text.slice(start, end), role: isWrong ? 'wrong' : start < keyEnd ? 'key' : 'value' } as const]
  })
}

/** A text as a value of the filter language, in quotes where it needs them. */
export function filterValue(text: string): string {
  return /^[^\s,:"\\*?=<>-][^\s,:"\\*?]*$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** The filter that keeps the runs of one conversation. */
export function sessionFilter(sessionId: string): string {
  const value = filterValue(sessionId)
  return `session:${value.startsWith('"') ? value : `=${value}`}`
}
