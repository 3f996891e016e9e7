import { mapSpan } from '@graphmind-ai/mappings'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importFiles } from '../testing/import-files.ts'
import { readTraces } from '../testing/read-traces.ts'

const files = importFiles()
const file = fc.constantFrom(...files)
/** Documents on one line each. */
const documents = files.flatMap((bytes) => {
  const text = bytes.toString('utf8')
  return [text, ...text.split('\n')].flatMap((part) => (isJson(part) ? JSON.stringify(JSON.parse(part)) : []))
})
const ODD = [
  'null',
  'true',
  '""',
  '-1',
  '1e400',
  '123456789012345678901234567890',
  '[]',
  '{}',
  '[[null]]',
  '{"a":{"b":[]}}',
  '"\\ud800"',
  '"tr-"',
]
const VALUE = /"(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.eE+-]*|true|false|null|\[\]|\{\}/g

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** The document with one of its values replaced. */
function replaced(json: string, at: number, value: string): string {
  const values = [...json.matchAll(VALUE)]
  const match = values[at % Math.max(1, values.length)]
  return match === undefined ? json : `${json.slice(0, match.index)}${value}${json.slice(match.index + match[0].length)}`
}

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

  it('never throws on values of another kind than they should have, nor does what is made of them', () => {
    const odd = fc.constantFrom(...ODD)
    const changes = fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, (document, wanted) => {
        const text = wanted.reduce((json, [at, value]) => replaced(json, at, value), document)
        const { spans, events, logs, skipped, isKnown } = readTraces(text, 997)
        expect(isKnown || skipped.length > 0 || spans.length + events.length + logs.length > 0).toBe(true)
        for (const { view } of spans) expect(mapSpan(view).dialect).not.toBe('')
        for (const { reason } of skipped) expect(reason).not.toMatch(/undefined|Cannot read|is not a function/)
      }),
      { numRuns: 500 },
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
