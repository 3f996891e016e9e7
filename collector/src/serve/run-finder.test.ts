import { expect, it } from 'vitest'
import { ListedRuns } from '../testing/listed-runs.ts'
import { runFinder } from './run-finder.ts'

it('finds a run that a program has begun and the store is still taking', async () => {
  const runs = new ListedRuns()
  const begun = ['a']
  const stored = async () => {
    for (const id of begun.splice(0)) runs.add({ id })
  }
  const find = runFinder(runs.reader, { stored, derive: async () => undefined })
  expect(await find('a')).toMatchObject({ id: 'a' })
  expect(await find('b')).toBeUndefined()
})
