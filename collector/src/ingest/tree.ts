import { parentIdOf } from './links.ts'
import type { RunState, SpanRecord } from './run-state.ts'

/** The nearest shown ancestor: its record, or only its id while it has not arrived. */
export type Place = { readonly record: SpanRecord } | { readonly unknownId: string } | undefined

/** Drawn: nodes, and plumbing that has no parent to give its children to. */
export function isShown(state: RunState, record: SpanRecord): boolean {
  return record.facts.role === 'node' || record.cut || state.roots.has(record.id)
}

/** The outermost of a span's twins; itself when it has none. */
export function outermost(state: RunState, record: SpanRecord): SpanRecord {
  let at = record
  while (at.outer !== undefined) at = recordOf(state, at.outer)
  return at
}

/** A span and its twins, from the outside in. */
export function twinsOf(state: RunState, record: SpanRecord): readonly SpanRecord[] {
  const group = [outermost(state, record)]
  for (let inner = group[0]?.inner; inner !== undefined; ) {
    const member = recordOf(state, inner)
    group.push(member)
    inner = member.inner
  }
  return group
}

/** Where a span hangs: the instance that stands for its nearest shown ancestor. Circles are cut, so the walk ends. */
export function placeOf(state: RunState, record: SpanRecord): Place {
  let at = outermost(state, record)
  for (;;) {
    const parentId = parentIdOf(at)
    if (parentId === undefined) return undefined
    const parent = state.spans.get(parentId)
    if (parent === undefined) return { unknownId: parentId }
    if (isShown(state, parent)) return { record: recordOf(state, parent.keeper) }
    at = parent
  }
}

export function placeId(place: Place): string | undefined {
  if (place === undefined) return undefined
  return 'record' in place ? place.record.id : place.unknownId
}

/** Spans whose place may have changed with this one: the shown ones nearest below it, and the hidden ones on the way. */
export function below(state: RunState, record: SpanRecord): SpanRecord[] {
  const found: SpanRecord[] = []
  const waiting = twinsOf(state, record).map((twin) => twin.id)
  const seen = new Set(waiting)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const childId of state.children.get(id) ?? []) {
      const child = state.spans.get(childId)
      if (child === undefined || seen.has(childId)) continue
      seen.add(childId)
      found.push(child)
      if (!isShown(state, child)) waiting.push(childId)
    }
  }
  return found
}

export function recordOf(state: RunState, id: string): SpanRecord {
  const record = state.spans.get(id)
  if (record === undefined) throw new Error(`span ${id} is linked but not known`)
  return record
}
