import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from './members.ts'

describe('membersOf', () => {
  it('finds every member of an object and where its value lies', () => {
    const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(objects, (object) => {
        const text = JSON.stringify(object)
        const read = membersOf(text).map(({ name, value, end }) => [JSON.parse(`"${name}"`), JSON.parse(text.slice(value, end))])
        expect(read).toEqual(Object.entries(JSON.parse(text)))
      }),
      { numRuns: 500 },
    )
  })

  it('is not misled by quotes and backslashes at the end of a string', () => {
    const object = { 'a"b': 'c\\', d: ['\\"', '}', ']'], e: { f: '\\\\' }, g: 1 }
    expect(membersOf(JSON.stringify(object)).map(({ name }) => name)).toEqual(['a\\"b', 'd', 'e', 'g'])
  })
})
