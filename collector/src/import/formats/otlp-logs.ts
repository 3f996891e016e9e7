import { decodedLog } from '../../otlp/decode-logs.ts'
import { LOG_NAMES } from '../../otlp/json/signal-names.ts'
import { readLogRecord } from '../../otlp/read-log.ts'
import { ok } from '../../problem.ts'
import type { TraceFormat } from './format.ts'
import { OtlpGroups } from './otlp-groups.ts'

const groups = new OtlpGroups(LOG_NAMES)

/** Log records of OTLP/JSON, also beside spans: they hold what some instrumentations keep out of spans. */
export const otlpLogs: TraceFormat = {
  name: 'OTLP/JSON log records',

  claims: (_fields, leaf) => groups.holds(leaf),

  waitsFor: (leaf, patient) => groups.waitsFor(leaf, patient),

  read(fields, leaf) {
    const record = readLogRecord(fields)
    return record.ok ? ok({ kind: 'log', log: decodedLog({ ...groups.partsOf(fields, leaf), record: record.value }) }) : record
  },
}
