import type { SpanRecord } from './run-state.ts'

interface Entry {
  readonly record: SpanRecord
  readonly startNanos: bigint
}

/** Spans in the order of their starts; of two that start together the smaller id first. Finding a place costs no more in a long run. */
export class StartOrder {
  readonly #entries: Entry[] = []
  /** Starts as filed: a span's own may be corrected meanwhile. */
  readonly #starts = new Map<string, bigint>()

  get size(): number {
    return this.#entries.length
  }

  add(record: SpanRecord): void {
    this.remove(record)
    const { startNanos } = record.facts
    this.#entries.splice(this.#indexOf(startNanos, record.id), 0, { record, startNanos })
    this.#starts.set(record.id, startNanos)
  }

  remove({ id }: SpanRecord): void {
    const startNanos = this.#starts.get(id)
    if (startNanos === undefined) return
    this.#starts.delete(id)
    this.#entries.splice(this.#indexOf(startNanos, id), 1)
  }

  get first(): SpanRecord | undefined {
    return this.#entries[0]?.record
  }

  get last(): SpanRecord | undefined {
    return this.#entries.at(-1)?.record
  }

  /** The next one behind this span, filed or not. */
  after({ id, facts }: SpanRecord): SpanRecord | undefined {
    const index = this.#indexOf(facts.startNanos, id)
    return this.#entries[this.#entries[index]?.record.id === id ? index + 1 : index]?.record
  }

  /** Those that start before this time, the latest first. */
  *before(nanos: bigint): Generator<SpanRecord> {
    for (let index = this.#indexOf(nanos, '') - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index]
      if (entry !== undefined) yield entry.record
    }
  }

  /** Those that start at this time or later, the earliest first. */
  *from(nanos: bigint): Generator<SpanRecord> {
    for (let index = this.#indexOf(nanos, ''); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]
      if (entry !== undefined) yield entry.record
    }
  }

  /** Where a span of this start and id is, or would be. */
  #indexOf(startNanos: bigint, id: string): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.#entries[middle]
      if (entry === undefined) break
      const isBefore = entry.startNanos < startNanos || (entry.startNanos === startNanos && entry.record.id < id)
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }
}
