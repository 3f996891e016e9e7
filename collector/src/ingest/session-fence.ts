import type { DatabaseSync } from 'node:sqlite'
import { fenceSpan } from './fence.ts'
import type { RunLoader } from './load-run.ts'
import type { CachedRun, RunCache } from './run-cache.ts'
import { EventScrubber } from './scrub-events.ts'
import type { SpanIntake } from './span-intake.ts'

/** Fences what was stored of a run before its session said what to hide: an exporter may be quicker than the session. */
export class SessionFence {
  readonly #scrubber: EventScrubber
  readonly #runs: RunCache
  readonly #loader: RunLoader
  readonly #spans: SpanIntake

  constructor(database: DatabaseSync, runs: RunCache, loader: RunLoader, spans: SpanIntake) {
    this.#scrubber = new EventScrubber(database)
    this.#runs = runs
    this.#loader = loader
    this.#spans = spans
  }

  apply(run: CachedRun, hide: readonly string[]): void {
    for (const spanId of [...this.#runs.state(run).spans.keys()]) {
      for (const span of this.#loader.copies(run.row.key, spanId)) {
        const fenced = fenceSpan(span, hide)
        if (fenced !== span) this.#spans.take(run, fenced, true)
      }
    }
    this.#scrubber.scrub(run.row.key)
    run.state = undefined
  }
}
