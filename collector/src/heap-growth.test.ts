import { getHeapSpaceStatistics } from 'node:v8'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { boundHeapGrowth } from './heap-growth.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** What survives for a while is what makes V8 let the young generation grow. */
function work(): void {
  for (let round = 0; round < 40; round += 1) {
    const kept = Array.from({ length: 60_000 }, (_, index) => ({ index, list: [index], text: `x${index}` }))
    expect(kept).toHaveLength(60_000)
    vi.advanceTimersByTime(1_000)
  }
}

it('lets the young generation grow no further than 64 MB while load lasts, which V8 alone would not', () => {
  boundHeapGrowth()
  work()
  expect(youngBytes()).toBeGreaterThan(16_000_000)
  expect(youngBytes()).toBeLessThan(70_000_000)
  vi.clearAllTimers()
})
