import { readBareLines, readLinePage } from './line-page.ts'
import { readBareSheet, readSheetPage } from './read-sheet.ts'
import { type BareRow, type EventRow, LINES, type StoredPage } from './stored-page.ts'

/** The page's events as they were, to the letter. */
export function readEventPage(page: StoredPage): readonly EventRow[] {
  return page.form === LINES ? readLinePage(page) : readSheetPage(page)
}

/** The page's events without what went through the calls, which is not inflated. */
export function readBarePage(page: Omit<StoredPage, 'contents'>): readonly BareRow[] {
  return page.form === LINES ? readBareLines(page) : readBareSheet(page)
}
