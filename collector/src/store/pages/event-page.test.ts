import { PROTOCOL_VERSION, readSheet } from '@graphmind-ai/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpack } from '../pack.ts'
import { envelopeJson } from '../reads/events.ts'
import { emptied } from './contents.ts'
import { readBarePage, readEventPage, readWanted } from './event-page.ts'
import { EnvelopeTemplates, sheetEnvelopes } from './sheet-envelopes.ts'
import { type EventRow, KEPT_SHEET, SHEET, type StoredPage, WHOLE_SHEET } from './stored-page.ts'
import { writeEventPage } from './write-sheet.ts'

const json = fc.jsonValue({ maxDepth: 3 })
const payloads = fc
  .record(
    {
      nodeId: fc.constantFrom('llm:step', 'tool:a', 'tool:"\\'),
      instanceId: fc.oneof(fc.string(), fc.constant(7)),
      input: json,
      output: json,
      logged: json,
      extras: fc.record({ input: json, output: json }),
      other: fc.constantFrom(1, 'same', null),
      injected: json,
    },
    { requiredKeys: [] },
  )
  .chain((payload) => fc.shuffledSubarray(Object.entries(payload), { minLength: Object.keys(payload).length }))
  .map((entries) => JSON.stringify(Object.fromEntries(entries)))
const oddities = fc.constantFrom(
  '[]',
  '["input","a"]',
  '"text"',
  'null',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"in\\u0070ut":1}',
  '{"big":12345678901234567890,"input":0.10}',
)
/** The instance that a payload names, as the store tells it. */
function namedIn(payload: string): string | null {
  const instance: unknown = JSON.parse(payload)?.instanceId
  return typeof instance === 'string' ? instance : null
}
const rowsOf = (
  payload: fc.Arbitrary<string>,
  seqs: fc.Arbitrary<number> = fc.constant(0),
  unknown: fc.Arbitrary<string | null> = fc.constant(null),
  instances: fc.Arbitrary<string | null> = fc.constant('named'),
) =>
  fc
    .array(
      fc.record({
        ts: fc.integer(),
        type: fc.constantFrom('node.started', 'x.unknown', 'ä"'),
        instance: instances,
        origin: fc.string({ unit: 'binary' }),
        payload,
        unknown_fields: unknown,
        gap: seqs,
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((list): EventRow[] => {
      let seq = 4
      return list.map(({ gap, instance, ...row }) => {
        seq += 1 + gap
        return { seq, ...row, instance_id: instance === 'named' ? namedIn(row.payload) : instance }
      })
    })
const rows = rowsOf(
  fc.oneof({ weight: 9, arbitrary: payloads }, oddities),
  fc.constantFrom(0, 0, 0, 3),
  fc.option(fc.constant('{"x":"\\t"}')),
  fc.option(fc.string({ unit: 'binary' })),
)
const plainRows = rowsOf(fc.oneof({ weight: 9, arbitrary: payloads }, oddities))

/** What a viewer reads of a page that is sent as it is. */
function sent(page: StoredPage, withContents: boolean) {
  const text = (bytes: Uint8Array) => Buffer.from(unpack(bytes)).toString('utf8')
  const contents = withContents ? `,"contents":[${text(page.contents)}]` : ''
  return readSheet('run', JSON.parse(`{${text(page.heads)}${contents}}`))
}

const envelopes = (list: readonly Pick<EventRow, 'seq' | 'ts' | 'type' | 'payload'>[]) =>
  list.map(({ seq, ts, type, payload }) => ({ gm: PROTOCOL_VERSION, seq, ts, runId: 'run', type, payload: JSON.parse(payload) ?? {} }))

describe('a page of events', () => {
  it('gives back every event to the letter', () => {
    fc.assert(
      fc.property(rows, (list) => {
        expect(readEventPage(writeEventPage(list))).toEqual(list)
      }),
      { numRuns: 500 },
    )
  })

  it('tells what a bare event says but for what went through the call, and names that', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const bare = readBarePage(writeEventPage(list))
        expect(bare.map(({ seq, ts, type, instance_id, unknown_fields }) => ({ seq, ts, type, instance_id, unknown_fields }))).toEqual(
          list.map(({ payload: _payload, origin: _origin, ...row }) => row),
        )
        for (const [index, { payload }] of bare.entries()) {
          const row = list[index] as EventRow
          expect(JSON.parse(payload)).toEqual(JSON.parse(emptied(row)))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('can be sent as it is when its form says so, and reads like its events sent one by one', () => {
    const forms = new Set<number>()
    const check = (list: readonly EventRow[]) => {
      const page = writeEventPage(list)
      forms.add(page.form)
      if (page.form === KEPT_SHEET) return
      const known = list.map(({ type }) => type !== 'node.started')
      const only = (read: readonly unknown[] | undefined) => read?.filter((_event, index) => known[index])
      expect(only(sent(page, true))).toEqual(only(envelopes(list)))
      if (page.form === SHEET) expect(only(sent(page, false))).toEqual(only(envelopes(readBarePage(page).map((row) => ({ ...row })))))
    }
    fc.assert(fc.property(plainRows, check), { numRuns: 500 })
    fc.assert(fc.property(rows, check), { numRuns: 200 })
    expect(forms).toEqual(new Set([SHEET, WHOLE_SHEET, KEPT_SHEET]))
  })

  it('is told in envelopes without payloads, or some of the first, to the letter as it is read', () => {
    const templates = new EnvelopeTemplates('run"')
    let sheets = 0
    const check = (list: readonly EventRow[], most: number) => {
      const page = writeEventPage(list)
      if (page.form !== SHEET) return
      sheets += 1
      const { bytes, count } = sheetEnvelopes(unpack(page.heads), templates, most)
      const plain = readBarePage(page).slice(0, most)
      expect([Buffer.from(bytes).toString('utf8'), count]).toEqual([plain.map((row) => envelopeJson('run"', row)).join(','), plain.length])
    }
    const sendable = rowsOf(payloads.map((payload) => JSON.stringify({ ...JSON.parse(payload), injected: undefined })))
    fc.assert(fc.property(sendable, fc.integer({ min: 1, max: 13 }), check), { numRuns: 500 })
    expect(sheets).toBeGreaterThan(100)
  })

  it('keeps apart what only looks alike', () => {
    const of = (seq: number, type: string, payload: string): EventRow => ({
      seq,
      ts: 0,
      type,
      instance_id: null,
      origin: '',
      payload,
      unknown_fields: null,
    })
    const list = [
      of(0, 'a"b', '{}'),
      of(1, 'a', '{"b":1}'),
      of(2, 'a', '{}'),
      of(3, 'a', '[]'),
      of(4, 'a', '{"a":1,"a":2}'),
      of(5, 'a', '7'),
    ]
    expect(readEventPage(writeEventPage(list))).toEqual(list)
  })

  it('gives the events that are wanted, and no others', () => {
    fc.assert(
      fc.property(rows, fc.subarray(['tool', '7', 'a"']), fc.boolean(), (list, ids, all) => {
        const instances = new Set([...ids, list[0]?.instance_id ?? ''])
        const types = new Set(all ? ['x.unknown'] : [])
        const isWanted = ({ type, instance_id }: EventRow) => types.has(type) || (instance_id !== null && instances.has(instance_id))
        expect(readWanted(writeEventPage(list), { instances, types })).toEqual(list.filter(isWanted))
      }),
      { numRuns: 500 },
    )
  })

  it('says once what the calls of a node have in common', () => {
    const list = Array.from({ length: 100 }, (_unused, seq): EventRow => {
      const payload = JSON.stringify({ nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: `i-${seq}`, input: { q: seq } })
      return { seq, ts: seq, type: 'node.started', instance_id: `i-${seq}`, origin: `${seq}`, payload, unknown_fields: null }
    })
    const heads = Buffer.from(unpack(writeEventPage(list).heads)).toString('utf8')
    expect([heads.split('search').length - 1, heads.includes('"q"')]).toEqual([2, false])
  })
})
