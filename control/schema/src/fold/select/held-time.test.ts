import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { event, finished, fold, started } from '../../test-support/story.ts'
import { runHeldMs } from './held-time.ts'
import { Stretches } from './stretches.ts'

const hold = (id: string, from: number, to?: number) => [
  event('exec.paused', { pauseId: id, nodeId: 'tool:search', point: 'before' }, from),
  ...(to === undefined ? [] : [event('exec.resumed', { pauseId: id, action: 'continue' }, to)]),
]

describe('stretches of time', () => {
  it('count each moment once, whatever order they come in', () => {
    const stretch = fc.tuple(fc.nat(40), fc.nat(40))
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), fc.nat(40), fc.nat(40), (drawn, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const stretches = new Stretches()
        const moments = new Set<number>()
        for (const [start, end] of drawn) {
          stretches.add(start, end)
          for (let at = start; at < end; at++) if (at >= from && at < to) moments.add(at)
        }
        expect(stretches.within(from, to)).toBe(moments.size)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the held time of a run', () => {
  it('counts calls held side by side once', () => {
    expect(runHeldMs(fold(started('a', 'agent:planner', {}, 0), ...hold('p', 100, 300), ...hold('q', 200, 500)), 1000)).toBe(400)
  })

  it('goes on while a call is held, and stops at the end of the run', () => {
    const story = [started('a', 'agent:planner', {}, 0), ...hold('p', 100)]
    expect(runHeldMs(fold(...story), 700)).toBe(600)
    expect(runHeldMs(fold(...story, event('run.finished', { status: 'aborted' }, 400)), 700)).toBe(300)
  })

  it('leaves out what was held before the first call began', () => {
    expect(runHeldMs(fold(...hold('p', 100, 300), started('a', 'agent:planner', {}, 250)), 1000)).toBe(50)
  })

  it('is what spans say of themselves in a run without a record of its holds', () => {
    const story = [
      started('a', 'tool:search', {}, 100),
      started('b', 'tool:book', {}, 150),
      finished('a', 'tool:search', { heldMs: 200 }, 400),
      finished('b', 'tool:book', { heldMs: 200 }, 400),
    ]
    expect(runHeldMs(fold(...story), 1000)).toBe(250)
    expect(runHeldMs(fold(...story, ...hold('p', 500, 510)), 1000)).toBe(10)
  })
})
