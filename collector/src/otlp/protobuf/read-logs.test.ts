import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failed, ok, type Result } from '../../problem.ts'
import { changed, changes } from '../../testing/damage.ts'
import { LogRecord, LogsRequest } from '../../testing/descriptor.ts'
import { anyValues, attributes, counts, ids, times } from '../../testing/otlp-arbitraries.ts'
import { LOGS_FIELD } from '../logs-field.ts'
import { readLogRecord } from '../read-log.ts'
import { BrokenBytes, Cursor } from './cursor.ts'
import { readLogs } from './read-logs.ts'
import { writeLogs } from './write-groups.ts'

const records = fc
  .record(
    {
      timeUnixNano: times,
      observedTimeUnixNano: times,
      severityNumber: fc.integer({ min: -2, max: 30 }),
      severityText: fc.string({ maxLength: 10 }),
      body: anyValues,
      attributes,
      droppedAttributesCount: counts,
      flags: counts,
      traceId: fc.oneof(ids(16), ids(3), fc.constant(Buffer.alloc(16))),
      spanId: fc.oneof(ids(8), ids(3)),
      eventName: fc.string({ unit: 'grapheme', maxLength: 20 }),
    },
    { requiredKeys: [] },
  )
  .map((record) => LogRecord.encode(LogRecord.fromObject(record)).finish())
const requests = fc.array(fc.array(records, { maxLength: 3 }), { maxLength: 3 }).map((groups) =>
  LogsRequest.encode(
    LogsRequest.fromObject({
      resourceLogs: groups.map((logRecords) => ({ resource: { attributes: [] }, scopeLogs: [{ scope: { name: 's' }, logRecords }] })),
    }),
  ).finish(),
)

function recordsIn(bytes: Uint8Array): Result<readonly unknown[]> {
  const read = readLogs(bytes)
  return read.ok ? ok(read.value.flatMap(({ scopes }) => scopes.flatMap(({ items }) => items.map(codeOrValue)))) : read
}

/** The same by protobufjs, and from there as OTLP/JSON is read. */
function byOracle(bytes: Uint8Array): Result<readonly unknown[]> {
  try {
    const groups = LogsRequest.toObject(LogsRequest.decode(bytes))['resourceLogs'] ?? []
    const scopes = (groups as readonly { scopeLogs?: readonly { logRecords?: readonly Uint8Array[] }[] }[]).flatMap(
      ({ scopeLogs = [] }) => scopeLogs,
    )
    return ok(scopes.flatMap(({ logRecords = [] }) => logRecords.map((record) => codeOrValue(recordByOracle(record)))))
  } catch {
    return failed('protobuf', '')
  }
}

function recordByOracle(bytes: Uint8Array): Result<unknown> {
  try {
    return readLogRecord(LogRecord.toObject(LogRecord.decode(bytes), { longs: String }))
  } catch {
    return failed('record-bytes', '')
  }
}

const codeOrValue = (read: Result<unknown>) => (read.ok ? read.value : read.problem.code)

describe('readLogs', () => {
  it('reads every record as protobufjs does', () => {
    fc.assert(
      fc.property(requests, (bytes) => {
        expect(recordsIn(bytes)).toEqual(byOracle(bytes))
      }),
      { numRuns: 300 },
    )
  })

  it('answers damaged requests with a problem, or with what protobufjs finds in them', () => {
    fc.assert(
      fc.property(requests, changes, (bytes, list) => {
        const damaged = changed(bytes, list)
        const ours = recordsIn(damaged)
        const theirs = byOracle(damaged)
        // Text that is not UTF-8 is replaced here and refused there.
        if (theirs.ok && !JSON.stringify(ours).includes('\ufffd')) expect(ours.ok).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('writeLogs', () => {
  it('writes what is read again as it was', () => {
    fc.assert(
      fc.property(requests, (bytes) => {
        const read = readLogs(bytes)
        const groups = (read.ok ? read.value : []).flatMap(({ resource, scopes }) =>
          scopes.map(({ scope, items }) => ({ resource, scope, items: items.flatMap((item) => (item.ok ? item.value : [])) })),
        )
        expect(recordsIn(asRequest(writeLogs(groups)))).toEqual(ok(groups.flatMap(({ items }) => items)))
      }),
      { numRuns: 200 },
    )
  })
})

/** What a file has under its own field number, as a request. */
function asRequest(file: Uint8Array): Uint8Array {
  const cursor = new Cursor(file)
  const groups: Buffer[] = []
  while (cursor.hasMore) {
    if (cursor.tag() !== LOGS_FIELD * 8 + 2) throw new BrokenBytes('another field')
    const from = cursor.at
    cursor.leave(cursor.enter())
    groups.push(Buffer.of(0x0a), Buffer.from(file.subarray(from, cursor.at)))
  }
  return Buffer.concat(groups)
}
