import { failed, ok, type Result } from '../../problem.ts'
import { isId, noSpanId, noTraceId } from '../ids.ts'
import { MAX_EVENTS, MAX_LINKS } from '../limits.ts'
import type { OtlpEvent, OtlpLink, OtlpSpan } from '../otlp-json.ts'
import type { Cursor } from './cursor.ts'
import { AttributeList } from './read-attributes.ts'
import { unlessBroken } from './unless-broken.ts'

/** The refusal of bytes that are no span. */
export const BROKEN_SPAN = failed('span-bytes', 'a span is not readable protobuf')

/** Reads the span that the cursor has entered. Bytes that are no span, and a span without usable ids, are a problem of this span alone. */
export function readSpan(cursor: Cursor): Result<OtlpSpan> {
  return unlessBroken(readFields, cursor, BROKEN_SPAN)
}

function readFields(cursor: Cursor): Result<OtlpSpan> {
  let traceId = ''
  let spanId = ''
  let parentSpanId = ''
  let traceState = ''
  let name = ''
  let kind = 0
  let startTimeUnixNano = '0'
  let endTimeUnixNano = '0'
  let flags = 0
  let status: OtlpSpan['status'] = {}
  const attributes = new AttributeList()
  const events = new Capped<OtlpEvent>(MAX_EVENTS)
  const links = new Capped<OtlpLink>(MAX_LINKS)
  let saidAttributes = 0
  let saidEvents = 0
  let saidLinks = 0
  while (cursor.hasMore) {
    const tag = cursor.tag()
    switch (tag) {
      case 0x0a:
        traceId = cursor.hex()
        break
      case 0x12:
        spanId = cursor.hex()
        break
      case 0x1a:
        traceState = cursor.text()
        break
      case 0x22:
        parentSpanId = cursor.hex()
        break
      case 0x2a:
        name = cursor.text()
        break
      case 0x30:
        kind = cursor.uint32() | 0
        break
      case 0x39:
        startTimeUnixNano = cursor.fixed64()
        break
      case 0x41:
        endTimeUnixNano = cursor.fixed64()
        break
      case 0x4a:
        attributes.read(cursor)
        break
      case 0x50:
        saidAttributes = cursor.uint32()
        break
      case 0x5a:
        events.add(cursor, readEvent)
        break
      case 0x60:
        saidEvents = cursor.uint32()
        break
      case 0x6a:
        links.add(cursor, readLink)
        break
      case 0x70:
        saidLinks = cursor.uint32()
        break
      case 0x7a:
        status = readStatus(cursor, status)
        break
      case 0x85:
        flags = cursor.fixed32()
        break
      default:
        cursor.skip(tag)
    }
  }
  if (!isId(traceId, 16)) return noTraceId(name)
  if (!isId(spanId, 8)) return noSpanId(name)
  return ok({
    traceId,
    spanId,
    ...(traceState === '' ? undefined : { traceState }),
    ...(isId(parentSpanId, 8) ? { parentSpanId } : undefined),
    ...(flags === 0 ? undefined : { flags }),
    name,
    kind,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: attributes.kept,
    ...count('droppedAttributesCount', saidAttributes, attributes.dropped),
    ...(events.kept.length === 0 ? undefined : { events: events.kept }),
    ...count('droppedEventsCount', saidEvents, events.dropped),
    ...(links.kept.length === 0 ? undefined : { links: links.kept }),
    ...count('droppedLinksCount', saidLinks, links.dropped),
    status,
  })
}

/** Entries up to a cap; what is beyond it is passed over and counted. */
class Capped<Item> {
  readonly kept: Item[] = []
  readonly #max: number
  dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  add(cursor: Cursor, read: (cursor: Cursor) => Item): void {
    const outer = cursor.enter()
    if (this.kept.length < this.#max) this.kept.push(read(cursor))
    else this.dropped += 1
    cursor.leave(outer)
  }
}

function readEvent(cursor: Cursor): OtlpEvent {
  let timeUnixNano = '0'
  let name = ''
  let said = 0
  const attributes = new AttributeList()
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x09) timeUnixNano = cursor.fixed64()
    else if (tag === 0x12) name = cursor.text()
    else if (tag === 0x1a) attributes.read(cursor)
    else if (tag === 0x20) said = cursor.uint32()
    else cursor.skip(tag)
  }
  return { timeUnixNano, name, attributes: attributes.kept, ...count('droppedAttributesCount', said, attributes.dropped) }
}

function readLink(cursor: Cursor): OtlpLink {
  let traceId = ''
  let spanId = ''
  let traceState = ''
  let said = 0
  let flags = 0
  const attributes = new AttributeList()
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) traceId = cursor.hex()
    else if (tag === 0x12) spanId = cursor.hex()
    else if (tag === 0x1a) traceState = cursor.text()
    else if (tag === 0x22) attributes.read(cursor)
    else if (tag === 0x28) said = cursor.uint32()
    else if (tag === 0x35) flags = cursor.fixed32()
    else cursor.skip(tag)
  }
  return {
    traceId: isId(traceId, 16) ? traceId : '',
    spanId: isId(spanId, 8) ? spanId : '',
    ...(traceState === '' ? undefined : { traceState }),
    attributes: attributes.kept,
    ...count('droppedAttributesCount', said, attributes.dropped),
    ...(flags === 0 ? undefined : { flags }),
  }
}

function readStatus(cursor: Cursor, before: OtlpSpan['status']): OtlpSpan['status'] {
  const outer = cursor.enter()
  let { code = 0, message = '' } = before
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x12) message = cursor.text()
    else if (tag === 0x18) code = cursor.uint32() | 0
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return { ...(code === 0 ? undefined : { code }), ...(message === '' ? undefined : { message }) }
}

/** What the sender dropped and what we did; left out when it is nothing. */
export function count<Key extends string>(key: Key, said: number, dropped: number): { [K in Key]?: number } | undefined {
  const sum = said + dropped
  return sum > 0 && sum <= 0xffffffff ? ({ [key]: sum } as { [K in Key]?: number }) : undefined
}
