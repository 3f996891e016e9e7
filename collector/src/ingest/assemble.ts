import type { MappedSpan } from '@graphmind-ai/mappings'
import type { DecodedSpan } from '../otlp/decode.ts'
import { emitHints, noteHints } from './hints.ts'
import { link, unlink } from './links.ts'
import { refreshContent, refreshPlace } from './node-events.ts'
import type { SpanEvent } from './outbox.ts'
import { emitRunFinished, emitRunStarted, noteRunFacts, noteSaidFrom } from './run-events.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { factsOf, mergeCopies, type SpanFacts } from './span-facts.ts'
import { below, isShown, placeOf } from './tree.ts'
import { joinTwins } from './twins.ts'

export interface Arrival {
  readonly span: DecodedSpan
  readonly mapped: MappedSpan
  /** Of the raw span. */
  readonly hash: string
  readonly nowNanos: bigint
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
 * stored either. Deterministic, without I/O but `source`, which must know the arriving copy. Changes `state` in place (see RunState).
 */
export function assemble(state: RunState, arrival: Arrival, source: ContentSource): Assembled | undefined {
  const { span, mapped } = arrival
  const facts = factsOf(span, mapped, arrival.hash, arrival.nowNanos)
  const known = state.spans.get(span.view.spanId)
  const same = facts.ours ? known?.ours : known?.other
  if (same !== undefined && (same.hash === facts.hash || (same.final && !facts.final))) return undefined
  const before = known?.facts
  const record = known === undefined ? addRecord(state, span.view.spanId, facts) : updateRecord(state, known, facts)
  noteRunFacts(state, record)
  noteHints(state, record, mapped)
  const touched = placeSpan(state, record, before)
  const events: SpanEvent[] = []
  emitRunStarted(state, events)
  refreshContent(state, record, source, events)
  for (const other of touched) {
    if (other.joined) refreshContent(state, other.record, source, events)
    else refreshPlace(state, other.record, source, events)
  }
  emitHints(state, new Set([record.id, ...touched.map((other) => other.record.id)]), events)
  emitRunFinished(state, events)
  for (const { type, ts } of events) if (type === 'node.started') noteSaidFrom(state, ts)
  return { facts, ordinal: record.ordinal, events }
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
  return record
}

export function updateRecord(state: RunState, record: SpanRecord, facts: SpanFacts): SpanRecord {
  if (facts.ours) record.ours = facts
  else record.other = facts
  const before = record.facts
  const merged = mergeCopies(record.ours, record.other)
  const moved = merged.parent !== before.parent || merged.remote !== before.remote
  if (moved) unlink(state, record)
  record.facts = merged
  if (moved) link(state, record)
  if (before.final !== merged.final) state.openCount += merged.final ? -1 : 1
  return record
}

interface Touched {
  readonly record: SpanRecord
  /** It has got a twin, so its content changes too. */
  readonly joined: boolean
}

/** Joins twins around a span that came or changed (from `before`), and finds the other spans whose place may have changed with it. */
export function placeSpan(state: RunState, record: SpanRecord, before?: SpanFacts): readonly Touched[] {
  const shown = isShown(state, record)
  const joined = shown && joinTwins(state, record)
  if (!joined && before !== undefined && samePosition(before, record.facts)) return []
  // Hidden and not under anything shown yet: those below already point here, and the alias says on.
  if (!shown && !hasKnownPlace(state, record)) return []
  return below(state, record).map((child) => ({ record: child, joined: !shown && isShown(state, child) && joinTwins(state, child) }))
}

function samePosition(before: SpanFacts, after: SpanFacts): boolean {
  return before.role === after.role && before.nodeId === after.nodeId && before.parent === after.parent && before.remote === after.remote
}

function hasKnownPlace(state: RunState, record: SpanRecord): boolean {
  if (!state.children.has(record.id)) return false
  const place = placeOf(state, record)
  return place !== undefined && 'record' in place
}
