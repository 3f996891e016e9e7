import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Payloads } from '@graphmind-ai/hub'
import { readSheet } from '@graphmind-ai/schema'
import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ndjson } from '../export/ndjson.ts'
import { otlpJson } from '../export/otlp-json.ts'
import type { TestSpan } from '../testing/spans.ts'
import { decodeSpan, spanId, TRACE } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'
import { PageMemory } from './pages/page-memory.ts'
import { KEPT_SHEET, SHEET, WHOLE_SHEET } from './pages/stored-page.ts'
import { eventTexts } from './reads/event-texts.ts'
import { envelopeJson, envelopeOf, eventRange, readBareEvents, readEvents } from './reads/events.ts'
import { historyPages } from './reads/history.ts'
import { readInstance } from './reads/instance.ts'
import { readSpan, readSpans } from './reads/spans.ts'
import { EVENTS_A_PAGE, RunPacker } from './run-packer.ts'
import { kyselyDatabase } from './sqlite-adapter.ts'
import type { Tables } from './tables.ts'

/** A run larger than a page, with plumbing, an error, both copies of some spans, and a channel event. */
function bigRun(): TestStore {
  const store = new TestStore()
  const spans = Array.from({ length: 400 }, (_, index): TestSpan => {
    const type = (['tool', 'llm', 'web'] as const)[index % 3] ?? 'tool'
    const error = index % 50 === 0 ? { error: 'it broke' } : {}
    return { id: index + 2, parent: index % 5 === 0 ? 1 : index + 1, type, start: index, end: index + 400, ...error }
  })
  // Streamed text, and a field beside the contract's: the first page can't be sent without payloads as it is, the last one not at all.
  store.add(...spans.slice(0, 1))
  store.ingest.commit(() => {
    const payload = { nodeId: 'n', instanceId: spanId(2), deltas: [{ t: 'text', v: 'Lisbon' }] }
    store.ingest.addChannelEvent({ runId: TRACE, origin: 's:0', seq: undefined, ts: 1, type: 'node.token', payload })
  })
  for (let at = 1; at < spans.length; at += 100) store.add(...spans.slice(at, at + 100))
  store.add(
    ...spans.slice(0, 20).map((span): TestSpan => ({ ...span, phase: 'end', attributes: { 'gen_ai.tool.call.result': '"found"' } })),
  )
  store.ingest.commit(() => {
    const payload = { pauseId: 'p', nodeId: 'n', point: 'before', instanceId: spanId(2), input: { q: 'ä\t\n' } }
    store.ingest.addChannelEvent({ runId: TRACE, origin: 's:1', seq: undefined, ts: 1, type: 'exec.paused', payload })
    store.ingest.addChannelEvent({
      runId: TRACE,
      origin: 's:2',
      seq: undefined,
      ts: 2,
      type: 'exec.resumed',
      payload: { pauseId: 'p', action: 'continue' },
      unknownFields: { operator: 'ä' },
    })
  })
  store.add({ id: 1, type: 'agent', start: 0, end: 1000 })
  return store
}

/** Everything that can be asked of the run. */
async function answers(store: TestStore): Promise<object> {
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(store.database) }) })
  const run = { id: TRACE, key: Number(store.run()['key']) }
  const range = await eventRange(database, run.key, 300)
  /** What a viewer is told, be it in events or in sheets. */
  const told = async (afterSeq: number | undefined, payloads: Payloads, sheets: boolean) => {
    const pages = historyPages(database, run, { afterSeq, payloads, sheets }, await eventRange(database, run.key, afterSeq))
    const events: unknown[] = []
    for await (const page of pages) {
      if ('events' in page) events.push(...page.events.map(({ after, envelope }) => [after, envelope]))
      else {
        const { after, json, lastSeq } = page.sheet
        const read = readSheet(TRACE, JSON.parse(`{${Buffer.from(json).toString('utf8')}}`)) ?? []
        events.push(...read.map((envelope, index) => [read[index - 1]?.seq ?? after, envelope]))
        expect(read.at(-1)?.seq).toBe(lastSeq)
      }
    }
    return events
  }
  const text = async (pieces: AsyncIterable<string | Uint8Array>) => {
    let out = ''
    for await (const piece of pieces) out += piece
    return out
  }
  // The first has to look through all pages, the others know what is in them.
  const memory = new PageMemory()
  const alone = async (read: (id: number) => Promise<unknown>) => {
    const found: unknown[] = []
    for (const id of [1, 2, 3, 52, 299, 9999]) found.push(await read(id))
    return found
  }
  return {
    range,
    ranges: await Promise.all([undefined, -1, 0, 255, 256, 10_000].map((after) => eventRange(database, run.key, after))),
    told: await Promise.all(
      [undefined, -1, 0, 255, 256, 300, 10_000].flatMap((after) =>
        (['all', 'none'] as const).map(async (payloads) => {
          const events = await told(after, payloads, false)
          expect(await told(after, payloads, true)).toEqual(events)
          return events
        }),
      ),
    ),
    texts: await Promise.all(
      [undefined, -1, 0, 254, 255, 256, 300, 10_000].flatMap((after) =>
        (['all', 'none'] as const).flatMap((payloads) =>
          [1, 255, 257, 500, 5000].map(async (limit) => {
            const texts = await listed(eventTexts(database, run, { afterSeq: after, payloads, limit }, range))
            const rows = await (payloads === 'none' ? readBareEvents : readEvents)(database, run.key, { afterSeq: after, limit })
            expect(texts.map(({ json }) => Buffer.from(json).toString('utf8')).join(',')).toBe(
              rows.map((row) => envelopeJson(TRACE, row)).join(','),
            )
            expect(texts.at(-1)?.lastSeq).toBe(rows.at(-1)?.seq)
            return rows.length
          }),
        ),
      ),
    ),
    some: await readEvents(database, run.key, { afterSeq: 200, upTo: 400, limit: 100 }),
    bare: (await readBareEvents(database, run.key, { afterSeq: undefined, limit: 10_000 })).map((row) => envelopeOf(TRACE, row)),
    spans: await readSpans(database, run.key, 10_000),
    few: await readSpans(database, run.key, 7),
    spansAlone: await alone((id) => readSpan(database, run.key, spanId(id), memory)),
    instances: await alone((id) => readInstance(database, run, spanId(id), memory)),
    ndjson: await text(ndjson.write(database, run)),
    otlp: spansOf(await text(otlpJson.write(database, run))),
  }
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** The spans of an OTLP/JSON document, with what they share; how many of them stand in one group is of no account. */
function spansOf(otlp: string): readonly object[] {
  const { resourceSpans } = JSON.parse(otlp) as {
    resourceSpans: { resource: object; scopeSpans: { scope: object; spans: object[] }[] }[]
  }
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ ...span, resource, scope }))),
  )
}

const rowsOf = (store: TestStore) => ({
  events: store.database.prepare('SELECT * FROM events ORDER BY run, seq').all(),
  spans: store.database.prepare('SELECT * FROM spans ORDER BY run, span_id, copy').all(),
})

describe('a packed run', () => {
  it('is read whole by everything: only the store’s readers and the writing thread know the tables', () => {
    const source = fileURLToPath(new URL('../', import.meta.url))
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const readers = files.filter((name) =>
      /selectFrom\('(events|spans)'\)|FROM (events|spans)\b/.test(readFileSync(join(source, name), 'utf8')),
    )
    const folders = ['ingest', 'store', 'testing']
    expect(readers.filter((name) => !folders.includes(name.split(sep)[0] ?? ''))).toEqual([join('export', 'span-groups.ts')])
  })

  it('answers every question as it did before, at every step on the way and back', async () => {
    const store = bigRun()
    const packer = new RunPacker(store.database)
    const key = Number(store.run()['key'])
    const before = await answers(store)
    const rows = rowsOf(store)
    expect(rows.events.length).toBeGreaterThan(2 * EVENTS_A_PAGE)
    let steps = 0
    for (let more = true; more; steps++) {
      more = packer.packSome(key)
      expect(await answers(store)).toEqual(before)
    }
    expect(steps).toBeGreaterThan(2)
    expect([rowsOf(store), store.run()['packed']]).toEqual([{ events: [], spans: [] }, 1])
    const forms = store.database.prepare('SELECT DISTINCT form FROM event_pages ORDER BY form').all()
    expect(forms.map(({ form }) => form)).toEqual([SHEET, WHOLE_SHEET, KEPT_SHEET])
    packer.unpack(key)
    expect(rowsOf(store)).toEqual(rows)
    expect(await answers(store)).toEqual(before)
  })

  it('takes a tenth of the room', () => {
    const store = bigRun()
    const size = (query: string) => Number(store.database.prepare(query).get()?.['bytes'])
    const rows = size('SELECT sum(length(payload)) + (SELECT sum(length(raw) + length(facts)) FROM spans) AS bytes FROM events')
    new RunPacker(store.database).pack(Number(store.run()['key']))
    const pages = size(
      'SELECT sum(length(heads) + length(contents)) + (SELECT sum(length(body)) FROM span_pages) AS bytes FROM event_pages',
    )
    expect(pages).toBeLessThan(rows / 8)
  })

  it('is packed whole where a step was taken back, or where more came in between', () => {
    const store = bigRun()
    const packer = new RunPacker(store.database)
    const key = Number(store.run()['key'])
    store.database.exec('SAVEPOINT step')
    packer.packSome(key)
    store.database.exec('ROLLBACK TO step; RELEASE step')
    packer.packSome(key)
    const add = 'INSERT INTO spans SELECT run, span_id || 0, copy, ordinal + 1000, resource, scope, facts, raw FROM spans WHERE run = ?'
    store.database.prepare(add).run(key)
    packer.pack(key)
    expect(rowsOf(store)).toEqual({ events: [], spans: [] })
    expect(store.run()['packed']).toBe(1)
  })

  it('stays packed when somebody asks for it or watches it', () => {
    const store = bigRun()
    new RunPacker(store.database).pack(Number(store.run()['key']))
    const ingest = store.restarted()
    expect(ingest.commit(() => void ingest.derive(TRACE, 100)).runs).toEqual([])
    expect(store.run()['packed']).toBe(1)
  })

  it('is left alone while it runs, while spans of it wait, and until it has been quiet', () => {
    const store = new TestStore()
    const packed = () => store.ingest.commit(() => expect(store.ingest.packing.packNext()).toBe(false))
    store.add({ id: 1, type: 'agent', start: 0 })
    store.nowMs += 3_600_000
    packed()
    store.add({ id: 1, type: 'agent', start: 0, end: 5 })
    packed()
    store.nowMs += 3_600_000
    store.ingest.commit(() => expect(store.ingest.packing.packNext()).toBe(true))
    expect(store.run()['packed']).toBe(1)
  })

  it('is packed as soon as it is whole, but once it went on after that only when it has been quiet, so that no span that comes late unpacks it again', () => {
    const store = new TestStore()
    const root = { id: 1, type: 'agent', start: 0, end: 5 } as const
    const take = (...spans: readonly TestSpan[]) => {
      store.ingest.commit(() => {
        for (const span of spans) store.ingest.addSpan(decodeSpan(span))
        store.ingest.packing.noteCaughtUp(TRACE)
      })
    }
    take(root)
    expect(store.run()['packed']).toBe(1)
    take({ id: 2, parent: 1, type: 'tool', start: 1, end: 2 })
    expect(store.run()['packed']).toBe(0)
    take({ id: 3, parent: 1, type: 'tool', start: 2, end: 3 })
    expect(store.run()['packed']).toBe(0)
    store.pack()
    expect(store.run()['packed']).toBe(1)
  })

  it('is left in peace when it goes on while it is being packed', () => {
    const store = new TestStore()
    const packNext = () => store.ingest.commit(() => store.ingest.packing.packNext())
    store.ingest.commit(() => {
      store.ingest.addSpan(decodeSpan({ id: 1, type: 'agent', start: 0, end: 2000 }))
      for (let id = 2; id < 1200; id += 1) store.ingest.addSpan(decodeSpan({ id, parent: 1, type: 'tool', start: id, end: id + 1 }))
      store.ingest.packing.noteCaughtUp(TRACE)
    })
    packNext()
    expect([store.run()['packed'], store.ingest.packing.isToPack]).toEqual([2, true])
    store.add({ id: 1200, parent: 1, type: 'tool', start: 1200, end: 1201 })
    packNext()
    expect([store.run()['packed'], store.ingest.packing.isToPack]).toEqual([0, false])
  })
})
