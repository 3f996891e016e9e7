import { expect, it } from 'vitest'
import { runInfo } from '../testing/run-info.ts'
import { newlyHeld } from './held-runs.ts'

const runs = (...held: readonly (readonly [string, number])[]) =>
  new Map(held.map(([id, count]) => [id, { ...runInfo(), id, held: count }]))

it('names the runs in which another call is held, and none that were held before one looked on', () => {
  const ids = (...[before, now]: Parameters<typeof newlyHeld>) => newlyHeld(before, now).map(({ id }) => id)
  expect(ids(undefined, runs(['a', 1]))).toEqual([])
  expect(ids(runs(), runs(['a', 1]))).toEqual(['a'])
  expect(ids(runs(['a', 1], ['b', 2]), runs(['a', 2], ['b', 1]))).toEqual(['a'])
  expect(ids(runs(['a', 1]), runs(['a', 1]))).toEqual([])
})
