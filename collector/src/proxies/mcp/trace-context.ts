import { isFields } from '../json-fields.ts'

/** Where in the caller's trace a call belongs. */
export interface TraceContext {
  readonly traceId: string
  readonly parentSpanId: string
}

// W3C Trace Context: version, trace id, parent id, flags. Later versions may append fields; version ff is none.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/

/** The trace context that a caller put into the `_meta` of its params; undefined when there is none, or none that can be read. */
export function traceContextOf(params: unknown): TraceContext | undefined {
  const meta = isFields(params) ? params['_meta'] : undefined
  const traceparent = isFields(meta) ? meta['traceparent'] : undefined
  if (typeof traceparent !== 'string') return undefined
  const [, traceId, parentSpanId] = TRACEPARENT.exec(traceparent.trim().toLowerCase()) ?? []
  return traceId === undefined || parentSpanId === undefined ? undefined : { traceId, parentSpanId }
}
