import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer } from '../testing/fake-viewer.tsx'
import { runFromText } from '../testing/run-from-text.ts'
import { useRunPulse } from './use-run-pulse.ts'
import { ViewerProvider } from './viewer-context.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A run of so many calls, and how often its pulse came. */
function watch(calls: number) {
  const viewer = fakeViewer(runFromText(Array.from({ length: calls }, (_, nth) => `tool a ${nth}-${nth}`).join('\n')))
  const pulses = new Set<number>()
  renderHook(() => pulses.add(useRunPulse()), { wrapper: ({ children }) => <ViewerProvider viewer={viewer}>{children}</ViewerProvider> })
  const commit = () =>
    act(() => viewer.store.setState(({ run }) => ({ run: run === undefined ? undefined : { ...run, commit: run.commit + 1 } })))
  return { pulses, commit }
}

it('comes with every commit of a small run', () => {
  const { pulses, commit } = watch(3)
  for (let nth = 0; nth < 5; nth += 1) commit()
  expect(pulses.size).toBe(6)
})

it('comes twice a second while commits of a large run come, once more after the last, and not again', () => {
  const { pulses, commit } = watch(2001)
  act(() => vi.advanceTimersByTime(1000))
  const before = pulses.size
  for (let nth = 0; nth < 20; nth += 1) {
    commit()
    act(() => vi.advanceTimersByTime(100))
  }
  act(() => vi.advanceTimersByTime(10_000))
  expect(pulses.size - before).toBeGreaterThanOrEqual(4)
  expect(pulses.size - before).toBeLessThanOrEqual(5)
})
