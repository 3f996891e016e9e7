import { failed, ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { MetricsRequest } from './descriptor.ts'
import { readJson } from './read-json.ts'
import { isFields, pick } from './read-value.ts'

/** How many metrics an export request holds. They are counted, not kept: no node needs them. */
export function countMetrics(bytes: Uint8Array, format: OtlpFormat): Result<number> {
  const request = format === 'json' ? readJson(new TextDecoder().decode(bytes)) : readProtobuf(bytes)
  if (!request.ok) return request
  if (!isFields(request.value)) return failed('shape', 'The body is not an OTLP metrics request.')
  let count = 0
  for (const group of children(request.value, 'resourceMetrics', 'resource_metrics')) {
    for (const scope of children(group, 'scopeMetrics', 'scope_metrics')) count += children(scope, 'metrics', 'metrics').length
  }
  return ok(count)
}

function readProtobuf(bytes: Uint8Array): Result<unknown> {
  try {
    return ok(MetricsRequest.toObject(MetricsRequest.decode(bytes)))
  } catch {
    return failed('protobuf', 'The body is not a readable OTLP metrics request in protobuf.')
  }
}

function children(value: unknown, camel: string, snake: string): readonly unknown[] {
  const list = isFields(value) ? pick(value, camel, snake) : undefined
  return Array.isArray(list) ? list : []
}
