import { describe, expect, it } from 'vitest'
import type { SpanCopy } from '../span-copy.ts'
import { SpanRing } from './span-ring.ts'

const copy = (name: string, bytes = 1): SpanCopy => ({
  traceId: name[0] ?? '',
  spanId: name,
  bytes,
  wire: {} as SpanCopy['wire'],
  attributes: {},
})
const take = (copies: number, bytes = 1000) => ({ copies, bytes })
const names = (copies: readonly SpanCopy[]) => copies.map(({ spanId }) => spanId)

describe('the ring of span copies', () => {
  it('hands out what is not delivered, oldest first, until told that it is', () => {
    const ring = new SpanRing({ maxCopies: 10, maxBytes: 100 })
    const [a, b, c] = [copy('a1'), copy('a2'), copy('b1')]
    for (const each of [a, b, c]) ring.push(each)
    expect(names(ring.pending(take(2)))).toEqual(['a1', 'a2'])
    ring.delivered([a, b])
    expect(names(ring.pending(take(2)))).toEqual(['b1'])
  })

  it('hands out no more bytes at once than asked, but always one copy', () => {
    const ring = new SpanRing({ maxCopies: 10, maxBytes: 1000 })
    for (const name of ['a1', 'a2', 'a3']) ring.push(copy(name, 40))
    expect(names(ring.pending(take(9, 80)))).toEqual(['a1', 'a2'])
    expect(names(ring.pending(take(9, 10)))).toEqual(['a1'])
  })

  it('has everything it keeps sent again after a rewind', () => {
    const ring = new SpanRing({ maxCopies: 10, maxBytes: 100 })
    const a = copy('a1')
    ring.push(a)
    ring.delivered([a])
    ring.rewind()
    expect(names(ring.pending(take(9)))).toEqual(['a1'])
  })

  it('keeps to its number of copies; what was delivered before it went is no loss', () => {
    const ring = new SpanRing({ maxCopies: 2, maxBytes: 100 })
    const a = copy('a1')
    ring.push(a)
    ring.delivered([a])
    expect([ring.push(copy('a2')), ring.push(copy('b1')), ring.push(copy('b2'))]).toEqual([0, 0, 1])
    expect(ring.takeLost()).toEqual([{ traceId: 'a', count: 1 }])
    expect(ring.takeLost()).toEqual([])
  })

  it('keeps to its bytes, but always keeps the newest', () => {
    const ring = new SpanRing({ maxCopies: 10, maxBytes: 100 })
    ring.push(copy('a1', 60))
    expect(ring.push(copy('a2', 60))).toBe(1)
    expect(ring.push(copy('a3', 900))).toBe(1)
    expect(names(ring.pending(take(9)))).toEqual(['a3'])
  })
})
