import type { TracePart } from '../otlp/trace-part.ts'
import { spansOf } from './backlog.ts'
import { type ExportItem, type ExportMessage, openExport, spanCount } from './export-request.ts'
import type { Ingest } from './ingest.ts'
import type { ExportOutcome, FromWorker } from './messages.ts'
import { isStoreFailure } from './store-failure.ts'

// Storing a span takes 15 µs, so a turn of these takes 15 ms; group commit pays from 64 rows on (spikes 3).
const STORED_SPANS = 1024
// A request of up to this many spans, with nothing behind it, is live work: derived in the commit that stores it.
const LIVE_SPANS = 64
// What deriving a span costs, in stored spans.
const DERIVED_COST = 8

interface ExportJob {
  readonly id: number
  readonly items: readonly ExportItem[]
  readonly isLive: boolean
  readonly reasons: string[]
  /** Spans and records that can't be kept, broken ones included. */
  rejected: number
  accepted: number
  next: number
}

/** Export requests on their way through the worker: a slice of their spans each turn, so that control events get in between. */
export class ExportQueue {
  readonly #ingest: Ingest
  readonly #isWatched: (runId: string) => boolean
  readonly #waiting: ExportMessage[] = []
  #job: ExportJob | undefined
  /** Requests that this turn has taken something of. */
  readonly #taken = new Set<number>()

  constructor(ingest: Ingest, isWatched: (runId: string) => boolean) {
    this.#ingest = ingest
    this.#isWatched = isWatched
  }

  add(message: ExportMessage): void {
    this.#waiting.push(message)
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0 || this.#job !== undefined
  }

  /** Takes up to a slice of spans, from as many requests as it needs; answers go out after the commit. */
  turn(answers: FromWorker[]): void {
    for (let left = STORED_SPANS; left > 0; ) {
      const job = this.#job ?? this.#nextJob(answers)
      if (job === undefined) return
      this.#job = job
      this.#taken.add(job.id)
      while (left > 0 && job.next < job.items.length) left -= this.#addItem(job, job.items[job.next++] as ExportItem)
      if (job.next < job.items.length) continue
      this.#job = undefined
      answers.push({ kind: 'exported', id: job.id, outcome: outcomeOf(job) })
    }
  }

  /** Returns what the item costs, in stored spans. */
  #addItem(job: ExportJob, item: ExportItem): number {
    if (!('outline' in item)) {
      this.#alone(job, 1, `log record ${item.hash}`, () => this.#ingest.addLog(item))
      return 1
    }
    const atOnce = job.isLive || this.#isWatched(item.traceId)
    if (!atOnce && this.#ingest.storePart(item)) {
      job.accepted += item.spanCount
      return item.spanCount
    }
    this.#addPart(job, item)
    return item.spanCount * DERIVED_COST
  }

  /** One span we can't take must not cost the others: where all in one go fails, each alone. */
  #addPart(job: ExportJob, part: TracePart): void {
    const { traceId, spanCount } = part
    try {
      this.#ingest.part(() => this.#ingest.addPart(part))
      job.accepted += spanCount
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      for (const span of spansOf(part))
        this.#alone(job, 1, `span ${span.view.spanId} of trace ${traceId}`, () => this.#ingest.addSpan(span))
    }
  }

  #alone(job: ExportJob, count: number, what: string, add: () => void): void {
    try {
      this.#ingest.part(add)
      job.accepted += count
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      job.rejected += count
      job.reasons.push(`${what} could not be taken in`)
      console.error(`graphmind: ${what} was rejected:`, error)
    }
  }

  /** Decodes requests until one has spans to store; the others are answered at once. */
  #nextJob(answers: FromWorker[]): ExportJob | undefined {
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      const { id } = message
      const opened = openExport(message)
      if ('outcome' in opened) answers.push({ kind: 'exported', id, outcome: opened.outcome })
      else return { id, ...opened, isLive: this.#waiting.length === 0 && spanCount(opened.items) <= LIVE_SPANS, accepted: 0, next: 0 }
    }
    return undefined
  }

  /** The turn's work is in the store. */
  committed(): void {
    this.#taken.clear()
  }

  /** The turn's transaction failed: these requests are refused, and may be sent again. */
  refuse(): ReadonlySet<number> {
    const ids = new Set(this.#taken)
    this.#taken.clear()
    if (this.#job !== undefined) ids.add(this.#job.id)
    this.#job = undefined
    // When not even a transaction could begin, each that waits would wait for the lock anew, one after another.
    if (ids.size === 0) for (const { id } of this.#waiting.splice(0)) ids.add(id)
    return ids
  }
}

function outcomeOf(job: ExportJob): ExportOutcome {
  return { status: 200, accepted: job.accepted, rejected: job.rejected, reasons: job.reasons }
}
