import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'
import { createFrameScheduler, type FrameClock } from './frame-scheduler.ts'
import { nextStep } from './sequence.ts'

describe('nextStep', () => {
  it.each([
    ['live', 5, 6, 5, 'fold'],
    ['live', 5, 9, 5, 'fold'],
    ['live', 5, 5, 4, 'skip'],
    ['live', 5, 2, 1, 'skip'],
    ['live', 5, 9, 8, 'resync'],
    ['live', -1, 0, null, 'fold'],
    ['resyncing', 5, 9, 8, 'skip'],
    ['resyncing', 5, 6, 5, 'fold'],
    ['replaying', 5, 9, 8, 'fold'],
    ['replaying', 5, 4, 3, 'skip'],
  ] as const)('while %s after %i, the event %i that follows %s: %s', (phase, last, seq, after, step) => {
    expect(nextStep(phase, last, seq, after)).toBe(step)
  })
})

it('waits longer after each failed attempt, but never longer than eight seconds', () => {
  expect([1, 2, 3, 6, 7, 50].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1000, 8000, 8000, 8000])
  expect(backoffMs(3, 0.999)).toBeGreaterThanOrEqual(750)
})

describe('createFrameScheduler', () => {
  function fakeClock() {
    const state = { now: 1000, hidden: false, frames: [] as (() => void)[], timers: [] as { ms: number; callback: () => void }[] }
    const clock: FrameClock = {
      now: () => state.now,
      hidden: () => state.hidden,
      onFrame(callback) {
        state.frames.push(callback)
        return () => state.frames.splice(state.frames.indexOf(callback), 1)
      },
      after(ms, callback) {
        const timer = { ms, callback }
        state.timers.push(timer)
        return () => state.timers.splice(state.timers.indexOf(timer), 1)
      },
    }
    return { state, clock }
  }

  it('makes one commit of any number of requests in a frame', () => {
    const { state, clock } = fakeClock()
    let commits = 0
    const scheduler = createFrameScheduler(() => (commits += 1), clock)
    for (let index = 0; index < 100; index += 1) scheduler.request()
    expect(state.frames).toHaveLength(1)
    state.frames.shift()?.()
    expect(commits).toBe(1)
  })

  it.each([
    ['costly', 15, [75]],
    ['cheap', 5, []],
  ] as const)('makes room while a person types when commits are %s', (_, costMs, waits) => {
    const { state, clock } = fakeClock()
    const scheduler = createFrameScheduler(() => undefined, clock)
    scheduler.request()
    state.frames.shift()?.()
    state.now += costMs
    state.timers.shift()?.callback()
    state.now += 25 - costMs
    scheduler.userActed()
    scheduler.request()
    expect(state.timers.map((timer) => timer.ms)).toEqual(waits)
    expect(state.frames).toHaveLength(1 - waits.length)
  })

  it('leaves room for other work after a commit that was costly to draw', () => {
    const { state, clock } = fakeClock()
    const scheduler = createFrameScheduler(() => undefined, clock)
    scheduler.request()
    state.frames.shift()?.()
    state.now += 50
    state.timers.shift()?.callback()
    scheduler.request()
    expect(state.frames).toHaveLength(0)
    expect(state.timers.map((timer) => timer.ms)).toEqual([200])
  })

  it('lets what a person waits for overtake the rest', () => {
    const { state, clock } = fakeClock()
    const scheduler = createFrameScheduler(() => undefined, clock)
    scheduler.request()
    state.frames.shift()?.()
    state.now += 50
    state.timers.shift()?.callback()
    scheduler.request()
    scheduler.request('urgent')
    expect(state.timers.map((timer) => timer.ms)).toEqual([50])
  })

  it('commits nothing in a hidden tab, and all that waits at once when it is shown', () => {
    const { state, clock } = fakeClock()
    const scheduler = createFrameScheduler(() => undefined, clock)
    scheduler.request()
    state.hidden = true
    scheduler.visibilityChanged()
    scheduler.request('urgent')
    expect([state.frames.length, state.timers.length]).toEqual([0, 0])
    state.hidden = false
    scheduler.visibilityChanged()
    expect([state.frames.length, state.timers.length]).toEqual([1, 0])
  })

  it('tells in a hidden tab, where no frames come, what its title says', () => {
    const { state, clock } = fakeClock()
    let commits = 0
    const scheduler = createFrameScheduler(() => (commits += 1), clock)
    state.hidden = true
    scheduler.request()
    scheduler.request('signal')
    expect([state.frames.length, state.timers.map(({ ms }) => ms)]).toEqual([0, [500]])
    state.timers.shift()?.callback()
    expect(commits).toBe(1)
  })
})
