import { describe, expect, it } from 'vitest'
import { createEventLog } from './event-log.ts'

const event = (seq: number) => ({ gm: 1 as const, seq, ts: 0, runId: 'r', type: 'x', payload: {} })

describe('the log of a run', () => {
  it('tells what was said of each instance, oldest first, also of several at once', () => {
    const log = createEventLog()
    log.add(['a'], event(1))
    log.add(['b', 'a'], event(2))
    log.add(['b'], event(3))
    expect(log.get('a')?.map(({ seq }) => seq)).toEqual([1, 2])
    expect(log.get('b')?.map(({ seq }) => seq)).toEqual([2, 3])
    expect(log.get('c')).toBeUndefined()
  })

  it('gives the same list until more is said, and then another', () => {
    const log = createEventLog()
    log.add(['a'], event(1))
    const first = log.get('a')
    log.add(['b'], event(2))
    expect(log.get('a')).toBe(first)
    log.add(['a'], event(3))
    log.add(['a'], event(4))
    expect(log.get('a')?.map(({ seq }) => seq)).toEqual([1, 3, 4])
    expect(first?.map(({ seq }) => seq)).toEqual([1])
  })
})
