import type { DecodedSpan } from '../otlp/decode.ts'
import { withdrawSpan } from './assemble.ts'
import type { RunLoader } from './load-run.ts'
import type { RunAppender } from './run-appender.ts'
import type { CachedRun, RunCache } from './run-cache.ts'
import type { RunState } from './run-state.ts'
import type { SpanIntake } from './span-intake.ts'
import { type Join, TraceJoins } from './trace-joins.ts'
import { describesCallOf } from './twins.ts'

/** Joins traces that turn out to be one run: their spans are shown in it as well, and their own runs leave the list. */
export class RunJoiner {
  readonly #joins: TraceJoins
  readonly #runs: RunCache
  readonly #loader: RunLoader
  readonly #spans: SpanIntake
  readonly #appender: RunAppender

  constructor(runs: RunCache, loader: RunLoader, spans: SpanIntake, appender: RunAppender) {
    this.#joins = new TraceJoins((process) => loader.roots(process))
    this.#runs = runs
    this.#loader = loader
    this.#spans = spans
    this.#appender = appender
  }

  /** Passes a span on to the run that its trace was joined to, or remembers that it may have to be. */
  note(run: CachedRun, span: DecodedSpan): void {
    const { id, merged_into: hostId } = run.row
    const { spanId, scope } = span.view
    const facts = this.#runs.state(run).spans.get(spanId)?.facts
    const host = hostId === null ? undefined : this.#runs.find(hostId)
    if (host !== undefined) this.#spans.take(this.#appender.touch(host.row.id), adopted(this.#runs.state(host), span, host.row.id))
    else if (facts !== undefined && facts.parent === undefined) {
      this.#joins.note({ runId: id, spanId, process: span.resource.hash, scope: scope.name, facts })
    }
  }

  /** Makes the joins that the spans of this commit led to, and undoes those that they proved wrong. */
  join(): void {
    const { joins, partings } = this.#joins.take((join) => this.#isSameCall(join))
    for (const { runId } of partings) this.#part(runId)
    for (const { stray, host } of joins) {
      const from = this.#runs.find(stray.runId)
      if (from === undefined || this.#runs.find(host.runId) === undefined) continue
      const into = this.#appender.touch(host.runId)
      for (const { id, facts } of [...this.#runs.state(from).spans.values()]) {
        if (facts.derived === true) continue
        for (const span of this.#loader.copies(from.row.key, id)) {
          const parent = span.view.parentSpanId ?? host.spanId
          this.#spans.take(into, { ...span, view: { ...span.view, traceId: host.runId, parentSpanId: parent } })
        }
      }
      this.#runs.merge(from.row, host.runId)
      this.#appender.mark(from.row.id)
    }
  }

  /** Shows a joined trace as a run of its own again. */
  #part(runId: string): void {
    const from = this.#runs.find(runId)
    const into = from?.row.merged_into == null ? undefined : this.#runs.find(from.row.merged_into)
    if (from === undefined || into === undefined) return
    this.#appender.touch(into.row.id)
    for (const { id, facts } of this.#runs.state(from).spans.values()) {
      if (facts.derived === true) continue
      this.#appender.appendSpanEvents(into, withdrawSpan(this.#runs.state(into), id, into.source))
      this.#loader.removeSpan(into.row.key, id)
    }
    // Read again without them when something comes.
    into.state = undefined
    this.#runs.unmerge(from.row)
    this.#appender.mark(runId)
  }

  /** A transaction was undone. */
  forget(): void {
    this.#joins.forget()
  }

  #isSameCall({ stray, host }: Join): boolean {
    const run = this.#runs.find(host.runId)
    return run !== undefined && describesCallOf(this.#runs.state(run), stray.facts)
  }
}

/** A span of another trace as the run sees it that its trace was joined to: below the place it was given there. */
export function adopted(state: RunState, span: DecodedSpan, runId: string): DecodedSpan {
  const { view } = span
  if (view.traceId === runId) return span
  const parentSpanId = view.parentSpanId ?? state.spans.get(view.spanId)?.facts.parent
  return { ...span, view: { ...view, traceId: runId, parentSpanId } }
}
