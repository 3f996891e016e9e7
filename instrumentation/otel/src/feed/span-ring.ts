import type { SpanCopy } from '../span-copy.ts'

/** Copies kept for a debugger that attaches late; the numbers of the channel's own ring (contract, "Replay-on-attach"). */
export const MAX_COPIES = 5000
export const MAX_COPY_BYTES = 8 * 1024 * 1024
const MAX_COUNTED_TRACES = 256

interface Entry {
  readonly copy: SpanCopy
  delivered: boolean
}

/** Spans of one trace that never reached the collector. */
export interface LostSpans {
  readonly traceId: string
  readonly count: number
}

/** The last span copies, oldest first, with what of them still has to be sent. No I/O, no clock. */
export class SpanRing {
  readonly #maxCopies: number
  readonly #maxBytes: number
  #entries: Entry[] = []
  /** Index of the oldest entry: taking one off the front of a long array moves all others. */
  #head = 0
  #bytes = 0
  readonly #lost = new Map<string, number>()

  constructor(limits: { readonly maxCopies: number; readonly maxBytes: number }) {
    this.#maxCopies = limits.maxCopies
    this.#maxBytes = limits.maxBytes
  }

  /** Keeps a copy; answers how many undelivered ones had to go for it. */
  push(copy: SpanCopy): number {
    this.#entries.push({ copy, delivered: false })
    this.#bytes += copy.bytes
    let evicted = 0
    while (this.#length > this.#maxCopies || (this.#bytes > this.#maxBytes && this.#length > 1)) {
      const oldest = this.#takeOldest()
      if (oldest === undefined) break
      this.#bytes -= oldest.copy.bytes
      if (oldest.delivered) continue
      evicted += 1
      this.#countLost(oldest.copy.traceId)
    }
    return evicted
  }

  /** The oldest undelivered copies, at most so many and so many bytes, but always one; they stay until `delivered` is told. */
  pending(limit: { readonly copies: number; readonly bytes: number }): readonly SpanCopy[] {
    const copies: SpanCopy[] = []
    let bytes = 0
    for (let index = this.#head; index < this.#entries.length; index += 1) {
      const { copy, delivered } = this.#entries[index] ?? {}
      if (copy === undefined || delivered) continue
      bytes += copy.bytes
      if (copies.length === limit.copies || (copies.length > 0 && bytes > limit.bytes)) break
      copies.push(copy)
    }
    return copies
  }

  delivered(copies: readonly SpanCopy[]): void {
    const sent = new Set(copies)
    for (const entry of this.#entries) {
      if (sent.has(entry.copy)) entry.delivered = true
    }
  }

  /** Everything kept has to be sent again: a debugger attached that may know nothing of it. */
  rewind(): void {
    for (const entry of this.#entries) entry.delivered = false
  }

  /** Hands over, once, what was lost. */
  takeLost(): readonly LostSpans[] {
    const lost = [...this.#lost].map(([traceId, count]) => ({ traceId, count }))
    this.#lost.clear()
    return lost
  }

  clear(): void {
    this.#entries = []
    this.#head = 0
    this.#bytes = 0
    this.#lost.clear()
  }

  get #length(): number {
    return this.#entries.length - this.#head
  }

  #takeOldest(): Entry | undefined {
    const oldest = this.#entries[this.#head]
    this.#head += 1
    if (this.#head > this.#maxCopies) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
    return oldest
  }

  #countLost(traceId: string): void {
    if (this.#lost.size >= MAX_COUNTED_TRACES && !this.#lost.has(traceId)) return
    this.#lost.set(traceId, (this.#lost.get(traceId) ?? 0) + 1)
  }
}
