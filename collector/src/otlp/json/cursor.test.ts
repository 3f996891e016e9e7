import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changed, changes } from '../../testing/damage.ts'
import { readJson } from '../read-json.ts'
import { BrokenText, JsonCursor } from './cursor.ts'
import { FieldNames } from './field-names.ts'

function passesOver(bytes: Uint8Array): boolean {
  try {
    const cursor = new JsonCursor(bytes)
    cursor.skip()
    return cursor.isAtEnd
  } catch (error) {
    if (error instanceof BrokenText) return false
    throw error
  }
}

function isParsed(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

const spaced = fc.record({ value: fc.jsonValue({ maxDepth: 4 }), space: fc.constantFrom('', ' ', '\t', '\r\n') })
const texts = spaced.map(({ value, space }) => Buffer.from(`${space}${JSON.stringify(value, null, space)}${space}`))

const escaped = (text: string) => [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

describe('JsonCursor', () => {
  it.each([
    ['numbers', '0 -0 1 10 -1 0.5 1.25 1e5 1E-5 1.5e+10 -0.0e0 123456789012345678901234567890'],
    ['numbers that are none', '01 -01 - + +1 . .5 1. 1.e5 1e 1e+ 0x1 1_000 NaN Infinity -Infinity 1e1.5 00 --1'],
    ['words', 'true false null'],
    ['words that are none', 'tru truee True nul undefined falsey n t f'],
    ['texts', String.raw`"" "a" "\"" "\\" "\/\b\f\n\r\t" "\u0041" "\ud800" "\uDc00\uD83d" "ä" "😀"`],
    ['texts that are none', String.raw`" "\" "\x" "\u12" "\u12g4" "\U0041" 'a' a" "a"b`],
    ['lists', '[] [1] [1,2] [[],[[]]]'],
    ['lists that are none', '[ ] ] [1 [1,] [,1] [1,,2] [1;2] [1}'],
    ['objects', '{} {"a":1} {"a":{},"b":[]} {"a":1,"a":2}'],
    ['objects that are none', '{ } {"a"} {"a":} {"a":1,} {,"a":1} {a:1} {1:1} {"a"1} {"a":1] {"a":1}} {"a",1}'],
  ])('takes and refuses what JSON.parse takes and refuses: %s', (_what, list) => {
    for (const text of list.split(' ')) expect([text, passesOver(Buffer.from(text))]).toEqual([text, isParsed(Buffer.from(text))])
  })

  it('knows white space, a byte order mark and control characters as JSON.parse does', () => {
    const around = ['\t', '\n', '\r', ' ', '\v', '\f', '\u00a0', '\u2028', '\ufeff', '\0', '\u001f', '\u007f']
    for (const one of around) {
      for (const text of [`${one}[1]`, `[1]${one}`, `[${one}1${one},2${one}]`, `{${one}"a"${one}:${one}1${one}}`, `"${one}"`]) {
        expect([text, passesOver(Buffer.from(text))]).toEqual([text, isParsed(Buffer.from(text))])
      }
    }
  })

  it.each(['a', '\u007f', '!', 'ä', '😀'])('sees each character of a text wherever it stands among %j', (other) => {
    for (let code = 0; code < 0x100; code++) {
      for (let before = 0; before < 9; before++) {
        const text = `"${other.repeat(before)}${String.fromCharCode(code)}${other.repeat(8 - before)}"`
        expect([text, passesOver(Buffer.from(text))]).toEqual([text, isParsed(Buffer.from(text))])
      }
    }
  })

  it('takes and refuses any text as JSON.parse does, also damaged ones', () => {
    fc.assert(fc.property(texts, (bytes) => passesOver(bytes)))
    fc.assert(
      fc.property(texts, changes, (bytes, list) => {
        const damaged = changed(bytes, list)
        expect(passesOver(damaged)).toBe(isParsed(damaged))
      }),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0123e+-. \n') }), (text) => {
        expect(passesOver(Buffer.from(text))).toBe(isParsed(Buffer.from(text)))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads values as readJson reads them, and finds names in any spelling', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 30 }), fc.jsonValue({ maxDepth: 2 })), fc.boolean(), (value, isEscaped) => {
        const text = JSON.stringify(value)
        const cursor = new JsonCursor(Buffer.from(isEscaped ? text.replace(/^\{"[^"\\]/, (start) => `{"${escaped(start.slice(2))}`) : text))
        const parsed = readJson(text)
        const expected = Object.entries(parsed.ok ? (parsed.value as object) : {})
        const names = new FieldNames(expected.filter((_entry, index) => index % 2 === 0).map(([name]) => name))
        const read: (readonly [string | undefined, unknown])[] = []
        for (let more = cursor.enter(); more; more = cursor.nextField()) read.push([cursor.field(names), cursor.value()])
        expect(cursor.isAtEnd).toBe(true)
        expect(read).toEqual(expected.map(([name, entry], index) => [index % 2 === 0 ? name : undefined, entry]))
      }),
    )
  })

  it('passes over a value of any depth', () => {
    const depth = 300_000
    const nested = (open: string, close: string) => Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`)
    expect(passesOver(nested('[', ']'))).toBe(true)
    expect(passesOver(nested('{"a":', '}'))).toBe(true)
    expect(passesOver(Buffer.from('['.repeat(depth)))).toBe(false)
  })
})
