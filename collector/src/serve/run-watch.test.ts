import { describe, expect, it } from 'vitest'
import { QUIET_MS, RunWatch } from './run-watch.ts'

function setup() {
  const clock = { nowMs: 1_000_000 }
  const changed: string[] = []
  const spokenFor: string[] = []
  const watch = new RunWatch({
    graceMs: 15_000,
    nowMs: () => clock.nowMs,
    changed: (runId) => changed.push(runId),
    spokenFor: (runId) => spokenFor.push(runId),
  })
  return { clock, changed, spokenFor, watch }
}

describe('RunWatch', () => {
  it('calls a run live while a session speaks for it, and tells each change once', () => {
    const { watch, changed, spokenFor } = setup()
    watch.attached('a', [])
    watch.attached('a', [])
    expect([watch.isLive('a'), watch.isLive('b')]).toEqual([true, false])
    watch.held('a', 2)
    watch.held('a', 2)
    expect(watch.heldCount('a')).toBe(2)
    watch.detached(['a', 'b'])
    expect([watch.isLive('a'), changed, spokenFor]).toEqual([false, ['a', 'a', 'a'], ['a']])
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
})
