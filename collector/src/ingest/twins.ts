import type { RunState, SpanRecord } from './run-state.ts'
import { endOf, type SpanFacts } from './span-facts.ts'
import { below, isShown, outermost, placeOf, twinsOf } from './tree.ts'

// Instrumentations stamp one call with clocks of different fineness.
const CLOCK_TOLERANCE_NANOS = 2_000_000n

/**
 * Joins spans that describe the same call: directly nested, of one twin class, both ended, agreeing in what both say. Returns true when
 * the span got a twin. The member stored first keeps its instance id.
 */
export function joinTwins(state: RunState, record: SpanRecord): boolean {
  if (record.facts.twinClass === undefined || !record.facts.final) return false
  let joined = false
  if (record.outer === undefined) {
    const place = placeOf(state, record)
    if (place !== undefined && 'record' in place) joined = tryJoin(state, innermost(state, place.record), record)
  }
  if (record.inner === undefined) {
    for (const inner of candidates(state, record)) if (tryJoin(state, record, inner)) return true
  }
  return joined
}

function tryJoin(state: RunState, outer: SpanRecord, inner: SpanRecord): boolean {
  if (outer.inner !== undefined || inner.outer !== undefined || outer.id === inner.id) return false
  const evidence = agreement(outer.facts, inner.facts)
  if (evidence === 'no' || (evidence === 'weak' && candidates(state, outer).length > 1)) return false
  outer.inner = inner.id
  inner.outer = outer.id
  const group = twinsOf(state, outer)
  const keeper = group.reduce((first, member) => (member.ordinal < first.ordinal ? member : first))
  for (const member of group) member.keeper = keeper.id
  return true
}

function innermost(state: RunState, record: SpanRecord): SpanRecord {
  return twinsOf(state, record).at(-1) ?? record
}

/** Shown spans directly below of the same twin class. */
function candidates(state: RunState, outer: SpanRecord): readonly SpanRecord[] {
  return below(state, outer)
    .filter((child) => isShown(state, child) && child.facts.twinClass === outer.facts.twinClass && outermost(state, child).id === child.id)
    .sort((one, other) =>
      one.facts.startNanos === other.facts.startNanos
        ? one.id < other.id
          ? -1
          : 1
        : one.facts.startNanos < other.facts.startNanos
          ? -1
          : 1,
    )
}

/** `strong` when both name the same response or the same tokens, `weak` when nothing contradicts. */
function agreement(outer: SpanFacts, inner: SpanFacts): 'strong' | 'weak' | 'no' {
  if (outer.twinClass === undefined || outer.twinClass !== inner.twinClass || outer.kind !== inner.kind) return 'no'
  if (!outer.final || !inner.final) return 'no'
  // A wrapper may see the end of a stream before the call inside it does, so sure signs need only an overlap.
  if (outer.responseId !== undefined && inner.responseId !== undefined) {
    return outer.responseId === inner.responseId && overlaps(outer, inner) ? 'strong' : 'no'
  }
  if (outer.tokens !== undefined && inner.tokens !== undefined) {
    const same = outer.tokens[0] === inner.tokens[0] && outer.tokens[1] === inner.tokens[1]
    return same && overlaps(outer, inner) ? 'strong' : 'no'
  }
  const [one, other] = [outer.model, inner.model]
  const fits = one === undefined || other === undefined || one.startsWith(other) || other.startsWith(one)
  return fits && contains(outer, inner) ? 'weak' : 'no'
}

function overlaps(outer: SpanFacts, inner: SpanFacts): boolean {
  return twoClocks(outer, inner) || (inner.startNanos <= endOf(outer) && outer.startNanos <= endOf(inner))
}

function contains(outer: SpanFacts, inner: SpanFacts): boolean {
  if (twoClocks(outer, inner)) return true
  return inner.startNanos + CLOCK_TOLERANCE_NANOS >= outer.startNanos && endOf(inner) <= endOf(outer) + CLOCK_TOLERANCE_NANOS
}

/** Two processes have two clocks: their times say nothing about each other. */
function twoClocks(outer: SpanFacts, inner: SpanFacts): boolean {
  return outer.app !== inner.app
}
