import { isAgent } from './gate/gate-site.ts'
import { isLocalRoot, type LiveEvent, type LiveSpan } from './live-span.ts'
import type { ShownSpan } from './redact.ts'

const ABORT: Pick<LiveEvent, 'name' | 'attributes'> = {
  name: 'exception',
  attributes: { 'exception.type': 'AbortError', 'exception.message': 'The run was aborted from the GraphMind debugger.' },
}
/** What OTel JS writes as the type of an AbortError that is a DOMException: its code from the nineties. */
const DOM_ABORT_CODE = '20'

/**
 * How our copy shows a span that ended in a run which was aborted at a gate. AI SDK 7 ends the spans of an aborted call like those of a
 * good one, and others write the error in a form that nobody recognises: so roots and agents say themselves that they were aborted.
 */
export function tellAbort(span: LiveSpan, shown: ShownSpan): ShownSpan {
  const events = shown.events.map((event) =>
    event.attributes?.['exception.type'] === DOM_ABORT_CODE
      ? { ...event, attributes: { ...event.attributes, ...ABORT.attributes } }
      : event,
  )
  const isSilent = span.status.code === 0 && events.every((event) => event.name !== ABORT.name)
  if (!isSilent || !(isLocalRoot(span) || isAgent(span))) return { ...shown, events }
  return { ...shown, events: [...events, { ...ABORT, time: span.endTime }], status: { code: 2, message: 'AbortError' } }
}
