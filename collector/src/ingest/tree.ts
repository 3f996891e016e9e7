import { innerAgentId } from './derived.ts'
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

/** The nearest shown span above this one, twins or not. */
export function shownAbove(state: RunState, record: SpanRecord): Place {
  let at = record
  for (;;) {
    const parentId = parentIdOf(at)
    if (parentId === undefined) return undefined
    const parent = state.spans.get(parentId)
    if (parent === undefined) return { unknownId: parentId }
    if (isShown(state, parent)) return { record: parent }
    at = parent
  }
}

/**
 * Where a span hangs: the instance that stands for its nearest shown ancestor. A tool never hangs at a model call: that only asked for
 * it, and whoever made the call runs it. Circles are cut, so the walk ends.
 */
export function placeOf(state: RunState, record: SpanRecord): Place {
  let at = outermost(state, record)
  const isTool = at.facts.kind === 'tool'
  for (;;) {
    const above = shownAbove(state, at)
    if (above === undefined || !('record' in above)) return above
    const host = outermost(state, above.record)
    if (isTool && host.facts.kind === 'llm') {
      at = host
      continue
    }
    const inner = host.facts.innerAgent === undefined ? undefined : state.spans.get(innerAgentId(host.id))
    return { record: recordOf(state, inner === undefined || inner.id === record.id ? above.record.keeper : inner.keeper) }
  }
}

export function placeId(place: Place): string | undefined {
  if (place === undefined) return undefined
  return 'record' in place ? place.record.id : place.unknownId
}

/** Spans whose place may have changed with this one: the shown ones nearest below it, the hidden ones on the way, tools below model calls. */
export function below(state: RunState, record: SpanRecord): SpanRecord[] {
  const found: SpanRecord[] = []
  const waiting = twinsOf(state, record).map((twin) => ({ id: twin.id, toolsOnly: false }))
  const seen = new Set(waiting.map(({ id }) => id))
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const childId of state.children.get(at.id) ?? []) {
      const child = state.spans.get(childId)
      if (child === undefined || seen.has(childId)) continue
      seen.add(childId)
      const shown = isShown(state, child)
      const { kind } = child.facts
      if (!at.toolsOnly || !shown || kind === 'tool') found.push(child)
      if (!shown) waiting.push({ id: childId, toolsOnly: at.toolsOnly })
      else if (kind === 'llm') for (const twin of twinsOf(state, child)) waiting.push({ id: twin.id, toolsOnly: true })
    }
  }
  return found
}

/** The shown spans nearest below exactly this one, without those of its twins. */
export function shownBelow(state: RunState, record: SpanRecord): SpanRecord[] {
  const found: SpanRecord[] = []
  const waiting = [record.id]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const childId of state.children.get(id) ?? []) {
      const child = state.spans.get(childId)
      if (child === undefined || child.cut) continue
      if (isShown(state, child)) found.push(child)
      else waiting.push(childId)
    }
  }
  return found
}

export function recordOf(state: RunState, id: string): SpanRecord {
  const record = state.spans.get(id)
  if (record === undefined) throw new Error(`span ${id} is linked but not known`)
  return record
}
