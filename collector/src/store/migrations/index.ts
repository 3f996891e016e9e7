import { first } from './0001-first.ts'
import { logs } from './0002-logs.ts'
import { unknownFields } from './0003-unknown-fields.ts'
import { library } from './0004-library.ts'
import { waitingSpans } from './0005-waiting-spans.ts'
import { pages } from './0006-pages.ts'
import { purges } from './0007-purges.ts'
import { search } from './0008-search.ts'
import { searchRows } from './0009-search-rows.ts'
import { stepsAndHolds } from './0010-steps-and-holds.ts'
import { sheets } from './0011-sheets.ts'
import { largeCounts } from './0012-large-counts.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [
  first,
  logs,
  unknownFields,
  library,
  waitingSpans,
  pages,
  purges,
  search,
  searchRows,
  stepsAndHolds,
  sheets,
  largeCounts,
]
