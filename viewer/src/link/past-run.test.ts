import { describe, expect, it } from 'vitest'
import { nextMoment } from '../model/moments.ts'
import { RUN_ID, runFromText, START } from '../testing/run-from-text.ts'
import { createPastRun } from './past-run.ts'

describe('replay', () => {
  const { envelopes } = runFromText('agent a 0-100\n  tool b 10-20\n  tool c 30-40')

  it('shows the run as it was after an event, forwards and back', () => {
    const past = createPastRun(RUN_ID, envelopes)
    const names = (seq: number) => [...past.at(seq).picture.instances.keys()]
    const last = envelopes.at(-1)?.seq ?? 0
    expect(names(1)).toEqual(['a1'])
    expect(names(last)).toEqual(['a1', 'b1', 'c1'])
    expect(names(2)).toEqual(['a1', 'b1'])
    expect(past.at(2).picture.instances.get('b1')?.status).toBe('running')
    expect(past.at(2)).toMatchObject({ phase: 'ready', asOf: { seq: 2, at: START + 10 } })
  })

  it('steps back from now and on to now again', () => {
    const last = envelopes.at(-1)?.seq ?? 0
    expect(nextMoment(envelopes, undefined, -1)).toBe(last - 1)
    expect(nextMoment(envelopes, last - 1, 1)).toBe(last)
    expect(nextMoment(envelopes, last, 1)).toBeUndefined()
    expect(nextMoment(envelopes, 0, -1)).toBe(0)
  })
})
