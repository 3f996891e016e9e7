import { isUnclaimed, type MappedNode, type MappedSpan, mapSpan } from '@graphmind-ai/mappings'
import type { Span } from '@opentelemetry/api'
import { type LiveSpan, liveSpanOf, toSpanView } from '../live-span.ts'

/**
 * A call that can be held, and the span that stands for it: a tool, a model call, or a span that no vocabulary knows, which is held only
 * when somebody asks for it by name or kind.
 */
export interface GateSite {
  readonly runId: string
  readonly span: LiveSpan
  readonly nodeId: string
  readonly kind: 'tool' | 'llm' | 'custom'
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
  if (mapped.role !== 'node') return undefined
  const kind = siteKindOf(mapped)
  if (kind === undefined) return undefined
  const { nodeId, name, toolCallId, input } = mapped
  const { traceId, spanId } = span.spanContext()
  return { runId: traceId, span, nodeId, kind, name, instanceId: spanId, toolCallId, input }
}

function siteKindOf(mapped: MappedNode): GateSite['kind'] | undefined {
  if (mapped.kind === 'tool' || mapped.kind === 'llm') return mapped.kind
  return isUnclaimed(mapped) ? 'custom' : undefined
}
