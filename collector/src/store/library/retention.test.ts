import { describe, expect, it } from 'vitest'
import { expiredRuns, type RetainedRun, type RetentionPolicy } from './retention.ts'

const NOW = 1_000_000

const run = (id: string, change: Partial<RetainedRun> = {}): RetainedRun => ({
  key: 1,
  id,
  name: id,
  startedAt: 0,
  changedAt: NOW,
  category: 'agent',
  source: 'live',
  isProtected: false,
  eventCount: 10,
  ...change,
})
const expired = (runs: readonly RetainedRun[], policy: RetentionPolicy, usedBytes = 0) =>
  expiredRuns(runs, policy, NOW, usedBytes).map(({ id }) => id)

describe('the retention', () => {
  it('keeps as many of the newest as it says, and lets the rest go', () => {
    const runs = ['new', 'middle', 'old'].map((id) => run(id))
    expect(expired(runs, { keepRuns: { count: 3, otherCount: 0 } })).toEqual([])
    expect(expired(runs, { keepRuns: { count: 2, otherCount: 0 } })).toEqual(['old'])
    expect(expired(runs, { keepRuns: { together: 2 } })).toEqual(['old'])
    expect(expired(runs, { keepRuns: { together: 0 } })).toEqual(['new', 'middle', 'old'])
  })

  it('counts agent runs and web traffic apart, so that neither drives the other out', () => {
    const runs = [
      run('a1'),
      run('w1', { category: 'other' }),
      run('w2', { category: 'other' }),
      run('a2'),
      run('w3', { category: 'other' }),
    ]
    expect(expired(runs, { keepRuns: { count: 2, otherCount: 2 } })).toEqual(['w3'])
    expect(expired(runs, { keepRuns: { together: 2 } })).toEqual(['w2', 'a2', 'w3'])
  })

  it('does not count imported runs unless it is asked to', () => {
    const runs = [run('i1', { source: 'import' }), run('a1'), run('i2', { source: 'import' })]
    expect(expired(runs, { keepRuns: { count: 1, otherCount: 1 } })).toEqual([])
    expect(expired(runs, { keepRuns: { together: 1 } })).toEqual(['a1', 'i2'])
  })

  it('lets go what nothing came for longer than it says', () => {
    const runs = [
      run('fresh', { changedAt: NOW - 100 }),
      run('stale', { changedAt: NOW - 101 }),
      run('imported', { changedAt: 0, source: 'import' }),
    ]
    expect(expired(runs, { maxAgeMs: 100 })).toEqual(['stale', 'imported'])
  })

  it('never lets go what is protected, which counts all the same', () => {
    const runs = [run('running', { isProtected: true }), run('a'), run('pinned', { isProtected: true, changedAt: 0 })]
    expect(expired(runs, { keepRuns: { count: 1, otherCount: 1 }, maxAgeMs: 5, maxBytes: 1 }, 1000)).toEqual(['a'])
  })

  it('lets the oldest go until the rest fits, by their share of the events', () => {
    const runs = [run('a', { eventCount: 50 }), run('b', { eventCount: 30 }), run('c', { eventCount: 20 })]
    expect(expired(runs, { maxBytes: 1000 }, 1000)).toEqual([])
    expect(expired(runs, { maxBytes: 999 }, 1000)).toEqual(['c'])
    expect(expired(runs, { maxBytes: 800 }, 1000)).toEqual(['c'])
    expect(expired(runs, { maxBytes: 799 }, 1000)).toEqual(['c', 'b'])
    expect(expired(runs, { maxBytes: 0 }, 1000)).toEqual(['c', 'b', 'a'])
  })

  it('counts what goes for another reason before it looks at the bytes', () => {
    const runs = [run('a'), run('b'), run('old', { changedAt: 0 })]
    expect(expired(runs, { maxAgeMs: 10, maxBytes: 700 }, 1000)).toEqual(['old'])
  })

  it('keeps everything without a limit', () => {
    expect(expired([run('a', { changedAt: 0 })], {}, 10 ** 12)).toEqual([])
  })
})
