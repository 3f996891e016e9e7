import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTraces } from '../testing/read-traces.ts'

const CASES = new URL('../../../test/cases/', import.meta.url)
const files = readdirSync(CASES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name) && entry.name !== 'expect.json')
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`))

const file = fc.constantFrom(...files)

describe('reading any file', () => {
  it('never throws, and says something of what it could not read', () => {
    const damaged = fc
      .tuple(file, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), fc.nat(), fc.integer({ min: 1, max: 4096 }))
      .map(([bytes, changes, cut, piece]) => {
        const copy = Buffer.from(bytes)
        for (const [at, value] of changes) if (copy.length > 0) copy[at % copy.length] = value
        return { bytes: cut % 3 === 0 ? copy.subarray(0, cut % (copy.length + 1)) : copy, piece }
      })
    fc.assert(
      fc.property(damaged, ({ bytes, piece }) => {
        const { spans, events, skipped, isKnown } = readTraces(bytes, piece)
        expect(isKnown || skipped.length > 0 || spans.length + events.length > 0).toBe(true)
        for (const { reason } of skipped) expect(reason).not.toMatch(/undefined|Cannot read|is not a function/)
      }),
      { numRuns: 400 },
    )
  })

  it('says so when bytes are well-formed protobuf by chance and hold no span', () => {
    const { spans, skipped } = readTraces(Buffer.from([34, 6, 101, 108, 108, 111, 34, 10]), 1)
    expect(spans).toEqual([])
    expect(skipped.map(({ reason }) => reason)).toEqual([expect.stringContaining('no spans')])
  })

  it('never throws on random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.integer({ min: 1, max: 64 }), (bytes, piece) => {
        readTraces(bytes, piece)
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same whatever the pieces it comes in', () => {
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 300 }), (bytes, piece) => {
        expect(readTraces(bytes, piece)).toEqual(readTraces(bytes))
      }),
      { numRuns: 60 },
    )
  })
})
