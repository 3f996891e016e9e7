import { hash } from 'node:crypto'
import type { LogView } from '@graphmind-ai/mappings'
import { failed, ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { toLogView } from './log-view.ts'
import type { OtlpLogRecord, OtlpResource, OtlpScope } from './otlp-json.ts'
import { readLogs } from './protobuf/read-logs.ts'
import { readJson } from './read-json.ts'
import { readLogRecord } from './read-log.ts'
import { readResource, readScope } from './read-span.ts'
import { type Fields, isFields, pick } from './read-value.ts'
import type { ResourceGroup } from './resource-group.ts'
import { viewContext } from './span-view.ts'
import { Rejections } from './trace-part.ts'

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
  const request = format === 'json' ? readJsonLogs(bytes) : readLogs(bytes)
  return request.ok ? ok(decodeLogGroups(request.value)) : request
}

function decodeLogGroups(groups: readonly ResourceGroup<OtlpLogRecord>[]): DecodedLogs {
  const logs: DecodedLog[] = []
  const rejected = new Rejections()
  for (const { resource, scopes } of groups) {
    for (const { scope, items } of scopes) {
      for (const read of items) {
        if (read.ok) logs.push(decodedLog({ resource, scope, record: read.value }))
        else rejected.add(read.problem.message)
      }
    }
  }
  return { logs, rejectedCount: rejected.count, reasons: rejected.reasons }
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

function readJsonLogs(bytes: Uint8Array): Result<readonly ResourceGroup<OtlpLogRecord>[]> {
  const json = readJson(new TextDecoder().decode(bytes))
  if (!json.ok) return json
  if (!isFields(json.value))
    return failed('shape', 'The body is JSON, but not an OTLP logs request: an object with resourceLogs is expected.')
  const groups = pick(json.value, 'resourceLogs', 'resource_logs')
  if (groups === undefined || groups === null) return ok([])
  return Array.isArray(groups)
    ? ok(groups.filter(isFields).map(resourceGroup))
    : failed('shape', 'resourceLogs is not a list. Send an OTLP logs request, in which it holds a group for each resource.')
}

function resourceGroup(group: Fields): ResourceGroup<OtlpLogRecord> {
  return {
    resource: readResource(group['resource'], pick(group, 'schemaUrl', 'schema_url')),
    scopes: listIn(group, 'scopeLogs', 'scope_logs')
      .filter(isFields)
      .map((scopeGroup) => ({
        scope: readScope(scopeGroup['scope'], pick(scopeGroup, 'schemaUrl', 'schema_url')),
        items: listIn(scopeGroup, 'logRecords', 'log_records').map(readLogRecord),
      })),
  }
}

function listIn(fields: Fields, camel: string, snake: string): readonly unknown[] {
  const list = pick(fields, camel, snake)
  return Array.isArray(list) ? list : []
}
