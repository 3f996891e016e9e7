import { decodeLogGroups } from '../../otlp/decode-logs.ts'
import { pick } from '../../otlp/read-value.ts'
import { ok } from '../../problem.ts'
import type { TraceFormat } from './format.ts'

const IGNORED = ['resourceMetrics', 'resource_metrics', 'resourceProfiles', 'resource_profiles']

/** The other signals, which the collector's file exporter mixes with traces. Logs hold what some instrumentations keep out of spans. */
export const otherSignals: TraceFormat = {
  name: 'OTLP metrics and logs',

  claims: (fields) => logGroups(fields) !== undefined || IGNORED.some((key) => fields[key] !== undefined),

  read(fields) {
    const groups = logGroups(fields)
    return ok(groups === undefined ? { kind: 'nothing' } : { kind: 'logs', logs: decodeLogGroups(groups).logs })
  },
}

function logGroups(fields: { readonly [key: string]: unknown }): readonly unknown[] | undefined {
  const groups = pick(fields, 'resourceLogs', 'resource_logs')
  return Array.isArray(groups) ? groups : undefined
}
