import { expect, it } from 'vitest'
import { createLateness } from './lateness.ts'

const NOW = 1_700_000_000_000
const HOUR = 3_600_000

it('tells how much later than the quickest the newest events came, until others come in time', () => {
  const lateness = createLateness()
  lateness.came(NOW - 20, NOW)
  expect(lateness.behind()).toBeUndefined()
  lateness.came(NOW + 1000, NOW + 4020)
  expect(lateness.behind()).toEqual({ ms: 3000, until: NOW + 7020 })
  lateness.came(NOW + 5000, NOW + 5030)
  expect(lateness.behind()).toBeUndefined()
})

it('makes no word of less than two seconds', () => {
  const lateness = createLateness()
  lateness.came(NOW, NOW)
  lateness.came(NOW + 10, NOW + 2009)
  expect(lateness.behind()).toBeUndefined()
  lateness.came(NOW + 20, NOW + 2020)
  expect(lateness.behind()?.ms).toBe(2000)
})

it.each([-HOUR, HOUR])('takes no clock that is off by %i ms for a delay', (off) => {
  const lateness = createLateness()
  for (const at of [0, 500, 1000]) lateness.came(NOW + at + off, NOW + at + 10)
  expect(lateness.behind()).toBeUndefined()
})

it('learns nothing from an event that is older than another', () => {
  const lateness = createLateness()
  lateness.came(NOW, NOW)
  lateness.came(NOW - HOUR, NOW + 60_000)
  expect(lateness.behind()).toBeUndefined()
})
