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

/**
 * Builds the fence for spans. Under a switch only metadata passes, inputs and outputs alike, because a key that no dialect knows may hold
 * either. The two tool switches fence tool spans only. Error texts always pass (contract, "Recording less").
 */
export function createSpanFence(hide: HideSwitches): (span: LiveSpan) => ShownSpan {
  const fenceAll = hide.hideInputs || hide.hideOutputs
  const fenceTools = hide.hideToolArgs || hide.hideToolResults
  if (!fenceAll && !fenceTools) return pass
  return (span) => (fenceAll || isTool(span) ? fence(span) : pass(span))
}

function pass(span: LiveSpan): ShownSpan {
  return { attributes: { ...span.attributes }, events: span.events, status: span.status, hiddenKeys: [] }
}

function fence(span: LiveSpan): ShownSpan {
  const hidden = new Set<string>()
  const onlyMetadata = (attributes: Attributes): Attributes => {
    const shown: Attributes = {}
    for (const [key, value] of Object.entries(attributes)) {
      if (isMetadataKey(key)) shown[key] = value
      else hidden.add(key)
    }
    return shown
  }
  const attributes = onlyMetadata(span.attributes)
  const events = span.events.map((event) =>
    event.name === 'exception' ? event : { ...event, attributes: onlyMetadata(event.attributes ?? {}) },
  )
  return { attributes, events, status: span.status, hiddenKeys: [...hidden] }
}

function isTool(span: LiveSpan): boolean {
  const mapped = mapSpan(toSpanView(span))
  return mapped.role === 'node' && mapped.kind === 'tool'
}
