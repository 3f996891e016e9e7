import type { DatabaseSync } from 'node:sqlite'
import { fenceLog, fenceSpan } from './fence.ts'
import type { RunLoader } from './load-run.ts'
import type { LogShelf } from './log-shelf.ts'
import type { CachedRun, RunCache } from './run-cache.ts'
import { EventScrubber } from './scrub-events.ts'
import type { SpanIntake } from './span-intake.ts'

/** Fences what was stored of a run before its session said what to hide: an exporter may be quicker than the session. */
export class SessionFence {
  readonly #scrubber: EventScrubber
  readonly #runs: RunCache
  readonly #loader: RunLoader
  readonly #spans: SpanIntake
  readonly #shelf: LogShelf

  constructor(database: DatabaseSync, runs: RunCache, loader: RunLoader, spans: SpanIntake, shelf: LogShelf) {
    this.#scrubber = new EventScrubber(database)
    this.#runs = runs
    this.#loader = loader
    this.#spans = spans
    this.#shelf = shelf
  }

  /** Log records may have come before the run itself. */
  applyToLogs(runId: string, hide: readonly string[]): void {
    this.#shelf.rewrite(runId, (log) => fenceLog(log, hide))
  }

  apply(run: CachedRun, hide: readonly string[]): void {
    const hasLogs = this.#shelf.has(run.row.id)
    for (const spanId of [...this.#runs.state(run).spans.keys()]) {
      for (const span of this.#loader.copies(run.row.key, spanId)) {
        const fenced = fenceSpan(span, hide)
        // What a record told of a span may be all that has to go.
        if (fenced !== span || hasLogs) this.#spans.take(run, fenced, true)
      }
    }
    this.#scrubber.scrub(run.row.key)
    run.state = undefined
  }
}
