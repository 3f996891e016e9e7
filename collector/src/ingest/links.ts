import type { RunState, SpanRecord } from './run-state.ts'

/** Files a span under its parent, cuts the circle it may close, and keeps the set of roots. Call once per new parent link. */
export function link(state: RunState, record: SpanRecord): void {
  const { parent, remote } = record.facts
  record.cut = false
  if (parent !== undefined) {
    const siblings = state.children.get(parent)
    if (siblings === undefined) state.children.set(parent, [record.id])
    else siblings.push(record.id)
    record.cut = closesCircle(state, record)
  }
  if (parent === undefined || (remote === true && !state.spans.has(parent))) state.roots.add(record.id)
  for (const childId of state.children.get(record.id) ?? []) state.roots.delete(childId)
}

/** Takes a span out from under its parent, before a correction moves it. */
export function unlink(state: RunState, record: SpanRecord): void {
  const { parent } = record.facts
  state.roots.delete(record.id)
  if (parent === undefined) return
  const siblings = state.children.get(parent)
  if (siblings === undefined) return
  const rest = siblings.filter((id) => id !== record.id)
  if (rest.length === 0) state.children.delete(parent)
  else state.children.set(parent, rest)
}

/** The parent's span id, unless there is none or following it would go round in a circle. */
export function parentIdOf(record: SpanRecord): string | undefined {
  return record.cut ? undefined : record.facts.parent
}

function closesCircle(state: RunState, record: SpanRecord): boolean {
  if (record.facts.parent === record.id) return true
  // Only a span that something names as parent can close a circle; so growing downwards costs nothing.
  if (!state.children.has(record.id)) return false
  const seen = new Set<string>()
  for (let id = record.facts.parent; id !== undefined && !seen.has(id); ) {
    if (id === record.id) return true
    seen.add(id)
    const above = state.spans.get(id)
    id = above === undefined ? undefined : parentIdOf(above)
  }
  return false
}
