import { describe, expect, it } from 'vitest'
import { MAX_DETACHED, QUIET_MS, RunWatch } from './run-watch.ts'

function setup() {
  const clock = { nowMs: 1_000_000, setBy: 0 }
  const changed: string[] = []
  const spokenFor: string[] = []
  const watch = new RunWatch({
    graceMs: 15_000,
    nowMs: () => clock.nowMs + clock.setBy,
    steadyMs: () => clock.nowMs - 999,
    changed: (runId) => changed.push(runId),
    spokenFor: (runId) => spokenFor.push(runId),
  })
  return { clock, changed, spokenFor, watch }
}

describe('RunWatch', () => {
  it('calls a run live while a session speaks for it, and tells each change once', () => {
    const { watch, changed, spokenFor } = setup()
    watch.attached('a', [])
    expect([watch.isLive('a'), watch.isLive('b')]).toEqual([true, false])
    watch.held('a', 2)
    watch.held('a', 2)
    expect(watch.heldCount('a')).toBe(2)
    watch.detached(['a', 'b'])
    expect([watch.isLive('a'), changed, spokenFor]).toEqual([false, ['a', 'a', 'a'], ['a']])
  })

  it('calls a run of several programs live until the last of them is gone', () => {
    const { watch, changed, clock } = setup()
    watch.attached('a', [])
    watch.attached('a', [])
    watch.detached(['a'])
    clock.nowMs += 60_000
    expect([watch.isLive('a'), watch.sweep()?.except, changed]).toEqual([true, ['a'], ['a']])
    watch.detached(['a'])
    expect([watch.isLive('a'), changed]).toEqual([false, ['a', 'a']])
  })

  it('knows since when nobody speaks for a run, until somebody does again', () => {
    const { watch, clock } = setup()
    watch.attached('a', [])
    watch.attached('a', [])
    watch.detached(['a', 'b'])
    expect([watch.detachedSince('a'), watch.detachedSince('b')]).toEqual([undefined, undefined])
    clock.nowMs += 60_000
    watch.detached(['a'])
    const gone = clock.nowMs
    clock.nowMs += 60_000
    expect(watch.detachedSince('a')).toBe(gone)
    watch.attached('a', [])
    expect(watch.detachedSince('a')).toBeUndefined()
  })

  it('forgets since when of the run that went first, beyond ten thousand', () => {
    const { watch, clock } = setup()
    const ids = Array.from({ length: MAX_DETACHED + 1 }, (_, at) => `run-${at}`)
    for (const id of ids) watch.attached(id, [])
    watch.detached(ids.slice(0, MAX_DETACHED))
    expect(watch.detachedSince('run-0')).toBe(clock.nowMs)
    watch.detached(ids.slice(MAX_DETACHED))
    expect([watch.detachedSince('run-0'), watch.detachedSince('run-1')]).toEqual([undefined, clock.nowMs])
  })

  it('tells what a later program of a run wants hidden', () => {
    const { watch, spokenFor } = setup()
    watch.attached('a', [])
    watch.attached('a', [])
    watch.attached('a', ['hideInputs'])
    expect(spokenFor).toEqual(['a', 'a'])
  })

  it('gives apps of an earlier server the grace period to come back', () => {
    const { watch, clock } = setup()
    clock.nowMs += 14_999
    expect(watch.sweep()).toBeUndefined()
    clock.nowMs += 1
    expect(watch.sweep()).toEqual({ sessionQuietBefore: clock.nowMs - 15_000, spansQuietBefore: clock.nowMs - QUIET_MS, except: [] })
  })

  it('spares live runs, and those whose session went less than the grace period ago', () => {
    const { watch, clock } = setup()
    watch.attached('stays', [])
    watch.attached('goes', [])
    clock.nowMs += 60_000
    watch.detached(['goes'])
    expect(watch.sweep()?.except).toEqual(['stays', 'goes'])
    clock.nowMs += 14_999
    expect(watch.sweep()?.except).toEqual(['stays', 'goes'])
    clock.nowMs += 1
    expect(watch.sweep()?.except).toEqual(['stays'])
  })

  it('spares a run whose session came back', () => {
    const { watch, clock } = setup()
    watch.attached('a', [])
    watch.detached(['a'])
    watch.attached('a', [])
    clock.nowMs += 60_000
    expect(watch.sweep()?.except).toEqual(['a'])
  })

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('gives nobody up because the clock was set %s: what counts is what really went by', (_way, stepMs) => {
    const { watch, clock } = setup()
    clock.nowMs += 60_000
    watch.detached(['a'])
    const heardAt = clock.nowMs - 1000
    watch.sweep()
    clock.setBy = stepMs
    const quiet = () => {
      const { spansQuietBefore = 0, sessionQuietBefore = 0 } = watch.sweep() ?? {}
      return { bySpans: heardAt < spansQuietBefore, bySession: heardAt < sessionQuietBefore }
    }
    expect(quiet()).toEqual({ bySpans: false, bySession: false })
    clock.nowMs += 13_000
    expect(quiet()).toEqual({ bySpans: false, bySession: false })
    clock.nowMs += QUIET_MS
    // Set back, what was heard before the step lies ahead of the clock now, and is given up later.
    expect(quiet().bySpans).toBe(stepMs > 0)
  })
})
