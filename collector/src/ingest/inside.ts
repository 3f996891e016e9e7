import type { RunState, SpanRecord } from './run-state.ts'
import { StartOrder } from './start-order.ts'
import { isShown, placeOf, shownAbove } from './tree.ts'

/** The model calls and tools whose place is one instance. */
export interface Inside {
  readonly steps: StartOrder
  readonly tools: Set<string>
}

/** What is inside the instance that this id stands for; undefined when nothing is. */
export function insideOf(state: RunState, keeperId: string): Inside | undefined {
  return state.inside.get(keeperId)
}

/**
 * Files a model call or a tool anew under the instance that is its place now. Returns the model calls whose predecessor may have changed:
 * itself, and those behind it where it was and where it is.
 */
export function fileInside(state: RunState, record: SpanRecord): readonly SpanRecord[] {
  const before = record.filedUnder
  const place = isFiled(state, record) ? placeOf(state, record) : undefined
  const host = place !== undefined && 'record' in place ? place.record.id : undefined
  const behind = takeOut(state, record)
  if (host === undefined) {
    delete record.filedUnder
    return before === undefined ? [] : behind
  }
  record.filedUnder = host
  const inside = state.inside.get(host) ?? { steps: new StartOrder(), tools: new Set<string>() }
  state.inside.set(host, inside)
  if (record.facts.kind === 'tool') {
    inside.tools.add(record.id)
    return behind
  }
  inside.steps.add(record)
  const next = inside.steps.after(record)
  return [...behind, record, ...(next === undefined ? [] : [next])]
}

function takeOut(state: RunState, record: SpanRecord): SpanRecord[] {
  const inside = record.filedUnder === undefined ? undefined : state.inside.get(record.filedUnder)
  if (inside === undefined) return []
  inside.tools.delete(record.id)
  inside.steps.remove(record)
  const next = inside.steps.after(record)
  return next === undefined ? [] : [next]
}

/** A model call in a model call is the same call seen by another; it is not a step of its own. */
function isFiled(state: RunState, record: SpanRecord): boolean {
  const { kind } = record.facts
  if ((kind !== 'llm' && kind !== 'tool') || !isShown(state, record)) return false
  if (kind === 'tool') return true
  const above = shownAbove(state, record)
  return above === undefined || !('record' in above) || above.record.facts.kind !== 'llm'
}
