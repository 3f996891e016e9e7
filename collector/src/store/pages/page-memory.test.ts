import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWanted } from './event-page.ts'
import { namesInHeads, namesOfSpans, PageNames } from './page-memory.ts'
import { type SpanRow, writeSpanPage } from './span-page.ts'
import type { EventRow } from './stored-page.ts'
import { writeEventPage } from './write-sheet.ts'

const ids = fc.constantFrom('a', 'b', '"\\', 'ä\n', '\u2028', 'node.started')
const payloads = fc
  .record(
    { nodeId: ids, instanceId: ids, aliasOf: ids, input: ids, deltas: fc.array(ids), at: fc.integer() },
    { requiredKeys: ['instanceId'] },
  )
  .map((payload) => ({ payload: JSON.stringify(payload), instance_id: payload.instanceId }))
const rows = fc
  .array(fc.record({ event: payloads, type: fc.constantFrom('node.started', 'x"y'), gap: fc.constantFrom(0, 0, 0, 2) }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((list) => {
    let seq = 0
    return list.map(({ event, type, gap }): EventRow => {
      seq += 1 + gap
      return { seq, ts: seq, type, origin: '', unknown_fields: null, ...event }
    })
  })

/** As a reader of many pages has it. */
function remembered(hashes: ReadonlySet<number> | undefined): PageNames {
  const memory = new PageNames(10_000)
  if (hashes !== undefined) memory.remember(1, hashes)
  return memory
}

describe('the memory of what is named in pages', () => {
  it('passes over no page that holds what is looked for', () => {
    fc.assert(
      fc.property(rows, ids, fc.constantFrom('node.started', 'x"y'), (list, id, type) => {
        const page = writeEventPage(list)
        const memory = remembered(namesInHeads(page))
        for (const wanted of [
          { instances: new Set([id]), types: new Set<string>() },
          { instances: new Set<string>(), types: new Set([type]) },
        ]) {
          if (readWanted(page, wanted).length > 0) expect(memory.mayName(1, [...wanted.instances, ...wanted.types])).toBe(true)
        }
        if (list.some(({ payload }) => payload.includes('"aliasOf":'))) expect(memory.mayName(1, ['aliasOf'])).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('passes over pages that name nothing of it', () => {
    const row = { seq: 1, ts: 1, type: 'x', instance_id: 'a', origin: '', payload: '{"instanceId":"a","input":"b"}', unknown_fields: null }
    const memory = remembered(namesInHeads(writeEventPage([row])))
    expect(['a', 'x', 'instanceId', 'b', 'aliasOf'].map((name) => memory.mayName(1, [name]))).toEqual([true, true, true, false, false])
    expect(memory.mayName(1, ['b', 'a'])).toBe(true)
  })

  it('knows the spans in a page, and nothing else that stands in it', () => {
    const copy = (span_id: string): SpanRow => ({
      span_id,
      copy: 0,
      ordinal: 1,
      resource: 'r',
      scope: 's',
      facts: '{}',
      raw: '{"name":"n"}',
    })
    const memory = remembered(namesOfSpans(writeSpanPage([copy('one'), copy('two"\\')])))
    expect(['one', 'two"\\', 'r', 'n', 'three'].map((name) => memory.mayName(1, [name]))).toEqual([true, true, false, false, false])
  })

  it('forgets what was asked for longest ago once it has too much, and then takes a page for one that may', () => {
    const memory = new PageNames(8)
    memory.remember(1, new Set([1]))
    memory.remember(2, new Set([2]))
    expect([1, 2, 3].map((key) => memory.mayName(key, ['a']))).toEqual([false, false, true])
    memory.mayName(1, ['a'])
    memory.remember(3, new Set([3]))
    expect([1, 2, 3].map((key) => memory.mayName(key, ['a']))).toEqual([false, true, false])
    memory.remember(4, new Set([4, 5, 6]))
    expect([1, 2, 3, 4].map((key) => memory.mayName(key, ['a']))).toEqual([true, true, true, true])
  })
})
