import type { Attributes } from '@opentelemetry/api'
import type { SpanStart } from '../gate/span-origin.ts'
import { type LiveSpan, sizeOf } from '../live-span.ts'
import type { Phase } from '../span-copy.ts'

/** Places kept for a debugger that attaches late; the numbers of the channel's own ring (contract, "Replay-on-attach"). */
export const MAX_PLACES = 5000
export const MAX_BYTES = 8 * 1024 * 1024
const MAX_COUNTED_TRACES = 256

/** What only the moment knows, noted while somebody watches. */
export interface Moment {
  /** At a start: what the span held then, and how it was asked for. */
  readonly attributes?: Attributes
  readonly start?: SpanStart | undefined
  /** At an end: the run had been called off. */
  readonly aborted?: boolean
}

/** A moment of a span. */
export interface Place {
  readonly span: LiveSpan
  readonly phase: Phase
  readonly moment: Moment | undefined
}

/** Ended spans of one trace that never reached the collector. */
export interface LostSpans {
  readonly traceId: string
  readonly count: number
}

/**
 * The last starts and ends of spans, oldest first, with what of them still has to be sent. It holds the spans themselves in lists made
 * once, so that a span nobody fetches costs two stores and no allocation. No I/O, no clock.
 */
export class SpanRing {
  readonly #maxPlaces: number
  readonly #maxBytes: number
  readonly #spans: (LiveSpan | undefined)[]
  /** Of places that are an end. A span that leaves the ring is not looked at again: it is old, and far from the processor's caches. */
  readonly #endedTraces: (string | undefined)[]
  readonly #moments: (Moment | undefined)[]
  /** Whole and small, so that V8 keeps every sum of them without allocating. */
  readonly #sizes: Int32Array
  /** Numbers of places, counted from the first one ever: the oldest kept, the oldest undelivered, and the next. */
  #oldest = 0
  #unsent = 0
  #next = 0
  #bytes = 0
  readonly #lost = new Map<string, number>()
  /** The trace of the last loss and how often it was lost in a row: mostly the next loss is its, too. */
  #lostTrace = ''
  #lostInRow = 0

  constructor(limits: { readonly maxPlaces: number; readonly maxBytes: number }) {
    this.#maxPlaces = limits.maxPlaces
    this.#maxBytes = limits.maxBytes
    this.#spans = new Array<LiveSpan | undefined>(limits.maxPlaces).fill(undefined)
    this.#endedTraces = new Array<string | undefined>(limits.maxPlaces).fill(undefined)
    this.#moments = new Array<Moment | undefined>(limits.maxPlaces).fill(undefined)
    this.#sizes = new Int32Array(limits.maxPlaces)
  }

  /** Keeps a moment of a span; true when an ended span was lost for it. */
  push(span: LiveSpan, phase: Phase, moment?: Moment): boolean {
    const index = this.#next % this.#maxPlaces
    let isLoss = this.#next - this.#oldest === this.#maxPlaces && this.#dropOldest()
    // What a span weighs is counted at its end; before, the program holds it anyway.
    const size = phase === 'end' || moment !== undefined ? sizeOf(span) : 0
    this.#spans[index] = span
    this.#endedTraces[index] = phase === 'end' ? span.spanContext().traceId : undefined
    this.#moments[index] = moment
    this.#sizes[index] = size
    this.#next += 1
    this.#bytes += size
    while (this.#bytes > this.#maxBytes && this.#next - this.#oldest > 1) isLoss = this.#dropOldest() || isLoss
    return isLoss
  }

  /** The oldest undelivered places, at most so many and so many bytes, but always one; they stay until `delivered` is told. */
  pending(limit: { readonly places: number; readonly bytes: number }): { readonly places: readonly Place[]; readonly until: number } {
    const places: Place[] = []
    let bytes = 0
    let number = this.#unsent
    for (; number < this.#next && places.length < limit.places; number += 1) {
      const place = this.#at(number)
      if (place === undefined) continue
      bytes += sizeOf(place.span)
      if (places.length > 0 && bytes > limit.bytes) break
      places.push(place)
    }
    return { places, until: number }
  }

  /** All places before this one are with the collector. */
  delivered(until: number): void {
    this.#unsent = Math.max(this.#unsent, Math.min(until, this.#next))
  }

  /** Everything kept has to be sent again: a debugger attached that may know nothing of it. */
  rewind(): void {
    this.#unsent = this.#oldest
  }

  /** Every span that is kept, oldest first; one that has ended may come twice. */
  *spans(): Generator<LiveSpan> {
    for (let number = this.#oldest; number < this.#next; number += 1) {
      const span = this.#spans[number % this.#maxPlaces]
      if (span !== undefined) yield span
    }
  }

  /** Hands over, once, what was lost. */
  takeLost(): readonly LostSpans[] {
    this.#countLost('')
    const lost = [...this.#lost].map(([traceId, count]) => ({ traceId, count }))
    this.#lost.clear()
    return lost
  }

  clear(): void {
    while (this.#oldest < this.#next) this.#dropOldest()
    this.#lost.clear()
    this.#lostInRow = 0
  }

  #at(number: number): Place | undefined {
    const index = number % this.#maxPlaces
    const span = this.#spans[index]
    const phase = this.#endedTraces[index] === undefined ? 'start' : 'end'
    return span === undefined ? undefined : { span, phase, moment: this.#moments[index] }
  }

  /** True when the oldest place was an end that nobody got. A start that goes is no loss: the end says all of it, or is yet to come. */
  #dropOldest(): boolean {
    const index = this.#oldest % this.#maxPlaces
    const isUnsent = this.#oldest >= this.#unsent
    const traceId = this.#endedTraces[index]
    this.#spans[index] = undefined
    this.#moments[index] = undefined
    this.#bytes -= this.#sizes[index] ?? 0
    this.#oldest += 1
    if (!isUnsent) return false
    this.#unsent = this.#oldest
    if (traceId === undefined) return false
    if (traceId !== this.#lostTrace) this.#countLost(traceId)
    this.#lostInRow += 1
    return true
  }

  #countLost(nextTrace: string): void {
    const count = this.#lost.get(this.#lostTrace)
    if (this.#lostInRow > 0 && (count !== undefined || this.#lost.size < MAX_COUNTED_TRACES))
      this.#lost.set(this.#lostTrace, (count ?? 0) + this.#lostInRow)
    this.#lostTrace = nextTrace
    this.#lostInRow = 0
  }
}
