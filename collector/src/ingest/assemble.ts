import { type DerivedNode, logKeysOf, type MappedSpan } from '@graphmind-ai/mappings'
import type { DecodedSpan } from '../otlp/decode.ts'
import { factsOfDerived, innerAgentId, innerAgentOf } from './derived.ts'
import { emitHints, noteHints } from './hints.ts'
import { link, unlink } from './links.ts'
import { emitVagueErrors, refreshContent, refreshPlace } from './node-events.ts'
import type { SpanEvent } from './outbox.ts'
import { type Relations, relate } from './relations.ts'
import { emitRunFinished, emitRunStarted, hasEnded, noteRunFacts, noteSaidFrom } from './run-events.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { factsOf, mergeCopies, type SpanFacts } from './span-facts.ts'
import { below, isShown, placeOf } from './tree.ts'
import { byStart, regroup } from './twins.ts'

export interface Arrival {
  readonly span: DecodedSpan
  readonly mapped: MappedSpan
  /** Of the raw span. */
  readonly hash: string
  readonly nowNanos: bigint
  /** A copy that is stored already and means more now, as log records came for it. */
  readonly renewed?: boolean
}

/** What a copy of a span led to. `facts` and `ordinal` are stored with it; the events follow in order. */
export interface Assembled {
  readonly facts: SpanFacts
  readonly ordinal: number
  readonly events: readonly SpanEvent[]
}

/**
 * Takes in one copy of a span and tells which events it leads to: the difference between what the run's events have said so far and what
 * they should say now. So any order of arrival ends in the same picture. Undefined for a copy that says nothing new, which is then not
 * stored either. What is said of the run itself waits for `concludeRun`. Deterministic, without I/O but `source`, which must know the arriving copy. Changes `state` in place (see RunState).
 */
export function assemble(state: RunState, arrival: Arrival, source: ContentSource): Assembled | undefined {
  const { span, mapped } = arrival
  const facts = factsOf(span, mapped, arrival.hash, arrival.nowNanos)
  const { spanId } = span.view
  const assembled = take(state, spanId, facts, mapped, source, arrival.renewed === true)
  const inner = assembled === undefined ? undefined : innerAgentOf(spanId, state.spans.get(spanId)?.facts ?? facts)
  if (assembled === undefined || inner === undefined) return assembled
  return { ...assembled, events: [...assembled.events, ...assembleDerived(state, inner, facts.app, source)] }
}

/** Takes in what is known of a node without a span; its content must be in `state.derived`, where `source` finds it. */
export function assembleDerived(state: RunState, node: DerivedNode, app: string | undefined, source: ContentSource): readonly SpanEvent[] {
  state.derived.set(node.id, node.mapped)
  const facts = factsOfDerived(node, app)
  // Taken up again from the store, it may be known without having been said.
  const said = state.spans.get(node.id)?.emitted.said
  const isSaid = facts.final ? said?.['status'] !== undefined : said !== undefined
  return take(state, node.id, facts, node.mapped, source, !isSaid)?.events ?? []
}

function take(
  state: RunState,
  id: string,
  facts: SpanFacts,
  mapped: MappedSpan,
  source: ContentSource,
  renewed: boolean,
): Assembled | undefined {
  const known = state.spans.get(id)
  const same = facts.ours ? known?.ours : known?.other
  if (same !== undefined && !renewed && (same.hash === facts.hash || (same.final && !facts.final))) return undefined
  state.settled = false
  state.arrived.add(id)
  const before = known?.facts
  const record = known === undefined ? addRecord(state, id, facts) : updateRecord(state, known, facts)
  noteRunFacts(state, record)
  noteHints(state, record, mapped)
  const touched = placeSpan(state, record, before)
  state.moved.add(id)
  for (const other of touched) state.moved.add(other.record.id)
  const events: SpanEvent[] = []
  if (state.runStarted === undefined) emitRunStarted(state, events)
  // A twin that stands for itself again says so before those below it name their place: until then its id still leads to its old twin.
  for (const other of touched) if (other.regrouped) refreshContent(state, other.record, source, events)
  refreshContent(state, record, source, events)
  for (const other of touched) if (!other.regrouped) refreshPlace(state, other.record, source, events)
  emitHints(state, new Set([record.id, ...touched.map((other) => other.record.id)]), events)
  for (const { type, ts } of events) if (type === 'node.started') noteSaidFrom(state, ts)
  return { facts, ordinal: record.ordinal, events }
}

/** What is to say of the run itself after some spans came: once for a batch, so that the run ends after what ended in it. */
export function concludeRun(state: RunState, source: ContentSource): readonly SpanEvent[] {
  const events: SpanEvent[] = []
  if (state.spans.size === 0) return events
  emitRelations(state, relate(state, source), source, events)
  emitRunStarted(state, events)
  // Nobody will find words for these any more.
  if (hasEnded(state)) emitVagueErrors(state, source, events)
  emitRunFinished(state, events)
  return events
}

function emitRelations(state: RunState, { richer, promoted, derived, retired }: Relations, source: ContentSource, out: SpanEvent[]): void {
  for (const record of promoted) {
    refreshContent(state, record, source, out)
    const inside = below(state, record)
    for (const child of inside) refreshPlace(state, child, source, out)
    emitHints(state, new Set(inside.map(({ id }) => id)), out)
  }
  for (const record of richer) if (!promoted.has(record)) refreshContent(state, record, source, out)
  for (const node of derived) out.push(...assembleDerived(state, node, undefined, source))
  for (const [id, span] of retired) retire(state, id, span, source, out)
  for (const { type, ts } of out) if (type === 'node.started') noteSaidFrom(state, ts)
}

/** Takes a span out of the picture that turned out to belong to another run: what is below it goes to its parent. */
export function withdrawSpan(state: RunState, id: string, source: ContentSource): readonly SpanEvent[] {
  const record = state.spans.get(id)
  const copies = [record?.ours, record?.other].filter((facts) => facts !== undefined)
  return copies.flatMap(({ twinClass: _twins, ...facts }) => {
    const mapped: MappedSpan = { dialect: 'joins', role: 'plumbing', name: facts.name }
    return take(state, id, { ...facts, role: 'plumbing', hash: '' }, mapped, source, true)?.events ?? []
  })
}

/** A span came for what was derived: the derived instance becomes another name of it. */
function retire(state: RunState, id: string, span: SpanRecord, source: ContentSource, out: SpanEvent[]): void {
  const record = state.spans.get(id)
  if (record === undefined) return
  updateRecord(state, record, { ...record.facts, role: 'plumbing', parent: span.id, hash: '' })
  placeSpan(state, record, undefined)
  refreshPlace(state, record, source, out)
}

export function addRecord(state: RunState, id: string, facts: SpanFacts): SpanRecord {
  const record: SpanRecord = {
    id,
    ordinal: state.spans.size,
    ...(facts.ours ? { ours: facts } : { other: facts }),
    facts,
    cut: false,
    keeper: id,
    emitted: { sent: {} },
  }
  state.spans.set(id, record)
  if (!facts.final) state.openCount += 1
  link(state, record)
  noteSubjects(state, record)
  return record
}

function noteSubjects(state: RunState, { id, facts }: SpanRecord): void {
  for (const subject of logKeysOf(id, facts.responseId, facts.toolCallId)) {
    const known = state.subjects.get(subject)
    if (known?.includes(id) !== true) state.subjects.set(subject, known === undefined ? [id] : [...known, id])
  }
}

export function updateRecord(state: RunState, record: SpanRecord, facts: SpanFacts): SpanRecord {
  if (facts.ours) record.ours = facts
  else record.other = facts
  const before = record.facts
  const merged = mergeCopies(record.ours, record.other)
  const moved = merged.parent !== before.parent || merged.remote !== before.remote
  if (moved) unlink(state, record)
  record.facts = record.promoted === true ? { ...merged, kind: before.kind, nodeId: `agent:${merged.name}` } : merged
  if (moved) link(state, record)
  noteSubjects(state, record)
  if (before.final !== merged.final) state.openCount += merged.final ? -1 : 1
  return record
}

interface Touched {
  readonly record: SpanRecord
  /** Its twins changed, so its content changes too. */
  readonly regrouped: boolean
}

/** Finds the twins of a span that came or changed (from `before`), and the other spans whose place or content may have changed with it. */
export function placeSpan(state: RunState, record: SpanRecord, before?: SpanFacts): readonly Touched[] {
  const changed = new Set<SpanRecord>()
  regroup(state, record, changed)
  const moved = before === undefined || !samePosition(before, record.facts)
  const shown = isShown(state, record)
  const around = new Set<SpanRecord>()
  // Hidden and not under anything shown yet: those below already point here, and the alias says on.
  const isPlaced = shown || hasKnownPlace(state, record)
  // But which calls stand side by side may change all the same; without any, a long chain of hidden spans costs nothing.
  const children = moved && (isPlaced || state.calls.size > 0) ? below(state, record) : []
  if (isPlaced) for (const child of children) around.add(child)
  if (!shown) for (const child of children) if (isShown(state, child)) regroup(state, child, changed)
  for (const twin of changed) for (const child of below(state, twin)) around.add(child)
  const call = record.facts.derived === true && record.facts.parent !== undefined ? state.spans.get(record.facts.parent) : undefined
  if (before === undefined && call !== undefined && record.id === innerAgentId(call.id))
    for (const child of below(state, call)) around.add(child)
  for (const twin of changed) around.add(twin)
  around.delete(record)
  return [...around]
    .map((other) => ({ record: other, regrouped: changed.has(other) }))
    .sort(({ record: one }, { record: other }) => byStart(one, other))
}

function samePosition(before: SpanFacts, after: SpanFacts): boolean {
  return before.role === after.role && before.nodeId === after.nodeId && before.parent === after.parent && before.remote === after.remote
}

function hasKnownPlace(state: RunState, record: SpanRecord): boolean {
  if (!state.children.has(record.id)) return false
  const place = placeOf(state, record)
  return place !== undefined && 'record' in place
}
