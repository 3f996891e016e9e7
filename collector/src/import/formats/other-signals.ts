import { ok } from '../../problem.ts'
import type { TraceFormat } from './format.ts'

const IGNORED = ['resourceMetrics', 'resource_metrics', 'resourceProfiles', 'resource_profiles']

/** The signals that the collector's file exporter mixes with traces, and that no node needs. */
export const otherSignals: TraceFormat = {
  name: 'OTLP metrics',
  claims: (fields) => IGNORED.some((key) => fields[key] !== undefined),
  read: () => ok({ kind: 'nothing' }),
}
