import { spanKindOf } from '../values/span.ts'
import type { TraceFormat } from './format.ts'
import { first, readRow, rowIds } from './rows.ts'

/** Rows of Phoenix and other OpenInference stores: one span each, with attributes flat, nested or as `attributes.…` columns. */
export const phoenix: TraceFormat = {
  name: 'Phoenix / OpenInference span rows',

  claims(fields) {
    const hasTime = first(fields, 'start_time', 'startTime', 'start_time_unix_nano', 'startTimeUnixNano') !== undefined
    return hasTime && rowIds.span(fields) !== undefined && rowIds.trace(fields) !== undefined
  },

  read(fields) {
    const kind = [fields['span_kind'], fields['spanKind'], fields['kind']].find(isMeaning)
    return readRow(fields, kind === undefined ? [] : [{ key: 'openinference.span.kind', value: { stringValue: kind.toUpperCase() } }])
  },
}

// The same column may hold OpenTelemetry's kind (INTERNAL, SERVER …), which says nothing about agents.
function isMeaning(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && spanKindOf(value) === undefined
}
