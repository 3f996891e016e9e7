import type { EventPagesTable, EventsTable } from '../tables.ts'

export type EventRow = Omit<EventsTable, 'run'>

/** An event without what went through the call. */
export type BareRow = Omit<EventRow, 'origin'>

/** How a page is written. The last three are sheets, which can be sent as they are: to anybody, only whole, or not at all. */
export const LINES = 0
export const SHEET = 1
export const WHOLE_SHEET = 2
export const KEPT_SHEET = 3

/** Events as they are kept together: what they hold beside them, so that who draws a run need not inflate what went through it. */
export type StoredPage = Pick<EventPagesTable, 'form' | 'heads' | 'contents' | 'marks'>

/** Events of some instances, and all of some types. */
export interface WantedEvents {
  readonly instances: ReadonlySet<string>
  readonly types: ReadonlySet<string>
}
