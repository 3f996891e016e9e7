import { dropOldest } from './drop-oldest.ts'
import { isLocalRoot, type LiveSpan, parentSpanId } from './live-span.ts'

const MAX_RUNS = 1000
const MAX_HIDDEN_SPANS = 5000

interface Run {
  openRoots: number
  heldCalls: number
  aborted: boolean
}

/** Knows which runs (traces) go on in this process, and which spans are drawn. No I/O. */
export class RunTracker {
  readonly #runs = new Map<string, Run>()
  /** For spans that are not drawn: the nearest drawn span around them, or undefined when there is none. */
  readonly #hidden = new Map<string, string | undefined>()
  readonly #onRunEnd: (runId: string) => void

  /** `onRunEnd` is called when the last local root of a run has ended and no call of it is held any more. */
  constructor(onRunEnd: (runId: string) => void) {
    this.#onRunEnd = onRunEnd
  }

  /** Counts a started span; true when it is a local root, i.e. when this process' part of the run begins with it. */
  started(span: LiveSpan): boolean {
    if (!isLocalRoot(span)) return false
    this.#run(span.spanContext().traceId).openRoots += 1
    return true
  }

  ended(span: LiveSpan): void {
    if (isLocalRoot(span)) this.#change(span.spanContext().traceId, 'openRoots')
  }

  holdBegins(runId: string): void {
    this.#run(runId).heldCalls += 1
  }

  holdEnds(runId: string): void {
    this.#change(runId, 'heldCalls')
  }

  /** A person called the run off at a gate. */
  abort(runId: string): void {
    this.#run(runId).aborted = true
  }

  isAborted(runId: string): boolean {
    return this.#runs.get(runId)?.aborted === true
  }

  /** Notes that a span is not drawn, so that what is in it belongs to the span around it. */
  hide(span: LiveSpan): void {
    this.#hidden.set(span.spanContext().spanId, this.shownParent(span))
    dropOldest(this.#hidden, MAX_HIDDEN_SPANS)
  }

  /** The nearest drawn span around this one, as far as known; undefined for a root. */
  shownParent(span: LiveSpan): string | undefined {
    const parent = parentSpanId(span)
    if (parent === undefined || !this.#hidden.has(parent)) return parent
    // A hidden root has nobody to give its children to, so it is drawn.
    return this.#hidden.get(parent) ?? parent
  }

  #run(runId: string): Run {
    const known = this.#runs.get(runId)
    if (known !== undefined) return known
    const run: Run = { openRoots: 0, heldCalls: 0, aborted: false }
    this.#runs.set(runId, run)
    dropOldest(this.#runs, MAX_RUNS)
    return run
  }

  #change(runId: string, count: 'openRoots' | 'heldCalls'): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    run[count] = Math.max(0, run[count] - 1)
    if (run.openRoots > 0 || run.heldCalls > 0) return
    this.#runs.delete(runId)
    this.#onRunEnd(runId)
  }
}
