import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useRowSlots } from './use-row-slots.ts'

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => `run ${from + nth}`)

it('gives rows that come the elements of rows that went, in their order', () => {
  const { result, rerender } = renderHook(({ shown }) => useRowSlots(shown, () => false), { initialProps: { shown: ids(0, 4) } })
  expect([...result.current.values()]).toEqual([0, 1, 2, 3])
  rerender({ shown: ids(2, 6) })
  expect([...result.current.values()]).toEqual([2, 3, 0, 1])
  rerender({ shown: ids(100, 105) })
  expect([...result.current.values()]).toEqual([2, 3, 0, 1, 4])
})

it('gives nobody the elements of a row that is held', () => {
  const { result, rerender } = renderHook(({ shown }) => useRowSlots(shown, (id) => id === 'run 1'), { initialProps: { shown: ids(0, 3) } })
  rerender({ shown: ids(10, 13) })
  expect([...result.current.values()]).toEqual([0, 2, 3])
  rerender({ shown: ids(0, 3) })
  expect(new Set(result.current.values())).toEqual(new Set([0, 2, 3]))
})
