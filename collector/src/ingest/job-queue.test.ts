import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { migrate } from '../store/migrate.ts'
import { spanId, type TestSpan, TRACE, traceRequest } from '../testing/spans.ts'
import { JobQueue } from './job-queue.ts'
import type { FromWorker } from './messages.ts'

function setup() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sent: FromWorker[] = []
  const queue = new JobQueue(
    database,
    () => 1_767_225_600_000,
    (message) => sent.push(message),
  )
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
  return { database, queue, sent, exportSpans, kinds }
}

const many = (count: number): TestSpan[] =>
  Array.from({ length: count }, (_unused, index) => ({ id: index + 1, type: 'tool', start: index, end: index + 1 }))

describe('JobQueue', () => {
  it('takes waiting requests into one commit, and answers after it', () => {
    const { queue, exportSpans, kinds } = setup()
    exportSpans(1, [{ id: 1, end: 5 }])
    exportSpans(2, [{ id: 2, end: 5 }])
    expect(queue.turn()).toBe(false)
    expect(kinds()).toEqual(['committed', 'exported 1', 'exported 2'])
  })

  it('stores spans in slices, and lets a control event in between', () => {
    const { queue, exportSpans, kinds } = setup()
    exportSpans(1, many(600))
    expect(queue.turn()).toBe(true)
    queue.add({
      kind: 'append',
      id: 2,
      events: [
        {
          runId: TRACE,
          origin: 's:1',
          seq: undefined,
          ts: 1,
          type: 'exec.paused',
          payload: { pauseId: 'p', nodeId: 'n', point: 'before' },
        },
      ],
    })
    queue.turn()
    expect(kinds()).toEqual(['committed', 'committed', 'done 2'])
    expect(queue.turn()).toBe(false)
    expect(kinds().at(-1)).toBe('exported 1')
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
    expect(sent).toMatchObject([{ kind: 'exported', id: 1, outcome: { status: 503 } }])
    database.exec('PRAGMA max_page_count = 100000')
    exportSpans(2, [big])
    queue.turn()
    expect(sent.at(-1)).toMatchObject({ kind: 'exported', id: 2, outcome: { status: 200, accepted: 1 } })
    expect(
      database
        .prepare('SELECT span_id FROM spans')
        .all()
        .map((row) => row['span_id']),
    ).toEqual([spanId(1)])
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
    while (queue.turn());
    exportSpans(1, [{ id: 1, type: 'llm', end: 5 }])
    while (queue.turn());
    if (!first) exportLogs()
    while (queue.turn());
    expect(kinds().filter((kind) => kind.startsWith('exported'))).toHaveLength(2)
    const payloads = database.prepare("SELECT payload FROM events WHERE type LIKE 'node.%'").all()
    expect(payloads.filter((row) => String(row['payload']).includes('Where to?'))).toHaveLength(1)
    expect(database.prepare('SELECT count(*) AS count FROM logs').get()).toEqual({ count: 1 })
    expect(database.prepare('SELECT count(*) AS count FROM runs').get()).toEqual({ count: 1 })
  })
})
