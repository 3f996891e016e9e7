import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseStartMemoryLater } from './start-memory.ts'

vi.mock('node:vm', { spy: true })

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

it('tries again when another thread takes the way to ask for it back in between', () => {
  vi.mocked(runInNewContext).mockReturnValueOnce(undefined)
  releaseStartMemoryLater()
  vi.runOnlyPendingTimers()
  expect(vi.getTimerCount()).toBe(1)
  vi.runOnlyPendingTimers()
  expect(vi.getTimerCount()).toBe(0)
  expect(runInNewContext).toHaveLastReturnedWith(expect.any(Function))
})
