/** A piece of the query's text: UTF-16 offsets, the end not included. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface QueryText extends TextRange {
  /** What was written, without quotes and their escapes. */
  readonly text: string
  readonly quoted: boolean
}

/** One filter as written: `-key:value,value`, a word, or a quoted text. */
export interface QueryToken extends TextRange {
  readonly negated: boolean
  readonly key: QueryText | undefined
  /** At least one; an empty text where nothing was written. */
  readonly values: readonly QueryText[]
  /** A quote was opened and not closed. */
  readonly unclosed: boolean
}

const KEY = /^[A-Za-z][A-Za-z-]*(?=:)/
const SPACE = /\s/

/** Cuts a query into its tokens; any text can be cut. */
export function queryTokens(text: string): readonly QueryToken[] {
  const tokens: QueryToken[] = []
  for (let at = 0; at < text.length; ) {
    if (SPACE.test(text.charAt(at))) {
      at += 1
      continue
    }
    const token = readToken(text, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function readToken(text: string, start: number): QueryToken {
  let at = start
  const next = text.charAt(at + 1)
  const negated = text.charAt(at) === '-' && next !== '' && !SPACE.test(next)
  if (negated) at += 1
  const name = KEY.exec(text.slice(at))?.[0]
  const key = name === undefined ? undefined : { text: name, start: at, end: at + name.length, quoted: false }
  if (key !== undefined) at = key.end + 1
  const values: QueryText[] = []
  for (;;) {
    // A comma parts the values of a key; in a word it is a letter like any other.
    const value = text.charAt(at) === '"' ? readQuoted(text, at) : readBare(text, at, key !== undefined)
    values.push(value)
    at = value.end
    if (key === undefined || text.charAt(at) !== ',') break
    at += 1
  }
  const unclosed = values.some(({ start: from, end, quoted }) => quoted && !isClosed(text, from, end))
  return { start, end: at, negated, key, values, unclosed }
}

function readBare(text: string, start: number, endsAtComma: boolean): QueryText {
  let end = start
  while (end < text.length && !SPACE.test(text.charAt(end)) && !(endsAtComma && text.charAt(end) === ',')) end += 1
  return { text: text.slice(start, end), start, end, quoted: false }
}

/** Inside quotes a backslash takes the letter after it as it is. */
function readQuoted(text: string, start: number): QueryText {
  let content = ''
  let at = start + 1
  for (; at < text.length && text.charAt(at) !== '"'; at += 1) {
    if (text.charAt(at) === '\\' && at + 1 < text.length) at += 1
    content += text.charAt(at)
  }
  return { text: content, start, end: Math.min(at + 1, text.length), quoted: true }
}

function isClosed(text: string, start: number, end: number): boolean {
  if (end - start < 2 || text.charAt(end - 1) !== '"') return false
  let slashes = 0
  while (text.charAt(end - 2 - slashes) === '\\') slashes += 1
  return slashes % 2 === 0
}
