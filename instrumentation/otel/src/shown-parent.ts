import { meaningAtStart } from './gate/gate-site.ts'
import { type LiveSpan, parentSpanId } from './live-span.ts'

/**
 * The id of the nearest drawn span around this one, as far as `known` holds the spans between; undefined for a root. A root that is not
 * drawn has nobody to give its children to, so it counts as drawn.
 */
export function shownParent(span: LiveSpan, known: Iterable<LiveSpan>): string | undefined {
  const parentId = parentSpanId(span)
  if (parentId === undefined) return undefined
  const byId = new Map([...known].map((one) => [one.spanContext().spanId, one]))
  const seen = new Set<string>()
  let id = parentId
  while (!seen.has(id)) {
    seen.add(id)
    const parent = byId.get(id)
    const around = parent === undefined || meaningAtStart(parent).role === 'node' ? undefined : parentSpanId(parent)
    if (around === undefined) return id
    id = around
  }
  return parentId
}
