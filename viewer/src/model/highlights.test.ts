import { expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { highlights } from './highlights.ts'

const { picture } = runFromText(`
  agent planner   0-500
    tool one      10-20   error
    tool two      20-120
    tool three    130-180 error
    tool four     200-210
    tool five     220-420`)

it('names the latest failures first and says how many there are', () => {
  const { failed, failures } = highlights(picture, 1)
  expect([failed.map(({ name }) => name), failures]).toEqual([['three'], 2])
})

it('names the slowest of the calls that call nothing themselves', () => {
  expect(highlights(picture, 3).slowest.map(({ name }) => name)).toEqual(['five', 'two', 'three'])
})

it('says nothing of a run in which nothing ended', () => {
  expect(highlights(runFromText('agent planner 0-').picture, 3)).toEqual({ failed: [], failures: 0, slowest: [] })
})
