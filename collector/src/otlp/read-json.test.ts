import { describe, expect, it } from 'vitest'
import { readJson } from './read-json.ts'

const read = (text: string) => {
  const json = readJson(text)
  return json.ok ? json.value : json.problem.code
}

describe('readJson', () => {
  it('keeps every digit of a whole number that a double would round', () => {
    expect(read('{"a":9007199254740993,"b":[-1767225600000000001],"c":12}')).toEqual({
      a: '9007199254740993',
      b: ['-1767225600000000001'],
      c: 12,
    })
  })

  it('leaves digits alone inside strings, and numbers that are no whole numbers', () => {
    const text = String.raw`{"a":"x, 9007199254740993 \" : 12345678901234567 \\","b": 0.12345678901234568,"c":1e30,"d":1234567890123456789}`
    expect(read(text)).toEqual({
      a: 'x, 9007199254740993 " : 12345678901234567 \\',
      b: 0.12345678901234568,
      c: 1e30,
      d: '1234567890123456789',
    })
  })

  it('calls anything else a problem', () => {
    const broken = [
      '',
      '{"a":',
      '{"a": 12345678901234567',
      '"open 12345678901234567',
      '[01234567890123456789]',
      '{ 1234567890123456789 : 1}',
    ]
    for (const text of broken) expect(read(text)).toBe('json')
  })
})
