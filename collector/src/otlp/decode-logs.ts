import { hash } from 'node:crypto'
import type { LogView } from '@graphmind-ai/mappings'
import { failed, ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { LogRecord, LogsRequest } from './descriptor.ts'
import { toLogView } from './log-view.ts'
import type { OtlpLogRecord, OtlpResource, OtlpScope } from './otlp-json.ts'
import { readJson } from './read-json.ts'
import { readLogRecord } from './read-log.ts'
import { readResource, readScope } from './read-span.ts'
import { type Fields, isFields, pick } from './read-value.ts'
import { viewContext } from './span-view.ts'

/** A log record as it is kept: with its resource and scope, as JSON text, named by its hash. */
export interface DecodedLog {
  readonly view: LogView
  readonly hash: string
  readonly json: string
}

/** What is stored of a log record. */
export interface StoredLog {
  readonly resource: OtlpResource
  readonly scope: OtlpScope
  readonly record: OtlpLogRecord
}

export interface DecodedLogs {
  readonly logs: readonly DecodedLog[]
  readonly rejectedCount: number
  readonly reasons: readonly string[]
}

/** Decodes an OTLP logs request (inflated bytes). Unreadable bytes are a problem; a broken record is only counted (partial success). */
export function decodeLogs(bytes: Uint8Array, format: OtlpFormat): Result<DecodedLogs> {
  const request = format === 'json' ? readJsonRequest(bytes) : readProtobufRequest(bytes)
  return request.ok ? ok(decodeLogGroups(request.value)) : request
}

/** Decodes the ResourceLogs of a request, as parsed JSON or as decoded protobuf. */
export function decodeLogGroups(groups: readonly unknown[]): DecodedLogs {
  const logs: DecodedLog[] = []
  const reasons = new Set<string>()
  let rejectedCount = 0
  for (const group of groups) {
    for (const { resource, scope, records } of scopesOf(group)) {
      for (const entry of records) {
        const read = entry instanceof Uint8Array ? readProtobufRecord(entry) : readLogRecord(entry)
        if (read.ok) logs.push(decodedLog({ resource, scope, record: read.value }))
        else {
          rejectedCount++
          reasons.add(read.problem.message)
        }
      }
    }
  }
  return { logs, rejectedCount, reasons: [...reasons].slice(0, 5) }
}

/** A record as it is kept. */
export function decodedLog(stored: StoredLog): DecodedLog {
  const json = JSON.stringify(stored)
  return { view: viewOfStored(stored), json, hash: hash('sha1', json, 'hex').slice(0, 20) }
}

/** A stored record as the mappings read it. */
export function viewOfStored({ resource, scope, record }: StoredLog): LogView {
  return toLogView(record, viewContext(resource, scope))
}

function scopesOf(group: unknown): readonly { resource: OtlpResource; scope: OtlpScope; records: readonly unknown[] }[] {
  if (!isFields(group)) return []
  const resource = readResource(group['resource'], pick(group, 'schemaUrl', 'schema_url'))
  return listIn(group, 'scopeLogs', 'scope_logs')
    .filter(isFields)
    .map((scopeGroup) => ({
      resource,
      scope: readScope(scopeGroup['scope'], pick(scopeGroup, 'schemaUrl', 'schema_url')),
      records: listIn(scopeGroup, 'logRecords', 'log_records'),
    }))
}

function listIn(fields: Fields, camel: string, snake: string): readonly unknown[] {
  const list = pick(fields, camel, snake)
  return Array.isArray(list) ? list : []
}

function readJsonRequest(bytes: Uint8Array): Result<readonly unknown[]> {
  const json = readJson(new TextDecoder().decode(bytes))
  if (!json.ok) return json
  if (!isFields(json.value))
    return failed('shape', 'The body is JSON, but not an OTLP logs request: an object with resourceLogs is expected.')
  const groups = pick(json.value, 'resourceLogs', 'resource_logs')
  if (groups === undefined || groups === null) return ok([])
  return Array.isArray(groups) ? ok(groups) : failed('shape', 'resourceLogs is not a list.')
}

function readProtobufRequest(bytes: Uint8Array): Result<readonly unknown[]> {
  try {
    return ok((LogsRequest.toObject(LogsRequest.decode(bytes))['resourceLogs'] as readonly unknown[] | undefined) ?? [])
  } catch {
    return failed(
      'protobuf',
      'The body is not a readable OTLP logs request in protobuf. Check the content type and that the body is whole.',
    )
  }
}

function readProtobufRecord(bytes: Uint8Array): Result<OtlpLogRecord> {
  try {
    return readLogRecord(LogRecord.toObject(LogRecord.decode(bytes), { longs: String }))
  } catch {
    return failed('record-bytes', 'a log record is not readable protobuf')
  }
}
