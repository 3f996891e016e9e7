import { failed, ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { LogsRequest, MetricsRequest } from './descriptor.ts'
import { readJson } from './read-json.ts'
import { isFields, pick } from './read-value.ts'

const SHAPES = {
  logs: {
    type: LogsRequest,
    groups: ['resourceLogs', 'resource_logs'],
    scopes: ['scopeLogs', 'scope_logs'],
    records: ['logRecords', 'log_records'],
  },
  metrics: {
    type: MetricsRequest,
    groups: ['resourceMetrics', 'resource_metrics'],
    scopes: ['scopeMetrics', 'scope_metrics'],
    records: ['metrics', 'metrics'],
  },
} as const

/** How many log records or metrics an export request holds. They are counted, not kept: no node needs them yet. */
export function countRecords(signal: 'logs' | 'metrics', bytes: Uint8Array, format: OtlpFormat): Result<number> {
  const shape = SHAPES[signal]
  const request = format === 'json' ? readJson(new TextDecoder().decode(bytes)) : readProtobuf(signal, bytes)
  if (!request.ok) return request
  if (!isFields(request.value)) return failed('shape', `The body is not an OTLP ${signal} request.`)
  let count = 0
  for (const group of children(request.value, shape.groups)) {
    for (const scope of children(group, shape.scopes)) count += children(scope, shape.records).length
  }
  return ok(count)
}

function readProtobuf(signal: 'logs' | 'metrics', bytes: Uint8Array): Result<unknown> {
  const { type } = SHAPES[signal]
  try {
    return ok(type.toObject(type.decode(bytes)))
  } catch {
    return failed('protobuf', `The body is not a readable OTLP ${signal} request in protobuf.`)
  }
}

function children(value: unknown, names: readonly [string, string]): readonly unknown[] {
  const list = isFields(value) ? pick(value, names[0], names[1]) : undefined
  return Array.isArray(list) ? list : []
}
