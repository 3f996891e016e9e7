import { readBareLines, readLinePage } from './line-page.ts'
import { readBareSheet, readSheetPage } from './read-sheet.ts'
import { type BareRow, type EventRow, LINES, SHEET, type StoredPage, type WantedEvents, WHOLE_SHEET } from './stored-page.ts'

/** The page's events as they were, to the letter. */
export function readEventPage(page: StoredPage): readonly EventRow[] {
  return page.form === LINES ? readLinePage(page) : readSheetPage(page)
}

/** Those of the page's events that are wanted; of most pages of a long run that is none, which is found without reading their events. */
export function readWanted(page: StoredPage, wanted: WantedEvents): readonly EventRow[] {
  const { instances, types } = wanted
  const rows = page.form === SHEET || page.form === WHOLE_SHEET ? readSheetPage(page, wanted) : readEventPage(page)
  return rows.filter(({ type, instance_id }) => types.has(type) || (instance_id !== null && instances.has(instance_id)))
}

/** The page's events without what went through the calls, which is not inflated. */
export function readBarePage(page: Omit<StoredPage, 'contents'>): readonly BareRow[] {
  return page.form === LINES ? readBareLines(page) : readBareSheet(page)
}
