import { MAX_ATTRIBUTES } from '../limits.ts'
import type { OtlpAnyValue, OtlpKeyValue } from '../otlp-json.ts'
import { cutText, MAX_VALUE_DEPTH, TOO_DEEP } from '../read-value.ts'
import type { Cursor } from './cursor.ts'

/** Collects the attributes of one span, event, link, resource or scope, up to the cap. */
export class AttributeList {
  readonly kept: OtlpKeyValue[] = []
  #count = 0

  /** How many came beyond the cap. */
  get dropped(): number {
    return Math.max(0, this.#count - MAX_ATTRIBUTES)
  }

  read(cursor: Cursor): void {
    this.#count += 1
    if (this.#count <= MAX_ATTRIBUTES) readKeyValue(cursor, this.kept, 0)
    else cursor.leave(cursor.enter())
  }
}

/** A key that was left out is the empty one. */
function readKeyValue(cursor: Cursor, into: OtlpKeyValue[], depth: number): void {
  const outer = cursor.enter()
  let key = ''
  let value: OtlpAnyValue = {}
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) key = cursor.text()
    else if (tag === 0x12) value = readAnyValue(cursor, depth, value)
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  into.push({ key, value })
}

/** Of several values the last stands; parts of one list are put together, as protobuf says of a message that comes in parts. */
export function readAnyValue(cursor: Cursor, depth: number, before: OtlpAnyValue): OtlpAnyValue {
  const outer = cursor.enter()
  let value = before
  if (depth > MAX_VALUE_DEPTH) value = TOO_DEEP
  else while (cursor.hasMore) value = readValueField(cursor, depth, value)
  cursor.leave(outer)
  return value
}

function readValueField(cursor: Cursor, depth: number, before: OtlpAnyValue): OtlpAnyValue {
  const tag = cursor.tag()
  switch (tag) {
    case 0x0a:
      return { stringValue: cutText(cursor.text()) }
    case 0x10:
      return { boolValue: cursor.bool() }
    case 0x18:
      return { intValue: cursor.int64() }
    case 0x21: {
      const double = cursor.double()
      return { doubleValue: Number.isFinite(double) ? double : String(double) }
    }
    case 0x2a:
      return { arrayValue: { values: readArray(cursor, depth + 1, before.arrayValue?.values ?? []) } }
    case 0x32:
      return { kvlistValue: { values: readKeyValueList(cursor, depth + 1, before.kvlistValue?.values ?? []) } }
    case 0x3a:
      return { bytesValue: cursor.base64() }
    default:
      cursor.skip(tag)
      return before
  }
}

function readArray(cursor: Cursor, depth: number, before: readonly OtlpAnyValue[]): readonly OtlpAnyValue[] {
  const outer = cursor.enter()
  const values = [...before]
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) values.push(readAnyValue(cursor, depth, {}))
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return values
}

function readKeyValueList(cursor: Cursor, depth: number, before: readonly OtlpKeyValue[]): readonly OtlpKeyValue[] {
  const outer = cursor.enter()
  const values = [...before]
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === 0x0a) readKeyValue(cursor, values, depth)
    else cursor.skip(tag)
  }
  cursor.leave(outer)
  return values
}
