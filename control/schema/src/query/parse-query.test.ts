import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeQuery } from './complete-query.ts'
import { QUERY_KEYS } from './keys.ts'
import { MAX_QUERY_FILTERS, MAX_QUERY_LENGTH, parseQuery } from './parse-query.ts'
import { queryTokens } from './tokens.ts'

const termsOf = (text: string) => {
  const { terms, problems } = parseQuery(text)
  expect(problems).toEqual([])
  return terms.map(({ negated: _negated, ...term }) => term)
}

describe('a filter', () => {
  it.each([
    ['state:paused,error', { type: 'choice', key: 'state', values: ['paused', 'error'] }],
    ['Link:ATTACHED', { type: 'choice', key: 'link', values: ['attached'] }],
    ['name:draft*', { type: 'field', key: 'name', patterns: [{ match: 'glob', text: 'draft*' }] }],
    ['name:draft', { type: 'field', key: 'name', patterns: [{ match: 'contains', text: 'draft' }] }],
    ['model:=gpt-4o', { type: 'field', key: 'model', patterns: [{ match: 'is', text: 'gpt-4o' }] }],
    [
      'tag:"two words",b',
      {
        type: 'field',
        key: 'tag',
        patterns: [
          { match: 'contains', text: 'two words' },
          { match: 'contains', text: 'b' },
        ],
      },
    ],
    ['error:true', { type: 'flag', key: 'error', value: true }],
    ['cost:>0.1', { type: 'number', key: 'cost', bounds: [{ comparison: '>', value: 0.1 }] }],
    ['tokens:>=18.2k', { type: 'number', key: 'tokens', bounds: [{ comparison: '>=', value: 18_200 }] }],
    ['duration:<1.5m', { type: 'number', key: 'duration', bounds: [{ comparison: '<', value: 90_000 }] }],
    ['since:1h', { type: 'since', moment: { agoMs: 3_600_000 } }],
    ['since:2026-03-01T12:00:00Z', { type: 'since', moment: { epochMs: Date.UTC(2026, 2, 1, 12) } }],
    ['since:2026-03-01', { type: 'since', moment: { epochMs: new Date(2026, 2, 1).getTime() } }],
    ['trip', { type: 'text', pattern: { match: 'contains', text: 'trip' } }],
    ['a,b', { type: 'text', pattern: { match: 'contains', text: 'a,b' } }],
    ['=', { type: 'text', pattern: { match: 'contains', text: '=' } }],
    ['"tool:search \\" *"', { type: 'text', pattern: { match: 'contains', text: 'tool:search " *' } }],
  ])('%s is understood', (text, term) => {
    expect(termsOf(text)).toEqual([term])
  })

  it('is turned round by a minus before it, and a lone minus is text', () => {
    expect(parseQuery('-state:ok -trip -"x y" - a-b').terms.map(({ type, negated }) => [type, negated])).toEqual([
      ['choice', true],
      ['text', true],
      ['text', true],
      ['text', false],
      ['text', false],
    ])
  })

  it.each([
    ['colour:red', 'unknown-key', 0, 6, '"colour:red"'],
    ['trip stat:ok', 'unknown-key', 5, 9, 'Did you mean state:?'],
    ['modle:x', 'unknown-key', 0, 5, 'Keys are'],
    ['tags:x', 'unknown-key', 0, 4, 'Did you mean tag:?'],
    ['state:', 'missing-value', 0, 6, 'state:paused'],
    ['tag:a,,b', 'missing-value', 0, 6, 'tag:slow'],
    ['state:ok,stuck', 'bad-value', 9, 14, 'running, paused, ok'],
    ['error:yes', 'bad-value', 6, 9, 'true or false'],
    ['cost:cheap', 'bad-value', 5, 10, 'cost:>0.1'],
    ['duration:>2', 'bad-value', 9, 11, 'duration:>2s'],
    ['since:yesterday', 'bad-value', 6, 15, '30m, 1h, 7d'],
    ['since:2026-13-01', 'bad-value', 6, 16, 'as a date'],
    ['tag:"open', 'unclosed-quote', 0, 9, 'second "'],
    ['"open\\"', 'unclosed-quote', 0, 7, 'second "'],
  ])('%s is marked where it is wrong, with what to write instead', (text, code, start, end, words) => {
    const { problems } = parseQuery(text)
    expect(problems).toMatchObject([{ code, start, end, message: expect.stringContaining(words) }])
    expect(problems[0]?.message).toMatch(/\.$/)
  })

  it('is taken up to the longest and the most, and refused beyond', () => {
    expect(parseQuery('x'.repeat(MAX_QUERY_LENGTH)).problems).toEqual([])
    expect(parseQuery('x'.repeat(MAX_QUERY_LENGTH + 1)).problems).toMatchObject([{ code: 'query-too-long' }])
    expect(parseQuery('x '.repeat(MAX_QUERY_FILTERS)).problems).toEqual([])
    const many = parseQuery('x '.repeat(MAX_QUERY_FILTERS + 1))
    expect([many.problems[0]?.code, many.terms.length]).toEqual(['too-many-filters', MAX_QUERY_FILTERS])
  })

  it('has an example for each key that is itself understood', () => {
    for (const { example } of QUERY_KEYS) expect(termsOf(example)).toHaveLength(1)
  })
})

it('cuts any text into tokens that lie in it one after another', () => {
  const piece = fc.constantFrom('-', ':', '"', '\\', ',', ' ', 'a', 'state', 'x:', '>1', 'é', '\u{1f600}')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      let at = 0
      for (const token of queryTokens(text)) {
        expect(text.slice(at, token.start).trim()).toBe('')
        expect(token.end).toBeGreaterThan(token.start)
        for (const value of token.values) expect(value.end).toBeLessThanOrEqual(token.end)
        at = token.end
      }
      expect(text.slice(at).trim()).toBe('')
      const { terms, problems, tokens } = parseQuery(text)
      expect(terms.length + problems.length).toBe(tokens.length)
    }),
  )
})

describe('completion', () => {
  const inserts = (text: string, caret = text.length) => completeQuery(text, caret)?.suggestions.map(({ insert }) => insert)

  it('offers every key at an empty place, and those that begin so while one is written', () => {
    expect(inserts('')).toHaveLength(QUERY_KEYS.length)
    expect(inserts('trip s')).toEqual(['state:', 'since:', 'source:', 'session:'])
    expect(completeQuery('trip -st', 8)).toMatchObject({ replace: { start: 6, end: 8 }, written: 'st' })
  })

  it('offers the words that a key takes, and names the key where the caller knows more', () => {
    expect(inserts('state:a')).toEqual(['aborted', 'abandoned'])
    expect(completeQuery('model:gpt', 9)).toMatchObject({
      key: { name: 'model' },
      written: 'gpt',
      replace: { start: 6, end: 9 },
      suggestions: [],
    })
    expect(completeQuery('state:ok,pa tag:x', 11)).toMatchObject({ replace: { start: 9, end: 11 }, suggestions: [{ insert: 'paused' }] })
  })

  it('replaces a key with its colon, and leaves free text alone', () => {
    expect(completeQuery('sta:ok', 2)).toMatchObject({ replace: { start: 0, end: 4 } })
    expect(completeQuery('planner', 7)).toBeUndefined()
    expect(completeQuery('"st', 3)).toBeUndefined()
  })
})
