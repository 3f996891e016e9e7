import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_TERMS, matchExpression, readSearch } from './search-terms.ts'
import { indexedText, MAX_SEARCHED_CHARACTERS, textLeaves } from './searched-text.ts'
import { findText } from './snippet.ts'

const termsOf = (query: string) => {
  const terms = readSearch(query)
  if (!terms.ok) throw new Error(terms.problem.message)
  return terms.value
}

describe('what is typed into the search box', () => {
  it.each([
    ['paris flight', '"paris" * AND "flight" *'],
    ['"Paris flight"', '"paris" AND "flight"'],
    ['get_weather', '"get" AND "weather" *'],
    ['"open quote', '"open" AND "quote"'],
    ['a OR b NOT (c)', '"a" * AND "or" * AND "b" * AND "not" * AND "c" *'],
    ['東京 x', '"東" AND "京" * AND "x" *'],
  ])('%s asks the index for %s', (query, expression) => {
    expect(matchExpression(termsOf(query))).toBe(expression)
  })

  it('is refused when there is no word in it, or too much', () => {
    for (const query of ['', '  ', '!!! ""', '"'])
      expect(readSearch(query)).toMatchObject({ ok: false, problem: { code: 'nothing-to-search' } })
    expect(readSearch('x'.repeat(MAX_SEARCH_LENGTH)).ok).toBe(true)
    expect(readSearch('x'.repeat(MAX_SEARCH_LENGTH + 1))).toMatchObject({ problem: { code: 'search-too-long' } })
    expect(readSearch('x '.repeat(MAX_SEARCH_TERMS)).ok).toBe(true)
    expect(readSearch('x '.repeat(MAX_SEARCH_TERMS + 1))).toMatchObject({ problem: { code: 'too-many-terms' } })
  })

  it('is never a syntax error, whatever it is', () => {
    const database = new DatabaseSync(':memory:')
    database.exec("CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')")
    const match = database.prepare('SELECT rowid FROM words WHERE words MATCH ?')
    const piece = fc.constantFrom(
      '"',
      "'",
      '(',
      ')',
      '*',
      '^',
      ':',
      '-',
      '+',
      'AND',
      'NEAR',
      ' ',
      'é',
      '٣',
      '\u0301',
      '\0',
      '東',
      '\ud800',
      'a_b',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join('')),
          fc.string({ unit: 'grapheme' }),
        ),
        (query) => {
          const terms = readSearch(query)
          if (terms.ok) expect(match.all(matchExpression(terms.value))).toEqual([])
        },
      ),
    )
    database.close()
  })
})

it('finds a text by all of its own words', () => {
  const database = new DatabaseSync(':memory:')
  database.exec("CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')")
  const match = database.prepare('SELECT rowid FROM words WHERE words MATCH ?')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const terms = readSearch(text.replaceAll('"', ' '))
      if (!terms.ok) return
      database.exec('DELETE FROM words')
      database.prepare('INSERT INTO words (rowid, body) VALUES (1, ?)').run(indexedText(text))
      expect(match.all(matchExpression(terms.value))).toHaveLength(1)
      expect(findText(text, terms.value)).toBeDefined()
    }),
  )
  database.close()
})

describe('the text of a payload', () => {
  it('is every text and number in it, with the way to it, but nothing that was redacted', () => {
    const value = {
      messages: [
        { role: 'user', content: 'hi' },
        { n: 5, 'odd key': true, secret: '__REDACTED__' },
      ],
      '': 'empty',
    }
    expect([...textLeaves(value)]).toEqual([
      { path: 'messages[0].role', text: 'user' },
      { path: 'messages[0].content', text: 'hi' },
      { path: 'messages[1].n', text: '5' },
      { path: '[""]', text: 'empty' },
    ])
    expect(indexedText(value)).not.toContain('REDACTED')
  })

  it('is searched up to a length, and without words that nobody types', () => {
    const text = `${'a '.repeat(MAX_SEARCHED_CHARACTERS / 2 - 2)}last`
    expect(text).toHaveLength(MAX_SEARCHED_CHARACTERS)
    expect(indexedText(text).endsWith('last')).toBe(true)
    expect(indexedText(`a ${text}`).endsWith('last')).toBe(false)
    expect(indexedText(`see ${'A1b2'.repeat(100)} here`)).toMatch(/^see +here$/)
  })

  it('may be as deep as it likes', () => {
    let value: unknown = 'deep'
    for (let depth = 0; depth < 20_000; depth++) value = [value]
    expect(indexedText(value)).toBe('deep')
  })
})

describe('a found text', () => {
  it('is shown with the places of all terms, in either case', () => {
    expect(findText({ a: 'nothing', b: 'The FLIGHT to Paris, the flights back' }, termsOf('flight paris'))).toEqual({
      path: 'b',
      snippet: {
        text: 'The FLIGHT to Paris, the flights back',
        ranges: [
          [4, 10],
          [14, 19],
          [25, 31],
        ],
        cutBefore: false,
        cutAfter: false,
      },
    })
  })

  it('is not one when a term stands nowhere as it is written', () => {
    expect(findText('get the weather', termsOf('get_weather'))).toBeUndefined()
    expect(findText('weather paris', termsOf('"paris weather"'))).toBeUndefined()
    expect(findText({ a: 'paris', b: 'weather' }, termsOf('paris weather'))).toMatchObject({ path: 'a' })
  })

  it('is cut round its first term, never through a character, and says that it is', () => {
    const long = `${'😀'.repeat(200)} needle ${'😀'.repeat(200)}`
    const found = findText(long, termsOf('needle'))
    expect(found?.snippet).toMatchObject({ cutBefore: true, cutAfter: true })
    expect(found?.snippet.text.isWellFormed()).toBe(true)
    const [[start = 0, end = 0] = []] = found?.snippet.ranges ?? []
    expect(found?.snippet.text.slice(start, end)).toBe('needle')
  })
})
