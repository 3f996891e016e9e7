import { expect, it } from 'vitest'
import { compareAddress, readCompareAddress, swapped } from './compare-address.ts'

const read = (address: string) => {
  const { pathname, search } = new URL(address, 'http://viewer')
  return readCompareAddress(pathname, search)
}

it('reads what it wrote, whatever the ids hold', () => {
  const address = {
    left: 'run/1 ?',
    right: 'b',
    onlyDifferences: true,
    scale: 'each',
    pair: { left: 'x&y', right: undefined },
  } as const
  expect(read(compareAddress(address))).toEqual(address)
})

it('says little when all is as at first', () => {
  expect(compareAddress({ left: 'a', right: 'b' })).toBe('/compare/a/b')
  expect(read('/compare/a/b?only=x&scale=huge')).toMatchObject({ onlyDifferences: false, scale: 'one', pair: undefined })
})

it('knows no other address', () => {
  expect([read('/compare/a'), read('/run/a'), readCompareAddress('/compare/%E0/b', '')]).toEqual([undefined, undefined, undefined])
})

it('swaps the runs and the pair that is looked at', () => {
  const address = read('/compare/a/b?left=1&right=2&only=1')
  expect(address && compareAddress(swapped(address))).toBe('/compare/b/a?only=1&left=2&right=1')
})
