import type { DatabaseSync } from 'node:sqlite'
import { type DecodedSpan, decodeTraces, type OtlpFormat } from '../otlp/decode.ts'
import { withAnnounced } from '../otlp/start-notice.ts'
import type { TracePart } from '../otlp/trace-part.ts'
import { WaitingSpans } from '../store/waiting-spans.ts'
import type { RunRow } from '../store/writer.ts'
import type { CachedRun, RunCache } from './run-cache.ts'

/** Spans that are stored, and answered for, before anything is made of them (ADR 11). */
export class Backlog {
  readonly #store: WaitingSpans
  readonly #runs: RunCache
  readonly #nowMs: () => number
  readonly #rows = new Map<string, RunRow>()
  /** Runs whose waiting spans could not be read. */
  readonly #aside = new Set<string>()
  #count: number

  constructor(database: DatabaseSync, runs: RunCache, nowMs: () => number) {
    this.#store = new WaitingSpans(database)
    this.#runs = runs
    this.#nowMs = nowMs
    this.#count = this.#store.count(this.#aside)
  }

  /** Stored spans that wait to be derived. */
  get count(): number {
    return this.#count
  }

  /** Rows of the runs that parts were stored of in this commit, as they are now. */
  get rows(): ReadonlyMap<string, RunRow> {
    return this.#rows
  }

  /** False for a part that has to be read before it is stored: its session wants something of it hidden, or is yet to be noted. */
  mayStore({ traceId }: TracePart): boolean {
    return !this.#runs.isSpokenFor(traceId)
  }

  store(part: TracePart): void {
    const row = this.#store.add(part, this.#nowMs())
    this.#rows.set(part.traceId, row)
    this.#count += part.spanCount
    this.#runs.nowWaiting(part.traceId, row.waiting)
  }

  /** Takes the run's oldest spans, about `maxSpans` of them, to be derived. Earlier starts first. */
  take(run: CachedRun, maxSpans: number): readonly DecodedSpan[] {
    const blocks = this.#store.oldest(run.row.key, maxSpans)
    this.#store.derived(run.row.key, blocks)
    const taken = blocks.reduce((sum, { spanCount }) => sum + spanCount, 0)
    run.row.waiting = Math.max(0, run.row.waiting - taken)
    this.#rows.delete(run.row.id)
    this.#count -= taken
    return fromTheTop(blocks.flatMap(({ bytes, format }) => read(bytes, format)))
  }

  newestRun(): string | undefined {
    return this.#store.newestRun(this.#aside)
  }

  /** Leaves what waits of the run to the next start. */
  setAside(runId: string): void {
    this.#aside.add(runId)
    this.recount()
  }

  /** The transaction is over. */
  clear(): void {
    this.#rows.clear()
  }

  /** Something was undone: asks the store what it holds. */
  recount(): void {
    this.#count = this.#store.count(this.#aside)
  }
}

/** The spans of a stored or arriving part, earlier starts first, so that parents mostly come before their children. */
export function spansOf({ bytes, format }: Pick<TracePart, 'bytes' | 'format'>): readonly DecodedSpan[] {
  return fromTheTop(read(bytes, format))
}

function read(bytes: Uint8Array, format: OtlpFormat): readonly DecodedSpan[] {
  const decoded = decodeTraces(bytes, format)
  if (!decoded.ok) throw new Error(`stored spans are not readable: ${decoded.problem.message}`)
  return withAnnounced(decoded.value.spans)
}

/** Earlier starts first, so that little has to be corrected. SDKs send children first. */
function fromTheTop(spans: readonly DecodedSpan[]): readonly DecodedSpan[] {
  return spans
    .toReversed()
    .sort(({ view: one }, { view: other }) => (one.startNanos < other.startNanos ? -1 : one.startNanos > other.startNanos ? 1 : 0))
}
