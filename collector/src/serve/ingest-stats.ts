import type { Signal } from '../otlp/answer.ts'

interface SignalStats {
  requests: number
  bytes: number
  accepted: number
  rejected: number
  /** Requests refused, by HTTP status. */
  readonly refused: Record<string, number>
  /** Why records were rejected, or a request refused, the last time. */
  lastReasons: readonly string[]
}

const empty = (): SignalStats => ({ requests: 0, bytes: 0, accepted: 0, rejected: 0, refused: {}, lastReasons: [] })

/** What came in over OTLP since the start, for `GET /api/ingest/stats`. Bytes are as received, before inflating. */
export class IngestStats {
  readonly #signals: Record<Signal, SignalStats> = { traces: empty(), logs: empty(), metrics: empty() }

  accepted(signal: Signal, bytes: number, accepted: number, rejected: number, reasons: readonly string[]): void {
    const stats = this.#signals[signal]
    stats.requests += 1
    stats.bytes += bytes
    stats.accepted += accepted
    stats.rejected += rejected
    if (reasons.length > 0) stats.lastReasons = reasons
  }

  refused(signal: Signal, status: number, reason: string): void {
    const stats = this.#signals[signal]
    stats.requests += 1
    stats.refused[status] = (stats.refused[status] ?? 0) + 1
    stats.lastReasons = [reason]
  }

  read(): Readonly<Record<Signal, SignalStats>> {
    return this.#signals
  }
}
