import { describe, expect, it } from 'vitest'
import type { LiveSpan } from '../live-span.ts'
import { type Place, SpanRing } from './span-ring.ts'

const BARE = 400
/** A span that weighs so many bytes; its trace is the first letter of its name. */
const span = (name: string, bytes = BARE): LiveSpan => {
  const text = 'x'.repeat(bytes - BARE)
  return { name, attributes: { '': text }, events: [], spanContext: () => ({ traceId: name[0], spanId: name }) } as unknown as LiveSpan
}
const take = (places: number, bytes = 100_000) => ({ places, bytes })
const names = ({ places }: { readonly places: readonly Place[] }) => places.map(({ span, phase }) => `${span.name} ${phase}`)

describe('the ring of spans', () => {
  it('hands out what is not delivered, oldest first, until told that it is', () => {
    const ring = new SpanRing({ maxPlaces: 10, maxBytes: 100_000 })
    const a = span('a1')
    ring.push(a, 'start')
    ring.push(a, 'end')
    ring.push(span('b1'), 'start')
    const first = ring.pending(take(2))
    expect(names(first)).toEqual(['a1 start', 'a1 end'])
    expect(names(ring.pending(take(2)))).toEqual(['a1 start', 'a1 end'])
    ring.delivered(first.until)
    expect(names(ring.pending(take(2)))).toEqual(['b1 start'])
  })

  it('hands out no more bytes at once than asked, but always one span', () => {
    const ring = new SpanRing({ maxPlaces: 10, maxBytes: 100_000 })
    for (const name of ['a1', 'a2', 'a3']) ring.push(span(name, 1000), 'end')
    expect(names(ring.pending(take(9, 2000)))).toEqual(['a1 end', 'a2 end'])
    expect(names(ring.pending(take(9, 10)))).toEqual(['a1 end'])
  })

  it('has everything it keeps sent again after a rewind', () => {
    const ring = new SpanRing({ maxPlaces: 10, maxBytes: 100_000 })
    ring.push(span('a1'), 'end')
    ring.delivered(ring.pending(take(9)).until)
    expect(names(ring.pending(take(9)))).toEqual([])
    ring.rewind()
    expect(names(ring.pending(take(9)))).toEqual(['a1 end'])
  })

  it('keeps to its number of places; what was delivered before it went is no loss', () => {
    const ring = new SpanRing({ maxPlaces: 2, maxBytes: 100_000 })
    ring.push(span('a1'), 'end')
    ring.delivered(ring.pending(take(9)).until)
    expect(['a2', 'b1', 'b2', 'c1'].map((name) => ring.push(span(name), 'end'))).toEqual([false, false, true, true])
    expect(ring.takeLost()).toEqual([
      { traceId: 'a', count: 1 },
      { traceId: 'b', count: 1 },
    ])
    expect(ring.takeLost()).toEqual([])
  })

  it('takes a start that goes for no loss: the end says all of it', () => {
    const ring = new SpanRing({ maxPlaces: 1, maxBytes: 100_000 })
    const a = span('a1')
    expect([ring.push(a, 'start'), ring.push(a, 'end')]).toEqual([false, false])
    expect(ring.takeLost()).toEqual([])
  })

  it('keeps to its bytes, but always keeps the newest', () => {
    const ring = new SpanRing({ maxPlaces: 10, maxBytes: 1000 })
    ring.push(span('a1', 600), 'end')
    expect(ring.push(span('a2', 600), 'end')).toBe(true)
    expect(ring.push(span('a3', 9000), 'end')).toBe(true)
    expect(names(ring.pending(take(9)))).toEqual(['a3 end'])
  })

  it('forgets on demand what it keeps', () => {
    const ring = new SpanRing({ maxPlaces: 3, maxBytes: 1000 })
    for (const name of ['a1', 'a2']) ring.push(span(name), 'end')
    ring.clear()
    expect([...ring.spans()]).toEqual([])
    expect(names(ring.pending(take(9)))).toEqual([])
  })
})
