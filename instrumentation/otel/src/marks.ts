import type { Attributes } from '@opentelemetry/api'
import { dropOldest } from './drop-oldest.ts'

/** What only this process knows of a span; each becomes a `graphmind.*` attribute of our copy (design 6). */
export interface SpanMarks {
  readonly attempt?: number
  readonly heldMs?: number
  readonly injected?: boolean
  readonly ungated?: string
}

const MAX_MARKED_SPANS = 2000

/** Marks by span id. Bounded: the oldest are forgotten, so that spans which never end cost nothing. */
export class MarkBook {
  readonly #marks = new Map<string, SpanMarks>()

  /** Adds to what is known of the span; held times add up. */
  add(spanId: string, marks: SpanMarks): void {
    const known = this.#marks.get(spanId)
    const heldMs = (known?.heldMs ?? 0) + (marks.heldMs ?? 0)
    this.#marks.delete(spanId)
    this.#marks.set(spanId, { ...known, ...marks, ...(heldMs > 0 ? { heldMs } : {}) })
    dropOldest(this.#marks, MAX_MARKED_SPANS)
  }

  of(spanId: string): SpanMarks | undefined {
    return this.#marks.get(spanId)
  }
}

/** The attributes that carry the marks to the collector. */
export function markAttributes(marks: SpanMarks | undefined): Attributes {
  const attributes: Attributes = {}
  if (marks === undefined) return attributes
  if (marks.attempt !== undefined) attributes['graphmind.attempt'] = marks.attempt
  if (marks.heldMs !== undefined) attributes['graphmind.heldMs'] = Math.round(marks.heldMs)
  if (marks.injected === true) attributes['graphmind.injected'] = true
  if (marks.ungated !== undefined) attributes['graphmind.ungated'] = marks.ungated
  return attributes
}
