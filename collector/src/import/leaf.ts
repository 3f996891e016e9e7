import type { Fields } from '../otlp/read-value.ts'

/** An object that is walked through, not built: what is in it is handed on one at a time while the document is still being read. */
export interface Frame {
  /** The key that it, or the list it is in, stands under. */
  readonly name: string | undefined
  /** Its other fields, as far as they have been read. */
  readonly fields: Fields
  readonly parent: Frame | undefined
  /** All its fields are known. */
  readonly closed: boolean
}

/** An object without anything to walk into: most likely a span or log record. */
export type Leaf = Frame

/** Keys whose lists are walked through; everything under other keys is built as a whole. */
export const CONTAINER_KEYS: ReadonlySet<string> = new Set([
  'resourceSpans',
  'resource_spans',
  'batches',
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'instrumentation_library_spans',
  'spans',
  'resourceLogs',
  'resource_logs',
  'scopeLogs',
  'scope_logs',
  'logRecords',
  'log_records',
  'data',
  'trace',
  'traces',
  'result',
  'results',
  'observations',
])

/** What the JSON reader tells, in document order. */
export interface LeafSink {
  leaf(leaf: Leaf, line: number, bytes: number): void
  /** A walked object has ended; what waited for its fields can go on. */
  closed(frame: Frame): void
  /** A value that is no object stands where a span or document should be; `name` is the key of the list it is in. */
  stray(line: number, name: string | undefined): void
  /** A document could not be read to its end. What was read of it before stays. */
  broken(line: number, reason: string): void
  /** A whole document was read. */
  document(): void
}
