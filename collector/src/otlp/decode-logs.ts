import { hash } from 'node:crypto'
import type { LogView } from '@graphmind-ai/mappings'
import { ok, type Result } from '../problem.ts'
import type { OtlpFormat } from './decode.ts'
import { readJsonGroups } from './json/read-groups.ts'
import { LOG_NAMES } from './json/signal-names.ts'
import { toLogView } from './log-view.ts'
import type { OtlpLogRecord, OtlpResource, OtlpScope } from './otlp-json.ts'
import { readLogs } from './protobuf/read-logs.ts'
import { readLogRecord } from './read-log.ts'
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
  const request = format === 'json' ? readJsonGroups(bytes, LOG_NAMES, readLogRecord) : readLogs(bytes)
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
