import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventRow, readEventPage, readHeads, withoutContents, withoutHoles, writeEventPage } from './event-page.ts'

const json = fc.jsonValue({ maxDepth: 3 })
const payloads = fc
  .record(
    { nodeId: fc.string(), input: json, output: json, logged: json, extras: fc.record({ input: json, output: json }), injected: json },
    { requiredKeys: [] },
  )
  .map((payload) => JSON.stringify(payload))
const rows = fc
  .array(
    fc.record({
      ts: fc.integer(),
      type: fc.string({ unit: 'grapheme' }),
      instance_id: fc.option(fc.string({ unit: 'binary' })),
      origin: fc.string({ unit: 'binary' }),
      payload: payloads,
      unknown_fields: fc.option(fc.constant('{"x":"\\t"}')),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list): EventRow[] => list.map((row, seq) => ({ seq, ...row })))

describe('a page of events', () => {
  it('gives back every event to the letter', () => {
    fc.assert(
      fc.property(rows, (list) => {
        expect(readEventPage(writeEventPage(list))).toEqual(list)
      }),
      { numRuns: 300 },
    )
  })

  it('tells what a bare event says but for what went through the call, and names that', () => {
    fc.assert(
      fc.property(rows, (list) => {
        for (const [index, event] of readHeads(writeEventPage(list)).entries()) {
          const payload = list[index]?.payload ?? ''
          const bare = withoutHoles(event)
          expect(bare).toBe(withoutContents(payload))
          if (bare === undefined) continue
          const { input, output, logged, ...rest } = JSON.parse(payload)
          const omitted = Object.entries({ input, output, logged }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
          expect(JSON.parse(bare)).toEqual(omitted.length === 0 ? rest : { ...rest, omitted })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('keeps what went through calls out of the heads', () => {
    const payload = JSON.stringify({ nodeId: 'tool:a', input: { q: 'secret words' }, output: 'more of them' })
    const [event] = readHeads(
      writeEventPage([{ seq: 1, ts: 2, type: 'node.started', instance_id: 'i', origin: 'o', payload, unknown_fields: null }]),
    )
    expect(event).toMatchObject({ bare: true, head: expect.not.stringContaining('words') })
  })
})
