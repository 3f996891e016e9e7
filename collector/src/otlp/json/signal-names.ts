/** What an export request of one signal calls its lists in JSON, in all spellings. */
export interface SignalNames {
  readonly signal: 'trace' | 'logs'
  /** The list of resources' groups. */
  readonly groups: readonly [string, ...string[]]
  /** The lists of scopes' groups in one of those; names of the same list stand together. */
  readonly scopeGroups: readonly (readonly string[])[]
  /** The list in a scope's group. */
  readonly items: readonly string[]
}

/** Also those of before OTLP 0.15, and Tempo's `batches`. */
export const SPAN_NAMES: SignalNames = {
  signal: 'trace',
  groups: ['resourceSpans', 'resource_spans', 'batches'],
  scopeGroups: [
    ['scopeSpans', 'scope_spans'],
    ['instrumentationLibrarySpans', 'instrumentation_library_spans'],
  ],
  items: ['spans'],
}

/** The same of log records. */
export const LOG_NAMES: SignalNames = {
  signal: 'logs',
  groups: ['resourceLogs', 'resource_logs'],
  scopeGroups: [['scopeLogs', 'scope_logs']],
  items: ['logRecords', 'log_records'],
}
