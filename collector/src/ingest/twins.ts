import type { RunState, SpanRecord } from './run-state.ts'
import { endOf, type SpanFacts } from './span-facts.ts'
import { isShown, recordOf, shownAbove, shownBelow, twinsOf } from './tree.ts'

// Instrumentations stamp one call with clocks of different fineness.
const CLOCK_TOLERANCE_NANOS = 2_000_000n

/**
 * Spans that describe one call are twins: a wrapper and the call in it, or two instrumentations side by side. Decides anew which twins
 * this span has now and adds every span whose twins changed to `changed`. What is decided depends only on the spans that are known, not on
 * their order; so a pair that was made at the start comes apart when the end contradicts. The member stored first keeps its instance id.
 */
export function regroup(state: RunState, record: SpanRecord, changed: Set<SpanRecord>): void {
  noteCall(state, record)
  if (record.facts.twinClass === undefined && record.outer === undefined && record.inner === undefined) return
  const above = shownAbove(state, record)
  const outers = new Set<SpanRecord>([record])
  if (above !== undefined && 'record' in above) outers.add(above.record)
  const outer = record.outer === undefined ? undefined : state.spans.get(record.outer)
  if (outer !== undefined) outers.add(outer)
  addLike(state, record, outers)
  // A choice that changes sets a call free or takes it: those like it choose anew. A set is walked to what is added on the way.
  for (const candidate of outers) {
    const { freed, parted } = settle(state, candidate, changed)
    for (const outer of parted) outers.add(outer)
    for (const call of freed) addLike(state, call, outers)
  }
}

/** Whoever may pair with the call, and whoever competes with them for it. */
function addLike(state: RunState, record: SpanRecord, outers: Set<SpanRecord>): void {
  for (const call of callsLike(state, record)) {
    outers.add(call)
    for (const rival of callsLike(state, call)) outers.add(rival)
  }
}

/** What a choice has changed: calls whose standing is another now, and spans that lost an inner twin they no longer had a claim to. */
interface Settled {
  readonly freed: readonly SpanRecord[]
  readonly parted: readonly SpanRecord[]
}

const NOTHING: Settled = { freed: [], parted: [] }

/** Pairs a span with its inner twin, if it has one. */
function settle(state: RunState, outer: SpanRecord, changed: Set<SpanRecord>): Settled {
  const chosen = innerOf(state, outer)
  if (chosen?.id === outer.inner) return NOTHING
  const left = outer.inner === undefined ? undefined : state.spans.get(outer.inner)
  if (left !== undefined) part(state, outer, changed)
  if (chosen === undefined) return left === undefined ? NOTHING : { freed: [left], parted: [] }
  const holder = chosen.outer === undefined ? undefined : state.spans.get(chosen.outer)
  if (holder !== undefined) part(state, holder, changed)
  // Twins on the way from the chosen one to this one were paired before something moved: the link back would close a circle.
  const parted = wayIn(state, chosen, outer).filter((twin) => innerOf(state, twin)?.id !== twin.inner)
  const freed = parted.flatMap((twin) => (twin.inner === undefined ? [] : recordOf(state, twin.inner)))
  for (const twin of parted) part(state, twin, changed)
  outer.inner = chosen.id
  chosen.outer = outer.id
  keep(state, outer, changed)
  return { freed: left === undefined ? [...freed, chosen] : [...freed, left, chosen], parted }
}

/** The twins from one that is further out in to another, which itself is not among them; none when that is not further in. */
function wayIn(state: RunState, from: SpanRecord, to: SpanRecord): readonly SpanRecord[] {
  const way: SpanRecord[] = []
  for (let at = to; at.outer !== undefined; ) {
    at = recordOf(state, at.outer)
    way.push(at)
    if (at === from) return way
  }
  return []
}

function part(state: RunState, outer: SpanRecord, changed: Set<SpanRecord>): void {
  const inner = outer.inner === undefined ? undefined : state.spans.get(outer.inner)
  delete outer.inner
  keep(state, outer, changed)
  if (inner === undefined) return
  delete inner.outer
  keep(state, inner, changed)
}

function keep(state: RunState, member: SpanRecord, changed: Set<SpanRecord>): void {
  const group = twinsOf(state, member)
  const keeper = group.reduce((first, other) => (other.ordinal < first.ordinal ? other : first))
  for (const twin of group) {
    twin.keeper = keeper.id
    changed.add(twin)
  }
}

/** The one span that describes the same call from further inside, else from beside. */
function innerOf(state: RunState, outer: SpanRecord): SpanRecord | undefined {
  if (outer.facts.twinClass === undefined || !isShown(state, outer)) return undefined
  const nested = nestedLike(state, outer)
  return nested.length > 0 ? nestedInner(outer, nested) : besideInner(state, outer)
}

function nestedLike(state: RunState, outer: SpanRecord): readonly SpanRecord[] {
  return shownBelow(state, outer).filter((child) => child.facts.twinClass === outer.facts.twinClass)
}

/** Sure signs first, else the only candidate that nothing speaks against. */
function nestedInner(outer: SpanRecord, nested: readonly SpanRecord[]): SpanRecord | undefined {
  const sure = nested.filter((inner) => agreement(outer.facts, inner.facts) === 'strong').sort(byStart)[0]
  if (sure !== undefined) return sure
  const [only] = nested
  return only !== undefined && nested.length === 1 && agreement(outer.facts, only.facts) === 'weak' ? only : undefined
}

/** Only where nobody else has a claim: neither a second call beside it, nor a second one that it could stand beside, nor a wrapper. */
function besideInner(state: RunState, outer: SpanRecord): SpanRecord | undefined {
  const [inner, second] = callsLike(state, outer).filter((call) => isBeside(state, outer, call))
  if (inner === undefined || second !== undefined) return undefined
  if (callsLike(state, inner).some((rival) => rival !== outer && isBeside(state, rival, inner))) return undefined
  const above = shownAbove(state, inner)
  const isTaken = above !== undefined && 'record' in above && nestedInner(above.record, nestedLike(state, above.record)) === inner
  return isTaken ? undefined : inner
}

/** `strong` when both name the same response or the same tokens, `weak` when nothing contradicts so far. */
function agreement(outer: SpanFacts, inner: SpanFacts): 'strong' | 'weak' | 'no' {
  if (outer.twinClass !== inner.twinClass || outer.kind !== inner.kind) return 'no'
  // A wrapper may see the end of a stream before the call inside it does, so sure signs need no containment.
  if (outer.responseId !== undefined && inner.responseId !== undefined) return outer.responseId === inner.responseId ? 'strong' : 'no'
  if (outer.tokens !== undefined && inner.tokens !== undefined) {
    return sameTokens(outer, inner) && overlaps(outer, inner) ? 'strong' : 'no'
  }
  // A wrapper that has ended speaks for itself; whether the call in it is the same is known once that has ended, too.
  if (outer.final && !inner.final) return 'no'
  return modelsFit(outer, inner) && contains(outer, inner) ? 'weak' : 'no'
}

/** Another instrumentation's span of the same call under the same parent: the callback kind sets no context for the one below it. */
function isBeside(state: RunState, outer: SpanRecord, inner: SpanRecord): boolean {
  const [one, other] = [outer.facts, inner.facts]
  if (!one.final || !other.final || one.scope === other.scope || one.kind !== other.kind || !isShown(state, inner)) return false
  if (one.responseId !== undefined && other.responseId !== undefined && one.responseId !== other.responseId) return false
  if (one.tokens !== undefined && other.tokens !== undefined && !sameTokens(one, other)) return false
  return modelsFit(one, other) && contains(one, other) && isOuter(outer, inner) && sameParent(state, outer, inner)
}

function sameParent(state: RunState, one: SpanRecord, other: SpanRecord): boolean {
  const [first, second] = [shownAbove(state, one), shownAbove(state, other)]
  if (first === undefined || second === undefined) return first === second
  if ('record' in first && 'record' in second) return first.record.id === second.record.id
  return 'unknownId' in first && 'unknownId' in second && first.unknownId === second.unknownId
}

/**
 * The longer one, the one that started first, the one with the smaller id: an order of all spans, so that no circle of them is outside itself.
 * One that contains another without being contained is the longer one, whatever the clocks' tolerance.
 */
function isOuter(one: SpanRecord, other: SpanRecord): boolean {
  const mine = lengthNanos(one.facts)
  const theirs = lengthNanos(other.facts)
  return mine === theirs ? byStart(one, other) < 0 : mine > theirs
}

function lengthNanos(facts: SpanFacts): bigint {
  return endOf(facts) - facts.startNanos
}

function sameTokens(one: SpanFacts, other: SpanFacts): boolean {
  return one.tokens?.[0] === other.tokens?.[0] && one.tokens?.[1] === other.tokens?.[1]
}

function modelsFit({ model: one }: SpanFacts, { model: other }: SpanFacts): boolean {
  return one === undefined || other === undefined || one.startsWith(other) || other.startsWith(one)
}

function overlaps(outer: SpanFacts, inner: SpanFacts): boolean {
  if (twoClocks(outer, inner) || !outer.final || !inner.final) return true
  return inner.startNanos <= endOf(outer) && outer.startNanos <= endOf(inner)
}

/** As far as both have come. */
function contains(outer: SpanFacts, inner: SpanFacts): boolean {
  if (twoClocks(outer, inner)) return true
  if (inner.startNanos + CLOCK_TOLERANCE_NANOS < outer.startNanos) return false
  if (!outer.final) return true
  return endOf(inner) <= endOf(outer) + CLOCK_TOLERANCE_NANOS
}

/** Two processes have two clocks: their times say nothing about each other. */
function twoClocks(outer: SpanFacts, inner: SpanFacts): boolean {
  return outer.app !== inner.app
}

/** What a finished model call can be found by from the side: the response it names and the tokens it counts. */
const NO_KEYS: readonly string[] = []

function callKeysOf({ twinClass, final, responseId, tokens, scope }: SpanFacts): readonly string[] {
  if (twinClass !== 'llm' || !final || scope === undefined) return NO_KEYS
  const keys = responseId === undefined ? [] : [`id:${responseId}`]
  return tokens === undefined || tokens[0] + tokens[1] === 0 ? keys : [...keys, `tokens:${tokens.join()}`]
}

function noteCall(state: RunState, record: SpanRecord): void {
  record.callKeys = callKeysOf(record.facts)
  for (const key of record.callKeys) {
    const known = state.calls.get(key)
    if (known === undefined) state.calls.set(key, new Set([record.id]))
    else known.add(record.id)
  }
}

/** Finished calls that share a sign with this one. A sign that many calls share is none: models in tests answer all calls alike. */
function callsLike(state: RunState, record: SpanRecord): readonly SpanRecord[] {
  const keys = record.callKeys ?? NO_KEYS
  if (keys.length === 0) return NO_CALLS
  const found = new Set<SpanRecord>()
  for (const key of keys) {
    const ids = state.calls.get(key)
    if (ids === undefined || ids.size > MAX_LIKE) continue
    for (const id of ids) {
      const call = state.spans.get(id)
      if (call !== undefined && id !== record.id && call.callKeys?.includes(key) === true) found.add(call)
    }
  }
  return [...found]
}

const MAX_LIKE = 8
const NO_CALLS: readonly SpanRecord[] = []

/** True when a finished model call from elsewhere is one that the run has a span of already. */
export function describesCallOf(state: RunState, call: SpanFacts): boolean {
  return callKeysOf(call).some((key) =>
    [...(state.calls.get(key) ?? [])].some((id) => {
      const known = state.spans.get(id)
      return known !== undefined && modelsFit(known.facts, call) && contains(known.facts, call)
    }),
  )
}

/** Earlier first; of two that start together the smaller id. */
export function byStart(one: SpanRecord, other: SpanRecord): number {
  if (one.facts.startNanos === other.facts.startNanos) return one.id < other.id ? -1 : 1
  return one.facts.startNanos < other.facts.startNanos ? -1 : 1
}
