import { expect, it } from 'vitest'
import { inGroups } from './groups.ts'

const MAX = 8 * 1024 * 1024
const grouped = (...items: readonly (readonly [key: string, chars: number])[]) =>
  inGroups(
    items,
    ([key]) => key,
    ([, chars]) => chars,
  ).map((group) => group.length)

it('puts items in a row together that share a key', () => {
  expect(grouped(['a', 1], ['a', 1], ['b', 1], ['a', 1])).toEqual([2, 1, 1])
})

it('begins another group before one gets too large to be read at once', () => {
  expect(grouped(['a', MAX / 2], ['a', MAX / 2])).toEqual([2])
  expect(grouped(['a', MAX / 2], ['a', MAX / 2 + 1], ['a', 1])).toEqual([1, 2])
  expect(grouped(['a', MAX * 2], ['a', 1])).toEqual([1, 1])
})
