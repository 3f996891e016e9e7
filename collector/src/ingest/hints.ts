import type { MappedSpan } from '@graphmind-ai/mappings'
import type { GraphNodeHint } from '@graphmind-ai/schema'
import { millisOf, type SpanEvent, spanEvent } from './outbox.ts'
import { earlier, type HintState, type RunState, type SpanRecord } from './run-state.ts'
import { outermost, placeOf, twinsOf } from './tree.ts'

/** Remembers the nodes a span knows of before they run; of several spans the earliest speaks. */
export function noteHints(state: RunState, record: SpanRecord, mapped: MappedSpan): void {
  for (const hint of mapped.hints ?? []) {
    const known = state.hints.get(hint.nodeId)
    const fact = earlier(known?.fact, { value: hint, startNanos: record.facts.startNanos, spanId: record.id })
    if (fact !== known?.fact) setHint(state, hint.nodeId, { ...known, fact })
  }
}

export function setHint(state: RunState, nodeId: string, hint: HintState): void {
  const before = state.hints.get(nodeId)?.fact.spanId
  const { spanId } = hint.fact
  state.hints.set(nodeId, hint)
  if (before === spanId) return
  if (before !== undefined) state.hintsOf.get(before)?.delete(nodeId)
  const own = state.hintsOf.get(spanId)
  if (own === undefined) state.hintsOf.set(spanId, new Set([nodeId]))
  else own.add(nodeId)
}

/** Sends the hints of these spans that are new, or whose place has become known. */
export function emitHints(state: RunState, spanIds: ReadonlySet<string>, out: SpanEvent[]): void {
  if (state.hintsOf.size === 0) return
  const speakers = new Set<SpanRecord>()
  for (const spanId of spanIds) {
    const record = state.spans.get(spanId)
    if (record !== undefined) for (const twin of twinsOf(state, record)) if (state.hintsOf.has(twin.id)) speakers.add(twin)
  }
  for (const record of speakers) {
    const nodes: GraphNodeHint[] = []
    const parent = parentOf(state, record)
    for (const nodeId of state.hintsOf.get(record.id) ?? []) {
      const hint = state.hints.get(nodeId)
      if (hint === undefined) continue
      const { value } = hint.fact
      const parentId = value.parentId ?? parent
      const node = parentId === undefined ? value : { ...value, parentId }
      const sent = JSON.stringify(node)
      if (sent === hint.sent) continue
      state.hints.set(nodeId, { ...hint, sent })
      nodes.push(node)
    }
    if (nodes.length === 0) continue
    const { sent } = record.emitted
    const count = sent['graph.hint'] ?? 0
    out.push(spanEvent('graph.hint', record.id, count, { ts: millisOf(record.facts.startNanos) }, { nodes }))
    sent['graph.hint'] = count + 1
  }
}

/** A model call offers tools that its agent will run; any other node runs its own. */
function parentOf(state: RunState, record: SpanRecord): string | undefined {
  const { role, kind, nodeId } = outermost(state, record).facts
  if (role === 'node' && kind !== 'llm' && kind !== 'tool') return nodeId
  const place = placeOf(state, record)
  return place !== undefined && 'record' in place ? outermost(state, place.record).facts.nodeId : undefined
}
