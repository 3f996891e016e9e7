import { describe, expect, it } from 'vitest'
import { LogRecord, LogsRequest } from '../testing/descriptor.ts'
import { decodeTraces } from './decode.ts'
import { decodeLogs } from './decode-logs.ts'
import { CUT_MARK, MAX_ATTRIBUTES, MAX_EVENTS, MAX_LINKS, MAX_TEXT_LENGTH } from './limits.ts'

const TRACE = '0123456789abcdef0123456789abcdef'
const pairs = (count: number) => Array.from({ length: count }, (_unused, index) => ({ key: `k${index}`, value: { intValue: '1' } }))
const many = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)

function rawSpan(fields: object) {
  const span = { traceId: TRACE, spanId: '00000000000000a1', name: 'one', startTimeUnixNano: '5', endTimeUnixNano: '9', ...fields }
  const decoded = decodeTraces(Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })), 'json')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  return decoded.value.spans[0]?.raw
}

describe('the limits of a span', () => {
  it('keep as many attributes, events and links as are allowed, and count what is beyond', () => {
    const event = { name: 'e', timeUnixNano: '6' }
    const link = { traceId: TRACE, spanId: '00000000000000a2' }
    const full = rawSpan({ attributes: pairs(MAX_ATTRIBUTES), events: many(MAX_EVENTS, event), links: many(MAX_LINKS, link) })
    expect([full?.attributes.length, full?.events?.length, full?.links?.length]).toEqual([MAX_ATTRIBUTES, MAX_EVENTS, MAX_LINKS])
    expect(full).not.toHaveProperty('droppedAttributesCount')
    const over = rawSpan({
      attributes: pairs(MAX_ATTRIBUTES + 1),
      droppedAttributesCount: 4,
      events: many(MAX_EVENTS + 2, event),
      links: many(MAX_LINKS + 3, link),
    })
    expect([over?.attributes.length, over?.events?.length, over?.links?.length]).toEqual([MAX_ATTRIBUTES, MAX_EVENTS, MAX_LINKS])
    expect(over).toMatchObject({ droppedAttributesCount: 5, droppedEventsCount: 2, droppedLinksCount: 3 })
  })

  it('hold for the attributes of an event, too', () => {
    const over = rawSpan({ events: [{ name: 'e', timeUnixNano: '6', attributes: pairs(MAX_ATTRIBUTES + 7) }] })
    expect(over?.events?.[0]).toMatchObject({ droppedAttributesCount: 7 })
  })

  it('cut a text that is longer than allowed, and mark the cut', () => {
    const text = (length: number) =>
      rawSpan({ attributes: [{ key: 'k', value: { stringValue: 'x'.repeat(length) } }] })?.attributes[0]?.value.stringValue
    expect(text(MAX_TEXT_LENGTH)?.length).toBe(MAX_TEXT_LENGTH)
    expect(text(MAX_TEXT_LENGTH + 1)?.slice(-CUT_MARK.length - 1)).toBe(` ${CUT_MARK}`)
    expect(text(MAX_TEXT_LENGTH + 1)).toContain(`x …[of ${MAX_TEXT_LENGTH + 1} characters]`)
  })
})

describe('decodeLogs', () => {
  const record = {
    timeUnixNano: '7',
    eventName: 'gen_ai.user.message',
    body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'hi' } }] } },
  }
  const request = (...logRecords: readonly unknown[]) => ({
    resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ scope: { name: 's' }, logRecords }] }],
  })
  const decode = (value: unknown) => {
    const decoded = decodeLogs(Buffer.from(JSON.stringify(value)), 'json')
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return decoded.value
  }

  it('reads the same record from both formats, with the time it was observed when it has no other', () => {
    const { logs } = decode(
      request({ ...record, timeUnixNano: undefined, observedTimeUnixNano: '8', traceId: TRACE, spanId: '00000000000000A1' }),
    )
    expect(logs[0]?.view).toMatchObject({
      name: 'gen_ai.user.message',
      timeNanos: 8n,
      traceId: TRACE,
      spanId: '00000000000000a1',
      body: { content: 'hi' },
    })
    const bytes = LogRecord.encode(
      LogRecord.fromObject({ ...record, traceId: Buffer.from(TRACE, 'hex'), spanId: Buffer.from('00000000000000a1', 'hex') }),
    ).finish()
    const body = LogsRequest.encode(
      LogsRequest.fromObject({ resourceLogs: [{ scopeLogs: [{ scope: { name: 's' }, logRecords: [bytes] }] }] }),
    ).finish()
    const protobuf = decodeLogs(body, 'protobuf')
    const json = decode(request({ ...record, traceId: TRACE, spanId: '00000000000000a1' }))
    expect(protobuf).toMatchObject({ ok: true, value: { logs: [{ view: json.logs[0]?.view, hash: json.logs[0]?.hash }] } })
  })

  it('rejects a broken record alone, and refuses what is no request', () => {
    expect(decode(request(record, 7, { ...record, timeUnixNano: '-1' }))).toMatchObject({ rejectedCount: 2, logs: [{}] })
    expect(decodeLogs(Buffer.from('{"resourceLogs":7}'), 'json').ok).toBe(false)
    expect(decodeLogs(Buffer.from('no protobuf'), 'protobuf').ok).toBe(false)
    expect(decodeLogs(new Uint8Array(), 'protobuf')).toMatchObject({ ok: true, value: { logs: [] } })
  })

  it('counts what is beyond the limit of attributes', () => {
    const { logs } = decode(request({ ...record, attributes: pairs(MAX_ATTRIBUTES + 2) }))
    expect(JSON.parse(logs[0]?.json ?? '{}').record).toMatchObject({ droppedAttributesCount: 2 })
  })
})
