import { isFields } from '../../otlp/read-value.ts'
import type { TraceFormat } from './format.ts'
import { readRow, rowIds } from './rows.ts'

/** What `ReadableSpan.to_json()` of the OpenTelemetry Python SDK prints, and with it the SDK's console exporter. */
export const pythonSdk: TraceFormat = {
  name: 'OpenTelemetry Python spans (to_json)',

  claims(fields) {
    const { kind, context } = fields
    return typeof kind === 'string' && kind.startsWith('SpanKind.') && isFields(context) && rowIds.span(fields) !== undefined
  },

  read: (fields) => readRow(fields),
}
