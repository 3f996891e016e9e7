import type { MappedSpan } from '@graphmind-ai/mappings'
import type { GraphNodeHint } from '@graphmind-ai/schema'
import { millisOf, type SpanEvent, spanEvent } from './outbox.ts'
import { earlier, type RunState, type SpanRecord } from './run-state.ts'
import { outermost, placeOf, twinsOf } from './tree.ts'

/** Remembers the nodes a span knows of before they run; of several spans the earliest speaks. */
export function noteHints(state: RunState, record: SpanRecord, mapped: MappedSpan): void {
  for (const hint of mapped.hints ?? []) {
    const known = state.hints.get(hint.nodeId)
    const fact = earlier(known?.fact, { value: hint, startNanos: record.facts.startNanos, spanId: record.id })
    state.hints.set(hint.nodeId, { ...known, fact })
  }
}

/** Sends the hints of these spans that are new, or whose place has become known. */
export function emitHints(state: RunState, spanIds: ReadonlySet<string>, out: SpanEvent[]): void {
  const bySpan = new Map<string, GraphNodeHint[]>()
  for (const [nodeId, hint] of state.hints) {
    const { spanId, value } = hint.fact
    const record = state.spans.get(spanId)
    if (record === undefined || !twinsOf(state, record).some((twin) => spanIds.has(twin.id))) continue
    const parentId = value.parentId ?? parentOf(state, record)
    const node = parentId === undefined ? value : { ...value, parentId }
    const sent = JSON.stringify(node)
    if (sent === hint.sent) continue
    state.hints.set(nodeId, { ...hint, sent })
    bySpan.set(spanId, [...(bySpan.get(spanId) ?? []), node])
  }
  for (const [spanId, nodes] of bySpan) {
    const record = state.spans.get(spanId)
    if (record === undefined) continue
    const { sent } = record.emitted
    const count = sent['graph.hint'] ?? 0
    out.push(spanEvent('graph.hint', spanId, count, { ts: millisOf(record.facts.startNanos) }, { nodes }))
    record.emitted = { ...record.emitted, sent: { ...sent, 'graph.hint': count + 1 } }
  }
}

/** A model call offers tools that its agent will run; any other node runs its own. */
function parentOf(state: RunState, record: SpanRecord): string | undefined {
  const { role, kind, nodeId } = outermost(state, record).facts
  if (role === 'node' && kind !== 'llm' && kind !== 'tool') return nodeId
  const place = placeOf(state, record)
  return place !== undefined && 'record' in place ? outermost(state, place.record).facts.nodeId : undefined
}
