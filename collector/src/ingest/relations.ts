import type { DerivedNode } from '@graphmind-ai/mappings'
import { derivedCall, hasNameless, noteCalls, noteFound, spanOf, storiesAt } from './calls.ts'
import { fileInside, insideOf } from './inside.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { StartOrder } from './start-order.ts'
import { isShown, outermost, placeOf } from './tree.ts'

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
  const steps = fileMoved(state, hosts)
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
  }
  // Whose results they were given follows from the step before, which may be another now.
  for (const step of steps) if (hasNameless(step)) for (const id of noteCalls(state, step)) stories.add(id)
  state.arrived.clear()
  return { richer, promoted, ...tell(state, stories, source, richer) }
}

/** Files what moved under its place of now, which is added to `hosts`. Returns the model calls that may have another step before them. */
function fileMoved(state: RunState, hosts: Set<SpanRecord>): ReadonlySet<SpanRecord> {
  const steps = new Set<SpanRecord>()
  for (const id of state.moved) {
    const record = state.spans.get(id)
    if (record === undefined) continue
    for (const step of fileInside(state, record)) steps.add(step)
    const host = record.filedUnder === undefined ? undefined : state.spans.get(record.filedUnder)
    if (host !== undefined) hosts.add(host)
  }
  state.moved.clear()
  return steps
}

function noteStories(state: RunState, record: SpanRecord, changed: Set<string>): void {
  const { kind, toolCallId, name, startNanos } = record.facts
  if (kind === 'llm') for (const id of noteCalls(state, record)) changed.add(id)
  if (kind !== 'tool') return
  // With the first one it is known that tools have spans at all.
  if (!state.hasToolSpans) for (const id of state.stories.keys()) changed.add(id)
  state.hasToolSpans = true
  const named = state.toolSpans.get(name) ?? new StartOrder()
  state.toolSpans.set(name, named)
  if (toolCallId !== undefined) {
    named.remove(record)
    changed.add(toolCallId)
    return
  }
  named.add(record)
  for (const id of storiesAt(state, name, startNanos)) changed.add(id)
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
    noteFound(state, id, story, span)
    if (hasGaps(span) || span.facts.toolCallId === undefined) richer.add(span)
    if (story.derivedId !== undefined) retired.set(story.derivedId, span)
    delete story.derivedId
  }
  return { derived, retired }
}

function hasGaps({ facts }: SpanRecord): boolean {
  return facts.noInput === true || facts.noOutput === true
}

/** An agent is who lets a model ask for tools and runs them. */
function runsTools(state: RunState, host: SpanRecord): boolean {
  const inside = insideOf(state, host.keeper)
  return inside !== undefined && inside.steps.size > 0 && inside.tools.size > 0
}

function promote(record: SpanRecord): void {
  record.promoted = true
  record.facts = { ...record.facts, kind: 'agent', nodeId: `agent:${record.facts.name}` }
}
