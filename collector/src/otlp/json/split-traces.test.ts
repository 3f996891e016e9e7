import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changed, changes } from '../../testing/damage.ts'
import { readCut, readWhole } from '../../testing/same-split.ts'
import { splitRequest } from '../decode.ts'

type Text = fc.Arbitrary<string>
type Fields = { readonly [name: string]: Text }

const space = fc.constantFrom('', '', '', ' ', '\n\t')
const escaped = (text: string) => [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
/** A text in quotes, now and then with every character escaped. */
const quoted = (texts: Text): Text =>
  fc.tuple(texts, fc.nat(9)).map(([text, odds]) => (odds === 0 ? `"${escaped(text)}"` : JSON.stringify(text)))
const list = (entries: Text, maxLength = 3): Text =>
  fc.tuple(fc.array(entries, { maxLength }), space).map(([texts, gap]) => `[${gap}${texts.join(`${gap},${gap}`)}${gap}]`)
/** An object of most of these fields and few of the others, some of them twice, from front to back or the other way round. */
const object = (fields: Fields, others: Fields = {}): Text => {
  const times = (name: string, value: Text, ...weights: readonly [none: number, one: number, two: number]) => {
    const field = fc.tuple(quoted(fc.constant(name)), value, space).map(([key, text, gap]) => `${key}${gap}:${gap}${text}${gap}`)
    const counts = weights.map((weight, count) => ({ weight, arbitrary: fc.array(field, { minLength: count, maxLength: count }) }))
    return fc.oneof(...counts)
  }
  const all = [
    ...Object.entries(fields).map(([name, value]) => times(name, value, 1, 12, 1)),
    ...Object.entries(others).map(([name, value]) => times(name, value, 8, 1, 1)),
  ]
  return fc.tuple(fc.tuple(...all), fc.boolean(), space).map(([lists, isTurned, gap]) => {
    const texts = lists.flat()
    return `{${gap}${(isTurned ? texts.toReversed() : texts).join(',')}}`
  })
}

const odd: Text = fc.constantFrom(
  'null',
  'null',
  'true',
  '7',
  '-0',
  '1e400',
  '1.50',
  '12345678901234567890',
  '""',
  '"7"',
  '[]',
  '{}',
  '[[{"a":1}]]',
  '"ä\\ud800"',
)
const rarely = (texts: Text): Text => fc.oneof({ weight: 20, arbitrary: texts }, { weight: 1, arbitrary: odd })
const known = (...texts: readonly string[]): Text => quoted(fc.constantFrom(...texts))
/** Mostly one of the first. */
const mostly = (good: Text, bad: Text): Text => rarely(fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad }))

const traceIds = mostly(
  known('0123456789abcdef0123456789abcdef', '0123456789ABCDEF0123456789ABCDEF', 'f'.repeat(32), 'ASNFZ4mrze8BI0VniavN7w=='),
  known('0'.repeat(32), 'no', ''),
)
const spanIds = mostly(known('00000000000000a1', '00000000000000A2', 'AAAAAAAAAKE='), known('0000000000000000', ''))
const times = mostly(
  fc.oneof(known('1767225600000000001', '0', '5', ' 7 '), fc.constantFrom('1767225600000000001', '12', '1e3')),
  known('-5', '1.5e3', '1.5', '99999999999999999999'),
)
const texts = rarely(quoted(fc.string({ unit: 'grapheme', maxLength: 12 })))
const value = object(
  {},
  {
    stringValue: texts,
    intValue: times,
    int_value: times,
    doubleValue: odd,
    arrayValue: object({ values: list(object({ stringValue: texts })) }),
  },
)
const attributes = rarely(list(object({ key: known('service.name', 'a', '__proto__'), value })))
const span = rarely(
  object(
    { traceId: traceIds, spanId: spanIds, name: texts, startTimeUnixNano: times, attributes },
    {
      trace_id: traceIds,
      span_id: spanIds,
      parentSpanId: spanIds,
      parent_span_id: spanIds,
      start_time_unix_nano: times,
      endTimeUnixNano: times,
      end_time_unix_nano: times,
      events: rarely(list(object({ name: texts, timeUnixNano: times, attributes }))),
      status: rarely(object({ code: known('2', 'STATUS_CODE_ERROR', 'ok'), message: texts })),
      flags: fc.constantFrom('1', '768', '"768"'),
      constructor: odd,
    },
  ),
)
const spans = rarely(list(span, 6))
const scope = rarely(object({ name: texts }, { version: texts, attributes }))
const scopeSpans = rarely(
  list(
    rarely(
      object({ spans, scope }, { instrumentationLibrary: scope, instrumentation_library: scope, schemaUrl: texts, schema_url: texts }),
    ),
  ),
)
const resourceSpans = rarely(
  list(
    rarely(
      object(
        { resource: rarely(object({ attributes })), scopeSpans },
        {
          schemaUrl: texts,
          schema_url: texts,
          scope_spans: scopeSpans,
          instrumentationLibrarySpans: scopeSpans,
          instrumentation_library_spans: scopeSpans,
        },
      ),
    ),
  ),
)
const requests = fc
  .tuple(
    fc.constantFrom('', '', '\ufeff'),
    rarely(object({ resourceSpans }, { resource_spans: resourceSpans, batches: resourceSpans, other: odd })),
    space,
  )
  .map((pieces) => Buffer.from(pieces.join('')))

const expectSameSplit = (bytes: Uint8Array) => {
  expect(readCut(bytes, 'json')).toEqual(readWhole(bytes, 'json'))
}

describe('splitJsonTraces', () => {
  it('takes and refuses what reading takes and refuses, in any spelling and order', () => {
    fc.assert(fc.property(requests, expectSameSplit), { numRuns: 200 })
  })

  it('does so of damaged requests, too', () => {
    fc.assert(
      fc.property(requests, changes, (bytes, list) => expectSameSplit(changed(bytes, list))),
      { numRuns: 400 },
    )
  })

  it('copies spans as they came, and keeps every digit', () => {
    const one = (traceId: string, fields: string) => `{ "traceId" : "${traceId}", "spanId":"00000000000000A1",${fields}}`
    const [first, other] = ['1'.repeat(32), '2'.repeat(32)]
    const long = '"attributes":[{"key":"n","value":{"intValue":9223372036854775807}}]'
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[${one(first, long)},${one(other, '"name":"b"')},${one(first, '"name":"c"')}],"scope":{"name":"s"}}],"resource":{"attributes":[]}}]}`
    const split = splitRequest(Buffer.from(body), 'json')
    const parts = split.ok ? split.value.parts.map(({ bytes }) => Buffer.from(bytes).toString()) : []
    const around = (spanTexts: string) =>
      `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"scope":{"name":"s"},"spans":[${spanTexts}]}]}]}`
    expect(parts).toEqual([around(`${one(first, long)},${one(first, '"name":"c"')}`), around(one(other, '"name":"b"'))])
  })

  it('keeps a small request of one trace as it came', () => {
    const body = Buffer.from(
      `{"resourceSpans" : [{"scopeSpans":[{"spans":[{"traceId":"${'1'.repeat(32)}","spanId":"00000000000000a1"}]}]}],"more":1}`,
    )
    const split = splitRequest(body, 'json')
    expect(split.ok && split.value.parts.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([body.toString()])
  })
})
