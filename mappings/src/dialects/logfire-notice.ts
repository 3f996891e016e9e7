import type { Dialect } from '../dialect.ts'
import { textOf } from '../read/attribute.ts'
import { hidden } from '../read/drawn.ts'
import { conventionalGrouping } from '../read/grouping.ts'

const DIALECT = 'logfire-notice'

/** Logfire's log lines and start notices, which travel as spans but are none. The notice of a span in flight: `startNoticeOf`. */
export const logfireNotice: Dialect = {
  name: DIALECT,
  claims: (span) => /^(pending_span|log)$/.test(textOf(span.attributes, 'logfire.span_type') ?? ''),
  map: (span) => hidden(DIALECT, span.name, { run: conventionalGrouping(span.attributes) }),
  metadataKeys: ['logfire.span_type', 'logfire.pending_parent_id', 'logfire.level_num'],
}
