import type { Attributes, AttributeValue } from '../span-view.ts'

/** The one read-only view of a log record. Ids are lower-case hex. */
export interface LogView {
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  /** The record's event name; empty for a plain log line. */
  readonly name: string
  /** Nanoseconds since 1970. */
  readonly timeNanos: bigint
  readonly body: AttributeValue | undefined
  readonly attributes: Attributes
  readonly scope: { readonly name: string; readonly version: string | undefined }
  readonly resource: Attributes
}
