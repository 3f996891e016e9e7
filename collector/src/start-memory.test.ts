import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseStartMemoryLater } from './start-memory.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('gives the memory back that a start has left, once, and leaves no gc behind', () => {
  let left: unknown[] | undefined = Array.from({ length: 400_000 }, (_, index) => ({ index }))
  const grown = process.memoryUsage().heapTotal
  expect(left).toHaveLength(400_000)
  left = undefined
  releaseStartMemoryLater()
  expect(vi.getTimerCount()).toBe(1)
  vi.runAllTimers()
  expect(process.memoryUsage().heapTotal).toBeLessThan(grown - 10_000_000)
  expect('gc' in globalThis).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
