import type { HideSwitches } from '@graphmind-ai/client'
import { isMetadataKey, mapSpan } from '@graphmind-ai/mappings'
import type { Attributes, SpanStatus } from '@opentelemetry/api'
import { type LiveEvent, type LiveSpan, toSpanView } from './live-span.ts'

/** What of a span may leave the process. */
export interface ShownSpan {
  readonly attributes: Attributes
  readonly events: readonly LiveEvent[]
  readonly status: SpanStatus
  /** Attribute keys that were held back. */
  readonly hiddenKeys: readonly string[]
}

/** What of a span may leave the process, with the attributes it had at the moment in question. */
export type SpanFence = (span: LiveSpan, attributes: Attributes) => ShownSpan

/**
 * Builds the fence for spans. Under a switch only metadata passes, inputs and outputs alike, because a key that no dialect knows may hold
 * either. The two tool switches fence tool spans only. Error texts always pass (contract, "Recording less").
 */
export function createSpanFence(hide: HideSwitches): SpanFence {
  const fenceAll = hide.hideInputs || hide.hideOutputs
  const fenceTools = hide.hideToolArgs || hide.hideToolResults
  if (!fenceAll && !fenceTools) return pass
  return (span, attributes) => (fenceAll || isTool(span) ? fence(span, attributes) : pass(span, attributes))
}

function pass(span: LiveSpan, attributes: Attributes): ShownSpan {
  return { attributes, events: span.events, status: span.status, hiddenKeys: [] }
}

function fence(span: LiveSpan, held: Attributes): ShownSpan {
  const hidden = new Set<string>()
  const onlyMetadata = (attributes: Attributes): Attributes => {
    const shown: Attributes = {}
    for (const [key, value] of Object.entries(attributes)) {
      if (isMetadataKey(key)) shown[key] = value
      else hidden.add(key)
    }
    return shown
  }
  const attributes = onlyMetadata(held)
  const events = span.events.map((event) =>
    event.name === 'exception' ? event : { ...event, attributes: onlyMetadata(event.attributes ?? {}) },
  )
  return { attributes, events, status: span.status, hiddenKeys: [...hidden] }
}

function isTool(span: LiveSpan): boolean {
  const mapped = mapSpan(toSpanView(span))
  return mapped.role === 'node' && mapped.kind === 'tool'
}
