import { failed, ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { Cursor } from './protobuf/cursor.ts'
import { notReadable } from './protobuf/read-groups.ts'
import { unlessBroken } from './protobuf/unless-broken.ts'
import { readJson } from './read-json.ts'
import { isFields, pick } from './read-value.ts'

/** How many metrics an export request holds. They are counted, not kept: no node needs them. */
export function countMetrics(bytes: Uint8Array, format: OtlpFormat): Result<number> {
  return format === 'json' ? countJson(bytes) : countProtobuf(bytes)
}

function countJson(bytes: Uint8Array): Result<number> {
  const request = readJson(new TextDecoder().decode(bytes))
  if (!request.ok) return request
  if (!isFields(request.value)) return failed('shape', 'The body is not an OTLP metrics request.')
  let count = 0
  for (const group of children(request.value, 'resourceMetrics', 'resource_metrics')) {
    for (const scope of children(group, 'scopeMetrics', 'scope_metrics')) count += children(scope, 'metrics', 'metrics').length
  }
  return ok(count)
}

const RESOURCE_METRICS = 0x0a
const SCOPE_METRICS = 0x12
const METRICS = 0x12

function countProtobuf(bytes: Uint8Array): Result<number> {
  const count = (cursor: Cursor) => ok(countFields(cursor, [RESOURCE_METRICS, SCOPE_METRICS, METRICS]))
  return unlessBroken(count, new Cursor(bytes), notReadable('metrics'))
}

/** How many fields of the last tag there are in messages under the tags before it. */
function countFields(cursor: Cursor, [wanted, ...inner]: readonly number[]): number {
  let count = 0
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag !== wanted || inner.length === 0) {
      cursor.skip(tag)
      if (tag === wanted) count += 1
      continue
    }
    const outer = cursor.enter()
    count += countFields(cursor, inner)
    cursor.leave(outer)
  }
  return count
}

function children(value: unknown, camel: string, snake: string): readonly unknown[] {
  const list = isFields(value) ? pick(value, camel, snake) : undefined
  return Array.isArray(list) ? list : []
}
