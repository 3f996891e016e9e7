import { dropOldest } from './drop-oldest.ts'
import type { LiveSpan } from './live-span.ts'

const MAX_RUNS = 1000

interface Run {
  /** Ids of the local roots that go on. */
  readonly openRoots: Set<string>
  heldCalls: number
  aborted: boolean
}

/** Knows which runs (traces) go on in this process, as far as somebody watched them. No I/O. */
export class RunTracker {
  readonly #runs = new Map<string, Run>()
  readonly #onRunEnd: (runId: string) => void

  /** `onRunEnd` is called when the last local root of a run has ended and no call of it is held any more. */
  constructor(onRunEnd: (runId: string) => void) {
    this.#onRunEnd = onRunEnd
  }

  /** Notes a local root that goes on; again does no harm. */
  started(root: LiveSpan): void {
    const { traceId, spanId } = root.spanContext()
    this.#run(traceId).openRoots.add(spanId)
  }

  ended(root: LiveSpan): void {
    const { traceId, spanId } = root.spanContext()
    const run = this.#runs.get(traceId)
    if (run?.openRoots.delete(spanId) === true) this.#endIfQuiet(traceId, run)
  }

  holdBegins(runId: string): void {
    this.#run(runId).heldCalls += 1
  }

  holdEnds(runId: string): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    run.heldCalls = Math.max(0, run.heldCalls - 1)
    this.#endIfQuiet(runId, run)
  }

  /** A person called the run off at a gate. */
  abort(runId: string): void {
    this.#run(runId).aborted = true
  }

  isAborted(runId: string): boolean {
    return this.#runs.get(runId)?.aborted === true
  }

  /** False while no run is known, which costs less to ask than about one run. */
  get isWatching(): boolean {
    return this.#runs.size > 0
  }

  #run(runId: string): Run {
    const known = this.#runs.get(runId)
    if (known !== undefined) return known
    const run: Run = { openRoots: new Set(), heldCalls: 0, aborted: false }
    this.#runs.set(runId, run)
    dropOldest(this.#runs, MAX_RUNS)
    return run
  }

  #endIfQuiet(runId: string, { openRoots, heldCalls }: Run): void {
    if (openRoots.size > 0 || heldCalls > 0) return
    this.#runs.delete(runId)
    this.#onRunEnd(runId)
  }
}
