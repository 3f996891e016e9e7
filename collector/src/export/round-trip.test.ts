import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeTraces } from '../otlp/decode.ts'
import { readTraces } from '../testing/read-traces.ts'
import { exported, imported, importInto, logsIn, pictures, runs, spansIn } from '../testing/round-trip.ts'
import { TestStore } from '../testing/store.ts'
import { ndjson } from './ndjson.ts'
import { otlpJson } from './otlp-json.ts'
import { otlpProto } from './otlp-proto.ts'
import { SecretMask } from './secrets.ts'

const FIXTURES = new URL('../../../mappings/fixtures/', import.meta.url)
const folders = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter(({ name }) => isRecording(name))
  .map(({ parentPath }) => parentPath)
const fixtures = [...new Set(folders)]

const nameOf = (folder: string) => folder.split('/').slice(-2).join('/')

function isRecording(name: string): boolean {
  return /^(spans\.jsonl?|logs\.json)$/.test(name)
}

function recorded(folder: string): readonly Buffer[] {
  const files = readdirSync(folder).filter(isRecording)
  return files.map((name) => readFileSync(`${folder}/${name}`))
}

describe.for(fixtures)('the recording %s', (folder) => {
  const contents = recorded(folder)

  it.for([
    ['otlp-json', otlpJson],
    ['otlp-proto', otlpProto],
  ] as const)(`comes back whole as %s: ${nameOf(folder)}`, async ([, format]) => {
    const store = imported(...contents)
    const file = await exported(store, format)
    const copy = imported(file)
    expect(spansIn(file)).toEqual(spansIn(...contents))
    expect(logsIn(copy)).toEqual(logsIn(store))
    expect(pictures(copy)).toEqual(pictures(store))
  })

  it('gives the same picture from its events alone', async () => {
    const store = imported(...contents)
    const copy = imported(await exported(store, ndjson))
    // Runs that were joined to another are in its picture.
    expect(pictures(copy)).toEqual(pictures(store, 'WHERE merged_into IS NULL'))
  })
})

describe('an exported event', () => {
  it('keeps fields of an envelope that nobody knows', async () => {
    const envelope = { gm: 1, seq: 0, ts: 5, runId: 'r', type: 'agent.dreamt', payload: {} }
    const line = JSON.stringify({ ...envelope, region: 'eu', nested: { big: ['12345678901234567890'] }, ['__proto__']: 1 })
    const written = JSON.parse(String(await exported(imported(Buffer.from(`${line}\n`)), ndjson)))
    expect(written).toEqual({ ...JSON.parse(line), origin: 'export:0:agent.dreamt' })
  })
})

describe('a start notice of Logfire', () => {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const attributes = [attribute('logfire.span_type', 'pending_span'), attribute('logfire.msg_template', 'plan')]
  const span = { traceId: 'ab'.repeat(16), spanId: '9'.repeat(16), parentSpanId: '2'.repeat(16), name: 'plan', attributes }
  const notice = { ...span, startTimeUnixNano: '1767225600000000000', endTimeUnixNano: '1767225600000000000' }
  const file = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'logfire' }, spans: [notice] }] }] }))
  const shown = (store: TestStore) => [...store.picture(span.traceId).instances.values()].map(({ id, name, status }) => [id, name, status])
  const announced = [[span.parentSpanId, 'plan', 'running']]

  it('shows the span it announces when it is imported, and no second time when it is read again', () => {
    const store = imported(file)
    expect(shown(store)).toEqual(announced)
    store.ingest.commit(() => expect(store.ingest.remap(span.traceId)).toMatchObject({ events: 0 }))
  })

  it('shows it when a run is read again that an older version has stored', () => {
    const store = new TestStore()
    store.ingest.commit(() => {
      for (const read of readTraces(file).spans) store.ingest.addSpan(read)
    })
    expect(shown(store)).toEqual([])
    store.ingest.commit(() => store.ingest.remap(span.traceId))
    expect(shown(store)).toEqual(announced)
  })
})

describe('log records', () => {
  it.for([
    ['otlp-json', otlpJson],
    ['otlp-proto', otlpProto],
  ] as const)('leave without the values under secret keys, as %s', async ([, format]) => {
    const secret = 'sk-canary-0123456789'
    const record = {
      ...{ timeUnixNano: '1767225600000000000', eventName: 'gen_ai.user.message', traceId: 'ab'.repeat(16), spanId: '9'.repeat(16) },
      attributes: [{ key: 'authorization', value: { stringValue: secret } }],
      body: { kvlistValue: { values: [{ key: 'api_key', value: { stringValue: secret } }] } },
    }
    const span = { traceId: record.traceId, spanId: record.spanId, name: 'chat', startTimeUnixNano: '1', endTimeUnixNano: '2' }
    const document = {
      resourceSpans: [{ scopeSpans: [{ scope: { name: 'a' }, spans: [span] }] }],
      resourceLogs: [{ scopeLogs: [{ scope: { name: 'a' }, logRecords: [record] }] }],
    }
    const store = imported(Buffer.from(JSON.stringify(document)))
    expect(String(await exported(store, format))).toContain(secret)
    const mask = new SecretMask()
    const file = await exported(store, format, mask)
    expect(String(file)).not.toContain(secret)
    expect(Object.fromEntries(mask.counts)).toEqual({ authorization: 1, api_key: 1 })
    expect(logsIn(imported(file))).toHaveLength(1)
  })
})

describe('importing twice', () => {
  const content = readFileSync(new URL('ai-sdk/5-trip/spans.json', FIXTURES))

  it('adds nothing, neither from spans nor from events', async () => {
    const store = imported(content)
    const before = store.database.prepare('SELECT run, seq, origin, payload FROM events ORDER BY run, seq').all()
    importInto(store, content)
    const again = importInto(store, await exported(store, ndjson))
    expect(again).toMatchObject({ events: 0, isKnown: true })
    expect(store.database.prepare('SELECT run, seq, origin, payload FROM events ORDER BY run, seq').all()).toEqual(before)
  })

  it('decides a run without a root, whether it came in one piece with the end of its file or before it', () => {
    const id = '0'.repeat(15)
    const span = {
      traceId: 'ab'.repeat(16),
      spanId: `${id}1`,
      parentSpanId: `${id}2`,
      name: 'a',
      startTimeUnixNano: '1',
      endTimeUnixNano: '2',
    }
    const small = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    const [first, second] = [small, `${small}${' '.repeat(600)}`].map((text) => pictures(imported(Buffer.from(text))))
    expect(first).toMatchObject([{ status: 'ok' }])
    expect(second).toEqual(first)
  })

  it('makes runs that say where they came from, and live ones stay live', () => {
    const store = imported(content)
    for (const { id } of runs(store)) expect(store.run(id)['source']).toBe('import')
    const live = new TestStore()
    const decoded = decodeTraces(content, 'json')
    live.ingest.commit(() => {
      for (const span of decoded.ok ? decoded.value.spans : []) live.ingest.addSpan(span)
    })
    importInto(live, content)
    for (const { id } of runs(live)) expect(live.run(id)['source']).toBe('live')
  })
})

describe('values that are hard to carry', () => {
  const values = [
    { stringValue: '' },
    { boolValue: false },
    { intValue: '0' },
    { intValue: '-9223372036854775808' },
    { intValue: '9223372036854775807' },
    { doubleValue: 0.1 },
    { doubleValue: 'NaN' },
    { doubleValue: '-Infinity' },
    { bytesValue: 'AP8=' },
    { arrayValue: { values: [{}, { stringValue: 'x' }] } },
    { kvlistValue: { values: [{ key: '', value: { intValue: '1' } }] } },
    {},
  ]
  const span = {
    traceId: '0123456789abcdef0123456789abcdef',
    spanId: '00000000000000ff',
    traceState: 'a=b',
    flags: 0x301,
    name: 'x',
    kind: 3,
    startTimeUnixNano: '1767225600000000001',
    endTimeUnixNano: '18446744073709551615',
    attributes: values.map((value, index) => ({ key: `z${values.length - index}`, value })),
    droppedAttributesCount: 7,
    links: [{ traceId: '0123456789abcdef0123456789abcdef', spanId: '00000000000000fe', attributes: [], flags: 1 }],
    status: { code: 2, message: 'm' },
  }
  const document = Buffer.from(
    JSON.stringify({
      resourceSpans: [
        { schemaUrl: 'r', resource: { attributes: [] }, scopeSpans: [{ schemaUrl: 's', scope: { name: 'n' }, spans: [span] }] },
      ],
    }),
  )

  it.for([
    ['otlp-json', otlpJson],
    ['otlp-proto', otlpProto],
  ] as const)('keep digits, emptiness and order in %s', async ([, format]) => {
    const [back] = spansIn(await exported(imported(document), format))
    expect(back).toEqual({ raw: span, resource: { attributes: [], schemaUrl: 'r' }, scope: { name: 'n', schemaUrl: 's' } })
  })
})

describe('remapping', () => {
  it('corrects what an older mapping said, and finds nothing more the second time', () => {
    const store = imported(readFileSync(new URL('ai-sdk/5-trip/spans.json', FIXTURES)))
    const [run] = runs(store)
    const before = pictures(store)
    store.packer.unpack(run?.key ?? 0)
    // As if an older version had not known this vocabulary.
    store.database.exec(
      "UPDATE spans SET facts = json_set(facts, '$.kind', 'custom', '$.nodeId', 'custom:old', '$.name', 'old') WHERE json_extract(facts, '$.kind') = 'tool'",
    )
    store.database.exec(
      "UPDATE events SET payload = json_set(payload, '$.kind', 'custom', '$.nodeId', 'custom:old', '$.name', 'old') WHERE json_extract(payload, '$.kind') = 'tool'",
    )
    expect(pictures(store)).not.toEqual(before)
    const ingest = store.restarted()
    const events: (number | undefined)[] = []
    for (let time = 0; time < 2; time++) {
      ingest.commit(() => {
        events.push(ingest.remap(run?.id ?? '')?.events)
      })
    }
    expect(events[0]).toBeGreaterThan(0)
    expect(events[1]).toBe(0)
    expect(pictures(store)).toEqual(before)
  })

  it('leaves a run packed that was packed before', () => {
    const store = imported(readFileSync(new URL('ai-sdk/5-trip/spans.json', FIXTURES)))
    const [run] = runs(store)
    const packed = () => store.run(run?.id)['packed']
    expect(packed()).toBe(1)
    const before = pictures(store)
    store.ingest.commit(() => {
      store.ingest.remap(run?.id ?? '')
      // Not in the commit that changes it.
      expect(store.ingest.packing.packNext()).toBe(true)
    })
    expect([packed(), store.ingest.packing.isToPack]).toEqual([0, true])
    store.ingest.commit(() => store.ingest.packing.packNext())
    expect([packed(), store.ingest.packing.isToPack]).toEqual([1, false])
    expect(pictures(store)).toEqual(before)
  })
})
