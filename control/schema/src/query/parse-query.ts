import { type ChoiceKey, type FlagKey, type NumberKey, QUERY_KEYS, type QueryKey, queryKey, type TextKey } from './keys.ts'
import type { Query, QueryProblem, QueryProblemCode, QueryTerm } from './query.ts'
import { textPattern } from './text-pattern.ts'
import { type QueryText, type QueryToken, queryTokens, type TextRange } from './tokens.ts'
import { readDurationBound, readMoment, readNumberBound } from './values.ts'

export const MAX_QUERY_LENGTH = 1_000
export const MAX_QUERY_FILTERS = 50

type Reading = { readonly term: QueryTerm } | { readonly problem: QueryProblem }

/** Reads the filter line of the runs list. Never throws: what can't be understood is a problem with its place. */
export function parseQuery(text: string): Query {
  if (text.length > MAX_QUERY_LENGTH) {
    const message = `A filter may have at most ${MAX_QUERY_LENGTH} characters; this one has ${text.length}. Shorten it.`
    return { terms: [], tokens: [], problems: [problem('query-too-long', { start: MAX_QUERY_LENGTH, end: text.length }, message)] }
  }
  const tokens = queryTokens(text)
  const terms: QueryTerm[] = []
  const problems: QueryProblem[] = []
  for (const token of tokens.slice(0, MAX_QUERY_FILTERS)) {
    const reading = readToken(token)
    if ('term' in reading) terms.push(reading.term)
    else problems.push(reading.problem)
  }
  const excess = tokens[MAX_QUERY_FILTERS]
  if (excess !== undefined) {
    const message = `A query may have at most ${MAX_QUERY_FILTERS} filters; this one has ${tokens.length}. Take some away.`
    problems.push(problem('too-many-filters', { start: excess.start, end: text.length }, message))
  }
  return { terms, tokens, problems }
}

function readToken(token: QueryToken): Reading {
  const { key: written, negated, values } = token
  if (token.unclosed) return fail('unclosed-quote', token, 'This quote is not closed. End it with a second ".')
  if (written === undefined) return readText(token)
  const key = queryKey(written.text)
  if (key === undefined) return fail('unknown-key', written, unknownKey(written.text, token))
  const empty = values.find(({ text }) => text === '')
  if (empty !== undefined) {
    return fail('missing-value', { start: written.start, end: empty.end }, `Write a value after ${key.name}:, like ${key.example}.`)
  }
  const read = readValues(key, values)
  return 'problem' in read ? read : { term: { ...read.condition, negated } as QueryTerm }
}

function readText({ negated, values }: QueryToken): Reading {
  const [value] = values
  const text = value?.text ?? ''
  // `=` has a meaning after a key only.
  const pattern = text.startsWith('=') ? ({ match: 'contains', text } as const) : textPattern(text, value?.quoted === true)
  return { term: { type: 'text', pattern, negated } }
}

type Condition = QueryTerm extends infer Term ? (Term extends QueryTerm ? Omit<Term, 'negated'> : never) : never
type Values = { readonly condition: Condition } | { readonly problem: QueryProblem }

function readValues(key: QueryKey, values: readonly QueryText[]): Values {
  switch (key.form) {
    case 'choice': {
      const read = readEach(values, ({ text }) => key.values.find((value) => value === text.toLowerCase()), oneOf(key))
      return 'problem' in read ? read : { condition: { type: 'choice', key: key.name as ChoiceKey, values: read.all } }
    }
    case 'flag': {
      const [value] = values
      const text = value?.text.toLowerCase()
      if (values.length > 1 || (text !== 'true' && text !== 'false')) return fail('bad-value', rangeOf(values), oneOf(key))
      return { condition: { type: 'flag', key: key.name as FlagKey, value: text === 'true' } }
    }
    case 'text':
      return {
        condition: { type: 'field', key: key.name as TextKey, patterns: values.map(({ text, quoted }) => textPattern(text, quoted)) },
      }
    case 'number': {
      const words = `${key.name}: takes a number, with >, >=, < or <= before it and k or M after it if you like: ${key.example}.`
      const read = readEach(values, ({ text }) => readNumberBound(text), words)
      return 'problem' in read ? read : { condition: { type: 'number', key: key.name as NumberKey, bounds: read.all } }
    }
    case 'duration': {
      const words = `${key.name}: takes a time with its unit (ms, s, m, h, d), and >, >=, < or <= before it if you like: ${key.example}.`
      const read = readEach(values, ({ text }) => readDurationBound(text), words)
      return 'problem' in read ? read : { condition: { type: 'number', key: key.name as NumberKey, bounds: read.all } }
    }
    case 'moment': {
      const moment = values.length === 1 ? readMoment(values[0]?.text ?? '') : undefined
      const words = 'since: takes one time, as how long ago (30m, 1h, 7d) or as a date (2026-03-01, 2026-03-01T12:00).'
      return moment === undefined ? fail('bad-value', rangeOf(values), words) : { condition: { type: 'since', moment } }
    }
  }
}

function readEach<Value>(
  values: readonly QueryText[],
  read: (value: QueryText) => Value | undefined,
  message: string,
): { readonly all: readonly Value[] } | { readonly problem: QueryProblem } {
  const all: Value[] = []
  for (const value of values) {
    const one = read(value)
    if (one === undefined) return fail('bad-value', value, message)
    all.push(one)
  }
  return { all }
}

function oneOf({ name, values }: QueryKey): string {
  return `${name}: takes ${values.slice(0, -1).join(', ')} or ${values.at(-1)}.`
}

function unknownKey(name: string, token: QueryToken): string {
  const near = QUERY_KEYS.find(({ name: known }) => isNear(known, name.toLowerCase()))
  const text = `${name}:${token.values.map((value) => value.text).join(',')}`
  const meant = near === undefined ? `Keys are ${QUERY_KEYS.map((key) => key.name).join(', ')}.` : `Did you mean ${near.name}:?`
  return `There is no key “${name}”. ${meant} To look for the text itself, put it in quotes: "${text}".`
}

/** One letter more, less or other, or the beginning of it. */
function isNear(known: string, written: string): boolean {
  if (written.length >= 2 && (known.startsWith(written) || written.startsWith(known))) return true
  if (Math.abs(known.length - written.length) > 1) return false
  let at = 0
  while (at < known.length && known[at] === written[at]) at += 1
  const rest = (text: string, from: number) => text.slice(from)
  return (
    rest(known, at + 1) === rest(written, at + 1) || rest(known, at + 1) === rest(written, at) || rest(known, at) === rest(written, at + 1)
  )
}

function rangeOf(values: readonly QueryText[]): TextRange {
  return { start: values[0]?.start ?? 0, end: values.at(-1)?.end ?? 0 }
}

function problem(code: QueryProblemCode, { start, end }: TextRange, message: string): QueryProblem {
  return { code, start, end, message }
}

function fail(code: QueryProblemCode, range: TextRange, message: string): { readonly problem: QueryProblem } {
  return { problem: problem(code, range, message) }
}
