import type { DerivedNode } from '@graphmind-ai/mappings'
import { derivedCall, noteCalls, spanOf } from './calls.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { isShown, outermost, placeOf, shownInside } from './tree.ts'

/** What has to be said anew because of what other spans told. */
export interface Relations {
  /** Spans whose content may have grown. */
  readonly richer: ReadonlySet<SpanRecord>
  /** Chains that turned out to be agents. */
  readonly promoted: ReadonlySet<SpanRecord>
  /** Uses of tools that only the messages know. */
  readonly derived: readonly DerivedNode[]
  /** Derived instances, and the span that came for each after all. */
  readonly retired: ReadonlyMap<string, SpanRecord>
}

/** Relates the spans that came since the last call to the others of their run: calls to their results, agents to their steps. */
export function relate(state: RunState, source: ContentSource): Relations {
  const richer = new Set<SpanRecord>()
  const promoted = new Set<SpanRecord>()
  const stories = new Set<string>()
  const hosts = new Set<SpanRecord>()
  for (const id of state.arrived) {
    const record = state.spans.get(id)
    if (record === undefined || record.facts.derived === true) continue
    const shown = isShown(state, record)
    if (shown) noteStories(state, record, stories)
    const { kind } = outermost(state, record).facts
    // What runs others, and what only lies on the way to it, may have been what their place was waiting for.
    if (shown && kind !== 'llm' && kind !== 'tool') hosts.add(record)
    const place = placeOf(state, record)
    if (place !== undefined && 'record' in place) hosts.add(place.record)
  }
  for (const host of hosts) {
    const { kind, mayBeAgent } = host.facts
    if (mayBeAgent === true && host.promoted !== true && runsTools(state, host)) {
      promote(host)
      promoted.add(host)
    }
    if (kind === 'agent' && hasGaps(host)) richer.add(host)
    if (state.namelessResults) for (const step of stepsIn(state, host)) for (const id of noteCalls(state, step)) stories.add(id)
  }
  state.arrived.clear()
  return { richer, promoted, ...tell(state, stories, source, richer) }
}

function noteStories(state: RunState, record: SpanRecord, changed: Set<string>): void {
  const { kind, toolCallId } = record.facts
  if (kind === 'llm') for (const id of noteCalls(state, record)) changed.add(id)
  if (kind !== 'tool') return
  const isFirst = state.toolSpans.size === 0
  const { name, startNanos } = record.facts
  const named = state.toolSpans.get(name)
  if (named === undefined) state.toolSpans.set(name, new Set([record.id]))
  else named.add(record.id)
  if (toolCallId !== undefined) changed.add(toolCallId)
  // With the first one it is known that tools have spans at all; one without an id may be any that was asked for before.
  for (const [id, { asked }] of state.stories) {
    if (isFirst || (toolCallId === undefined && (state.spans.get(asked.spanId)?.facts.startNanos ?? startNanos) <= startNanos))
      changed.add(id)
  }
}

function tell(
  state: RunState,
  changed: ReadonlySet<string>,
  source: ContentSource,
  richer: Set<SpanRecord>,
): Pick<Relations, 'derived' | 'retired'> {
  const derived: DerivedNode[] = []
  const retired = new Map<string, SpanRecord>()
  for (const id of changed) {
    const story = state.stories.get(id)
    const asked = story === undefined ? undefined : state.spans.get(story.asked.spanId)
    if (story === undefined || asked === undefined) continue
    const told = story.told === undefined ? undefined : state.spans.get(story.told.spanId)
    const span = spanOf(state, id, story, asked, told)
    if (span === undefined) {
      const node = derivedCall(state, id, source)
      if (node === undefined) continue
      story.derivedId = node.id
      derived.push(node)
      continue
    }
    state.storyOf.set(span.id, id)
    if (hasGaps(span) || span.facts.toolCallId === undefined) richer.add(span)
    if (story.derivedId !== undefined) retired.set(story.derivedId, span)
    delete story.derivedId
  }
  return { derived, retired }
}

/** Steps that are given results without ids: whose they are follows from the step before, which needs the place of both. */
function stepsIn(state: RunState, host: SpanRecord): readonly SpanRecord[] {
  return shownInside(state, host).filter(({ facts }) => facts.kind === 'llm' && facts.tells?.includes('') === true)
}

function hasGaps({ facts }: SpanRecord): boolean {
  return facts.noInput === true || facts.noOutput === true
}

/** An agent is who lets a model ask for tools and runs them. */
function runsTools(state: RunState, host: SpanRecord): boolean {
  const kinds = new Set(shownInside(state, host).map((child) => child.facts.kind))
  return kinds.has('llm') && kinds.has('tool')
}

function promote(record: SpanRecord): void {
  record.promoted = true
  record.facts = { ...record.facts, kind: 'agent', nodeId: `agent:${record.facts.name}` }
}
