import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { MAX_REQUEST_ITEMS } from '../otlp/limits.ts'
import { migrate } from '../store/migrate.ts'
import { spanId, type TestSpan, TRACE, traceRequest } from '../testing/spans.ts'
import { JobQueue, QUIET_MS } from './job-queue.ts'
import type { FromWorker } from './messages.ts'

function setup() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sent: FromWorker[] = []
  const clock = { nowMs: 1_767_225_600_000 }
  /** What is found to have arrived, each time the queue looks. */
  const arriving: (() => void)[] = []
  const restarted = () =>
    new JobQueue(
      database,
      () => clock.nowMs,
      (message) => sent.push(message),
      () => arriving.shift()?.(),
    )
  const queue = restarted()
  const exportSpans = (id: number, spans: readonly TestSpan[]) =>
    queue.add({
      kind: 'export',
      id,
      signal: 'traces',
      format: 'json',
      encoding: 'identity',
      body: new Uint8Array(Buffer.from(JSON.stringify(traceRequest(spans)))),
    })
  const kinds = () => sent.map((message) => ('id' in message ? `${message.kind} ${message.id}` : message.kind))
  const row = () => database.prepare('SELECT name, status, span_count, node_count, waiting FROM runs WHERE id = ?').get(TRACE)
  return { database, clock, arriving, queue, restarted, sent, exportSpans, kinds, row }
}

const many = (count: number): TestSpan[] =>
  Array.from({ length: count }, (_unused, index) => ({ id: index + 1, type: 'tool', start: index, end: index + 1 }))

const paused = (runId: string) => ({
  runId,
  origin: 's:1',
  seq: undefined,
  ts: 1,
  type: 'exec.paused',
  payload: { pauseId: 'p', nodeId: 'n', point: 'before' },
})

describe('JobQueue', () => {
  it('takes waiting requests into one commit, and answers after it', () => {
    const { queue, exportSpans, kinds } = setup()
    exportSpans(1, [{ id: 1, end: 5 }])
    exportSpans(2, [{ id: 2, end: 5 }])
    expect(queue.turn()).toBe('nothing')
    expect(kinds()).toEqual(['committed', 'exported 1', 'exported 2'])
  })

  it('stores spans in slices, and lets a control event in between', () => {
    const { queue, exportSpans, kinds } = setup()
    exportSpans(1, many(3000))
    expect(queue.turn()).toBe('more')
    queue.add({ kind: 'append', id: 2, events: [paused('f'.repeat(32))] })
    queue.turn()
    expect(kinds()).toEqual(['committed', 'committed', 'done 2'])
    expect(queue.turn()).toBe('later')
    expect(kinds().at(-1)).toBe('exported 1')
  })

  it('stops deriving what nobody asked for when something arrives, which is then next', () => {
    const { clock, arriving, queue, exportSpans, kinds, row } = setup()
    for (const id of [1, 2, 3, 4]) exportSpans(id, many(65 * id).slice(-65))
    expect(queue.turn()).toBe('later')
    clock.nowMs += QUIET_MS
    arriving.push(() => queue.add({ kind: 'append', id: 5, events: [paused('f'.repeat(32))] }))
    expect(queue.turn()).toBe('more')
    expect(row()).toMatchObject({ span_count: 65, waiting: 195 })
    expect(kinds().at(-1)).not.toBe('done 5')
    queue.turn()
    expect(kinds().at(-1)).toBe('done 5')
    queue.turn()
    expect(row()).toMatchObject({ span_count: 195, waiting: 65 })
  })

  it('stops tidying when something arrives', () => {
    const { arriving, queue, exportSpans } = setup()
    exportSpans(1, many(40))
    while (queue.turn() === 'more');
    arriving.push(() => exportSpans(2, [{ id: 99, end: 5 }]))
    expect(queue.tidy(Number.POSITIVE_INFINITY, true)).toBe('more')
    expect(queue.isAnswered).toBe(false)
    expect(queue.tidy(Number.POSITIVE_INFINITY, false)).toBe('later')
  })

  it('answers for many spans once they are stored, and derives them when nothing more comes', () => {
    const { clock, queue, exportSpans, kinds, row } = setup()
    exportSpans(1, [
      ...many(200).map((span) => ({ ...span, parent: 999 })),
      { id: 999, type: 'agent', name: 'planner', start: 0, end: 900 },
    ])
    expect(queue.turn()).toBe('later')
    expect(kinds()).toEqual(['committed', 'exported 1'])
    expect(row()).toEqual({ name: 'planner', status: 'ok', span_count: 0, node_count: 0, waiting: 201 })
    clock.nowMs += QUIET_MS
    expect(queue.turn()).toBe('more')
    while (queue.turn() === 'more');
    expect(row()).toMatchObject({ name: 'planner', span_count: 201, waiting: 0 })
  })

  it('derives several small runs in one commit, and no more spans than a control event may wait for', () => {
    const { clock, database, queue, exportSpans } = setup()
    const run = (index: number) => many(20).map((span) => ({ ...span, trace: `e${index}`.padStart(32, '0') }))
    exportSpans(1, Array.from({ length: 10 }, (_unused, index) => run(index)).flat())
    queue.turn()
    const waiting = () => database.prepare('SELECT sum(waiting) AS spans FROM runs').get()?.['spans']
    expect(waiting()).toBe(200)
    clock.nowMs += QUIET_MS
    queue.turn()
    expect(waiting()).toBe(60)
    while (queue.turn() === 'more');
    expect(waiting()).toBe(0)
  })

  it('derives a run first that somebody asks for, whatever else is waiting, and answers when it is whole', () => {
    const { queue, exportSpans, kinds, row } = setup()
    exportSpans(1, many(300))
    queue.turn()
    exportSpans(
      2,
      many(300).map((span) => ({ ...span, trace: 'e'.repeat(32) })),
    )
    queue.turn()
    queue.add({ kind: 'derive', id: 3, runId: TRACE })
    while (queue.turn() === 'more');
    expect(kinds().at(-1)).toBe('done 3')
    expect(row()).toMatchObject({ span_count: 300, waiting: 0 })
  })

  it('answers who asks for a run, and goes on with what nobody asked for once nobody asks any more', () => {
    const { clock, database, queue, exportSpans, kinds } = setup()
    exportSpans(1, [...many(100), ...many(100).map((span) => ({ ...span, trace: 'e'.repeat(32) }))])
    queue.turn()
    clock.nowMs += QUIET_MS
    queue.add({ kind: 'derive', id: 2, runId: TRACE })
    const waiting = () => database.prepare('SELECT sum(waiting) AS spans FROM runs').get()?.['spans']
    expect([queue.turn(), kinds().at(-1), waiting()]).toEqual(['later', 'done 2', 100])
    expect([queue.turn(), waiting()]).toEqual(['later', 100])
    clock.nowMs += QUIET_MS
    while (queue.turn() === 'more');
    expect(waiting()).toBe(0)
  })

  it('packs a large run that somebody asked for as soon as it is quiet, with nothing else to wake it', () => {
    const { clock, database, queue, exportSpans } = setup()
    const root: TestSpan = { id: 9999, type: 'agent', name: 'planner', start: 0, end: 9000 }
    exportSpans(1, [root, ...many(1200).map((span): TestSpan => ({ ...span, parent: 9999 }))])
    queue.turn()
    queue.add({ kind: 'derive', id: 2, runId: TRACE })
    let rest = queue.turn()
    while (rest === 'more') rest = queue.turn()
    expect(rest).toBe('later')
    clock.nowMs += QUIET_MS
    while (queue.turn() === 'more');
    expect(database.prepare('SELECT event_count > 2000 AS large, packed FROM runs').get()).toEqual({ large: 1, packed: 1 })
  })

  it('derives spans of a watched run as they come, and what waits of it before its first channel event', () => {
    const { queue, exportSpans, sent, row } = setup()
    queue.add({ kind: 'watch', id: 1, runId: TRACE, on: true })
    exportSpans(2, many(100))
    while (queue.turn() === 'more');
    expect(row()).toMatchObject({ span_count: 100, waiting: 0 })
    expect(sent.filter((message) => message.kind === 'committed').flatMap(({ appended }) => appended)).not.toEqual([])
    queue.add({ kind: 'watch', id: 3, runId: TRACE, on: false })
    exportSpans(4, many(200))
    while (queue.turn() === 'more');
    expect(row()).toMatchObject({ waiting: 200 })
    queue.add({ kind: 'append', id: 5, events: [paused(TRACE)] })
    queue.turn()
    expect(row()).toMatchObject({ span_count: 200, waiting: 0 })
  })

  it('goes on after a restart with spans that were stored and not derived', () => {
    const { clock, queue, restarted, exportSpans, row } = setup()
    exportSpans(1, many(200))
    queue.turn()
    expect(row()).toMatchObject({ waiting: 200 })
    clock.nowMs += 60_000
    const next = restarted()
    while (next.turn() === 'more');
    expect(row()).toMatchObject({ span_count: 200, waiting: 0 })
  })

  it('stores nothing that a session wants hidden, however much waits', () => {
    const { clock, database, queue, exportSpans } = setup()
    const secret = { 'gen_ai.tool.call.arguments': '{"key":"hunter2"}' }
    exportSpans(
      1,
      many(100).map((span) => ({ ...span, attributes: secret })),
    )
    queue.turn()
    queue.add({ kind: 'session', id: 2, runId: TRACE, hide: ['hideInputs'] })
    exportSpans(
      3,
      many(200).map((span) => ({ ...span, id: span.id + 1000, attributes: secret })),
    )
    queue.turn()
    clock.nowMs += QUIET_MS
    while (queue.turn() === 'more');
    const tables = ['span_blocks', 'spans', 'events'].map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()))
    expect(tables.join().includes('hunter2')).toBe(false)
    expect(database.prepare('SELECT span_count, waiting FROM runs').all()).toEqual([{ span_count: 300, waiting: 0 }])
  })

  it('announces events only of watched runs, and rows of all', () => {
    const { queue, exportSpans, sent } = setup()
    exportSpans(1, [{ id: 1, end: 5 }])
    queue.turn()
    queue.add({ kind: 'watch', id: 2, runId: TRACE, on: true })
    exportSpans(3, [{ id: 2, end: 5 }])
    queue.turn()
    const committed = sent.filter((message) => message.kind === 'committed')
    expect(committed.map((message) => [message.appended.length, message.runs.length])).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  it('refuses bodies that are not readable or too large, each for itself', () => {
    const { queue, sent, exportSpans } = setup()
    const body = (text: string) => new Uint8Array(Buffer.from(text))
    queue.add({ kind: 'export', id: 1, signal: 'traces', format: 'json', encoding: 'identity', body: body('{"resour') })
    queue.add({ kind: 'export', id: 2, signal: 'traces', format: 'protobuf', encoding: 'gzip', body: body('x') })
    queue.add({
      kind: 'export',
      id: 3,
      signal: 'logs',
      format: 'json',
      encoding: 'identity',
      body: body('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{}]}]}]}'),
    })
    exportSpans(4, [{ id: 1, end: 5 }])
    queue.turn()
    const outcomes = sent.filter((message) => message.kind === 'exported').map((message) => message.outcome)
    expect(outcomes).toMatchObject([
      { status: 400 },
      { status: 400 },
      { status: 200, accepted: 2 },
      { status: 200, accepted: 1, rejected: 0 },
    ])
  })

  it('asks to try again when the store can’t take anything, and takes it the next time', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const { database, queue, exportSpans, sent } = setup()
    // A page limit is SQLite's own full disk.
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count'])
    database.exec(`PRAGMA max_page_count = ${pages + 1}`)
    const big: TestSpan = { id: 1, end: 5, attributes: { text: 'x'.repeat(100_000) } }
    exportSpans(1, [big])
    queue.turn()
    expect(sent).toMatchObject([
      { kind: 'store', problem: expect.stringMatching(/full/) },
      { kind: 'exported', id: 1, outcome: { status: 503 } },
    ])
    exportSpans(3, [big])
    queue.turn()
    queue.add({ kind: 'sweep', id: 4, sessionQuietBefore: 0, spansQuietBefore: 0, except: [] })
    queue.turn()
    expect(sent.filter(({ kind }) => kind === 'store')).toHaveLength(1)
    database.exec('PRAGMA max_page_count = 100000')
    exportSpans(2, [big])
    queue.turn()
    expect(sent.at(-1)).toMatchObject({ kind: 'exported', id: 2, outcome: { status: 200, accepted: 1 } })
    expect(sent.filter(({ kind }) => kind === 'store').at(-1)).toEqual({ kind: 'store', problem: null })
    expect(
      database
        .prepare('SELECT span_id FROM spans')
        .all()
        .map((row) => row['span_id']),
    ).toEqual([spanId(1)])
    log.mockRestore()
  })

  it('takes as many records in one request as are allowed, and says what to do with more', () => {
    const { queue, sent } = setup()
    const logs = (id: number, count: number) => {
      const logRecords = Array.from({ length: count }, () => ({}))
      const body = new Uint8Array(Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })))
      queue.add({ kind: 'export', id, signal: 'logs', format: 'json', encoding: 'identity', body })
      while (queue.turn() === 'more');
      return sent.at(-1)
    }
    expect(logs(1, MAX_REQUEST_ITEMS)).toMatchObject({ id: 1, outcome: { status: 200 } })
    expect(logs(2, MAX_REQUEST_ITEMS + 1)).toMatchObject({
      id: 2,
      outcome: { status: 413, message: expect.stringContaining('smaller batches') },
    })
  })

  it('keeps what an app said while the file is locked, and stores it once it is free', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-queue-'))
    const path = join(folder, 'q.db')
    const database = new DatabaseSync(path, { timeout: 0 })
    migrate(database)
    const sent: FromWorker[] = []
    const queue = new JobQueue(
      database,
      () => 0,
      (message) => sent.push(message),
      () => undefined,
    )
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    queue.add({ kind: 'append', id: 1, events: [paused('f'.repeat(32))] })
    expect([queue.turn(), queue.turn(), sent]).toMatchObject(['later', 'later', [{ kind: 'store' }]])
    other.exec('ROLLBACK')
    other.close()
    queue.turn()
    expect(sent.at(-1)).toEqual({ kind: 'done', id: 1 })
    expect(database.prepare('SELECT type FROM events').all()).toMatchObject([{ type: 'exec.paused' }])
    expect(log).toHaveBeenCalledTimes(1)
    database.close()
    rmSync(folder, { recursive: true })
    log.mockRestore()
  })

  it.each([
    ['before', true],
    ['after', false],
  ])('reads log records %s the span that they are about', (_when, first) => {
    const { database, queue, exportSpans, kinds } = setup()
    const record = {
      timeUnixNano: '1767225600001000000',
      traceId: TRACE,
      spanId: spanId(1),
      eventName: 'gen_ai.user.message',
      body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Where to?' } }] } },
    }
    const line = { timeUnixNano: '1767225600001000000', traceId: TRACE, body: { stringValue: 'a line of something else' } }
    const exportLogs = () =>
      queue.add({
        kind: 'export',
        id: 2,
        signal: 'logs',
        format: 'json',
        encoding: 'identity',
        body: new Uint8Array(Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record, record, line] }] }] }))),
      })
    if (first) exportLogs()
    while (queue.turn() === 'more');
    exportSpans(1, [{ id: 1, type: 'llm', end: 5 }])
    while (queue.turn() === 'more');
    if (!first) exportLogs()
    while (queue.turn() === 'more');
    expect(kinds().filter((kind) => kind.startsWith('exported'))).toHaveLength(2)
    const payloads = database.prepare("SELECT payload FROM events WHERE type LIKE 'node.%'").all()
    expect(payloads.filter((row) => String(row['payload']).includes('Where to?'))).toHaveLength(1)
    expect(database.prepare('SELECT count(*) AS count FROM logs').get()).toEqual({ count: 1 })
    expect(database.prepare('SELECT count(*) AS count FROM runs').get()).toEqual({ count: 1 })
  })
})
