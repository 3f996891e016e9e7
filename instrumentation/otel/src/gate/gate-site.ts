import { gateOf, type MappedSpan, mapSpan } from '@graphmind-ai/mappings'
import type { Span } from '@opentelemetry/api'
import { type LiveSpan, liveSpanOf, toSpanView } from '../live-span.ts'

/** A call that can be held: a tool or a model call, and the span that stands for it. */
export interface GateSite {
  readonly runId: string
  readonly span: LiveSpan
  readonly nodeId: string
  readonly kind: 'tool' | 'llm'
  readonly name: string
  readonly instanceId: string
  readonly toolCallId: string | undefined
  readonly input: unknown
}

const meanings = new WeakMap<LiveSpan, MappedSpan>()

/** What a span means by what is known at its start; read once, because prompts are long and several of our parts ask. */
export function meaningAtStart(span: LiveSpan): MappedSpan {
  const known = meanings.get(span)
  if (known !== undefined) return known
  const meaning = mapSpan(toSpanView(span))
  meanings.set(span, meaning)
  return meaning
}

/** Makes what a span means to be read again: it said more of itself. */
export function forgetMeaning(span: LiveSpan): void {
  meanings.delete(span)
}

/** True for an agent's span: what is in it are calls of its own, also inside a call that is held. */
export function isAgent(span: LiveSpan): boolean {
  const meaning = meaningAtStart(span)
  return meaning.role === 'node' && meaning.kind === 'agent'
}

/** The gate site of a span that has started; undefined when it is nothing to hold, or records nothing. */
export function gateSiteOf(started: Span | undefined): GateSite | undefined {
  const span = liveSpanOf(started)
  if (span === undefined) return undefined
  const mapped = meaningAtStart(span)
  const gate = gateOf(mapped)
  if (gate === undefined || mapped.role !== 'node' || (gate.kind !== 'tool' && gate.kind !== 'llm')) return undefined
  const { nodeId, kind, name } = gate
  const { traceId, spanId } = span.spanContext()
  return { runId: traceId, span, nodeId, kind, name, instanceId: spanId, toolCallId: mapped.toolCallId, input: mapped.input }
}
