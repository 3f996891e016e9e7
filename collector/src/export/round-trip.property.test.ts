import fc from 'fast-check'
import { expect, it } from 'vitest'
import type {
  OtlpAnyValue,
  OtlpEvent,
  OtlpKeyValue,
  OtlpLink,
  OtlpLogRecord,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
} from '../otlp/otlp-json.ts'
import { byId, exported, imported, logsIn, pictures, spansIn } from '../testing/round-trip.ts'
import { otlpJson } from './otlp-json.ts'
import { otlpProto } from './otlp-proto.ts'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const hex = (digits: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits })
const id = (digits: number) => hex(digits).filter((value) => /[^0]/.test(value))
const unsigned = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const signed = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const count = fc.integer({ min: 1, max: 2 ** 32 - 1 })
// JSON has no −0, and no words for what is not a number.
const double = fc.double().map((value) => (Number.isFinite(value) ? (value === 0 ? 0 : value) : String(value)))
const bytes = fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value).toString('base64'))

const { value } = fc.letrec<{ value: OtlpAnyValue; entry: OtlpKeyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant({}),
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    signed.map((intValue) => ({ intValue })),
    double.map((doubleValue) => ({ doubleValue })),
    bytes.map((bytesValue) => ({ bytesValue })),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc.array(tie('entry'), { maxLength: 3 }).map((values) => ({ kvlistValue: { values } })),
  ),
  entry: fc.record({ key: text, value: tie('value') }),
}))
const attributes = fc.uniqueArray(fc.record({ key: text, value }), { selector: ({ key }) => key, maxLength: 6 })

const resource: fc.Arbitrary<OtlpResource> = fc.record(
  { attributes, droppedAttributesCount: count, schemaUrl: fc.webUrl() },
  { requiredKeys: ['attributes'] },
)
const filled = text.filter((written) => written !== '')
const scope: fc.Arbitrary<OtlpScope> = fc.record(
  { name: text, version: filled, attributes: attributes.filter(({ length }) => length > 0), droppedAttributesCount: count },
  { requiredKeys: ['name'] },
)
const event: fc.Arbitrary<OtlpEvent> = fc.record(
  { timeUnixNano: unsigned, name: text, attributes, droppedAttributesCount: count },
  { requiredKeys: ['timeUnixNano', 'name', 'attributes'] },
)
const link: fc.Arbitrary<OtlpLink> = fc.record(
  { traceId: id(32), spanId: id(16), traceState: filled, attributes, droppedAttributesCount: count, flags: count },
  { requiredKeys: ['traceId', 'spanId', 'attributes'] },
)
const traceId = '0123456789abcdef0123456789abcdef'
const span: fc.Arbitrary<OtlpSpan> = fc.record(
  {
    traceId: fc.constantFrom(traceId, 'f'.repeat(32)),
    spanId: id(16),
    traceState: filled,
    parentSpanId: id(16),
    flags: count,
    name: text,
    kind: fc.integer({ min: 0, max: 5 }),
    startTimeUnixNano: unsigned,
    endTimeUnixNano: unsigned,
    attributes,
    droppedAttributesCount: count,
    events: fc.array(event, { minLength: 1, maxLength: 3 }),
    droppedEventsCount: count,
    links: fc.array(link, { minLength: 1, maxLength: 2 }),
    droppedLinksCount: count,
    status: fc.record({ code: fc.constantFrom(1, 2), message: filled }, { requiredKeys: [] }),
  },
  { requiredKeys: ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano', 'attributes', 'status'] },
)
// Of a vocabulary that is known, as others are not kept.
const record: fc.Arbitrary<OtlpLogRecord> = fc.record(
  {
    timeUnixNano: unsigned.filter((nanos) => nanos !== '0'),
    observedTimeUnixNano: unsigned.filter((nanos) => nanos !== '0'),
    severityNumber: fc.integer({ min: 1, max: 24 }),
    severityText: filled,
    eventName: fc.constantFrom('gen_ai.user.message', 'gen_ai.choice'),
    body: value.filter((body) => Object.keys(body).length > 0),
    attributes,
    droppedAttributesCount: count,
    flags: count,
    traceId: fc.constant(traceId),
    spanId: id(16),
  },
  { requiredKeys: ['timeUnixNano', 'eventName', 'attributes', 'traceId', 'spanId'] },
)
const documents = fc.record({
  groups: fc.array(
    fc.record({ resource, scope, spans: fc.uniqueArray(span, { selector: ({ spanId }) => spanId, minLength: 1, maxLength: 4 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  records: fc.array(record, { maxLength: 3 }),
})

const formats = [
  ['otlp-json', otlpJson],
  ['otlp-proto', otlpProto],
] as const

it.each(formats)('gives back any spans and log records as they were, as %s', async (_name, format) => {
  await fc.assert(
    fc.asyncProperty(documents, async ({ groups, records }) => {
      const resourceSpans = groups.map(({ resource: { schemaUrl, ...around }, scope: within, spans }) => ({
        ...(schemaUrl === undefined ? {} : { schemaUrl }),
        resource: around,
        scopeSpans: [{ scope: within, spans }],
      }))
      const resourceLogs = [{ resource: { attributes: [] }, scopeLogs: [{ scope: { name: 'events' }, logRecords: records }] }]
      const before = imported(Buffer.from(JSON.stringify({ resourceSpans, resourceLogs })))
      const file = await exported(before, format)
      const after = imported(file)
      const given = groups.flatMap((group) => group.spans.map((raw) => ({ raw, resource: group.resource, scope: group.scope })))
      const ids = new Set(given.map(({ raw }) => `${raw.traceId}${raw.spanId}`))
      if (ids.size === given.length) expect(spansIn(file)).toEqual(given.sort(byId))
      // Records about a trace without spans belong to no run yet.
      const hasRun = given.some(({ raw }) => raw.traceId === traceId)
      expect(logsIn(after)).toEqual(hasRun ? logsIn(before) : [])
      expect(logsIn(before)).toHaveLength(new Set(records.map((one) => JSON.stringify(one))).size)
      expect(pictures(after)).toEqual(pictures(before))
    }),
    { numRuns: 100 },
  )
})
