import { deriveNodes } from '@graphmind-ai/mappings'
import type { RunSource } from '@graphmind-ai/schema'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import { assembleDerived } from './assemble.ts'
import { fenceLog } from './fence.ts'
import { appOf, type RunLoader } from './load-run.ts'
import { LogIntake, type LogNews } from './log-intake.ts'
import type { LogShelf } from './log-shelf.ts'
import type { RunAppender } from './run-appender.ts'
import type { RunCache } from './run-cache.ts'
import { adopted } from './run-joiner.ts'
import type { SpanIntake } from './span-intake.ts'

/** Lets log records tell what they know: of spans that are there, and of sessions that have none. */
export class LogReader {
  readonly #intake: LogIntake
  readonly #shelf: LogShelf
  readonly #runs: RunCache
  readonly #loader: RunLoader
  readonly #spans: SpanIntake
  readonly #appender: RunAppender

  constructor(shelf: LogShelf, runs: RunCache, loader: RunLoader, spans: SpanIntake, appender: RunAppender) {
    this.#intake = new LogIntake(shelf)
    this.#shelf = shelf
    this.#runs = runs
    this.#loader = loader
    this.#spans = spans
    this.#appender = appender
  }

  /**
   * Kept until the commit looks at what it is about, so it does not matter whether it or its span comes first. Returns that run's id;
   * undefined for a record that is not kept.
   */
  add(record: DecodedLog, source: RunSource): string | undefined {
    const { traceId } = record.view
    return this.#intake.add(traceId === undefined ? record : fenceLog(record, this.#runs.hideOf(traceId)), source)
  }

  /** The runs that records came for since the last call, and what in them they are about. */
  take(): ReadonlyMap<string, LogNews> {
    return this.#intake.take()
  }

  /** Reads anew what the records of one run say about these subjects. */
  read(runId: string, { source, subjects }: LogNews): void {
    const session = this.#shelf.ofSession(runId)
    for (const node of deriveNodes(session)) {
      const run = this.#appender.touch(runId)
      if (run.tally.eventCount === 0) this.#runs.state(run).source = source
      this.#appender.appendSpanEvents(run, assembleDerived(this.#runs.state(run), node, appOf(session), run.source))
    }
    if (this.#runs.find(runId) === undefined) return
    const run = this.#appender.touch(runId)
    const state = this.#runs.state(run)
    const spanIds = new Set([...subjects].flatMap((subject) => state.subjects.get(subject) ?? []))
    for (const spanId of spanIds)
      for (const span of this.#loader.copies(run.row.key, spanId)) this.#spans.take(run, adopted(state, span, runId), true)
  }
}
