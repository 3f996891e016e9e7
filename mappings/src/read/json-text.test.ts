import { describe, expect, it } from 'vitest'
import { parseJsonText } from './json-text.ts'
import { TRUNCATED } from './limits.ts'

describe('parseJsonText', () => {
  it.each([
    ['{"city":"Paris"}', { city: 'Paris' }],
    ['"{\\"city\\":\\"Paris\\"}"', { city: 'Paris' }],
    ['"\\"[1]\\""', [1]],
    ['"plain"', 'plain'],
    ['42', 42],
    ['-1.5', -1.5],
    ['true', true],
    ['null', null],
    [' [1, 2] ', [1, 2]],
  ])('decodes %s', (text, value) => {
    expect(parseJsonText(text)).toEqual(value)
  })

  it.each([
    'Paris is sunny.',
    '',
    '{braces} in prose',
    '[note] see below',
    '1.10',
    '007',
    '12345678901234567890',
    '{"a":1} and more',
    '{"a":tru e}',
  ])('leaves the text %j alone', (text) => {
    expect(parseJsonText(text)).toBe(text)
  })

  it('keeps a text inside a document a text, also when it looks like a number', () => {
    expect(parseJsonText('"4"')).toBe('4')
    expect(parseJsonText('{"id":"4"}')).toEqual({ id: '4' })
  })

  it('keeps every digit of an integer too large for a double', () => {
    expect(parseJsonText('{"id":9007199254740993,"small":7}')).toEqual({ id: '9007199254740993', small: 7 })
  })

  it.each([
    ['[{"role":"user","content":"Plan a tr', [{ role: 'user', content: `Plan a tr${TRUNCATED}` }]],
    ['[{"a":1},{"b":2},{"c"', [{ a: 1 }, { b: 2 }, {}]],
    ['[{"a":12', [{}]],
    ['{"a":true,"b":fal', { a: true }],
    ['{"text":"half an escape \\u00e', { text: `half an escape ${TRUNCATED}` }],
    ['{"text":"a \\"quote\\" and \\', { text: `a "quote" and ${TRUNCATED}` }],
    ['[1,2,', [1, 2]],
    ['{', {}],
  ])('salvages what is left of %s', (text, value) => {
    expect(parseJsonText(text)).toEqual(value)
  })

  it('salvages no less of a document than stood before the cut, wherever it is cut', () => {
    const whole = JSON.stringify([{ role: 'user', content: 'Grüße "aus" Oslo' }, { n: [1, -2.5e3, null, true] }])
    for (let length = 1; length < whole.length; length++) {
      const value = parseJsonText(whole.slice(0, length))
      expect(Array.isArray(value)).toBe(true)
    }
  })

  it('gives back text that is nested without end', () => {
    const text = '['.repeat(100_000)
    expect(parseJsonText(text)).toBe(text)
  })
})
