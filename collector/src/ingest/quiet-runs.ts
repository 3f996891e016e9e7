import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SweepRequest } from './messages.ts'
import type { RunAppender } from './run-appender.ts'
import { type CachedRun, mayHaveSpans, type RunCache } from './run-cache.ts'
import { settleQuietRun } from './run-events.ts'

/** Decides running runs that nothing more is expected of. */
export class QuietRuns {
  readonly #running: StatementSync
  readonly #runningImports: StatementSync
  readonly #runs: RunCache
  readonly #appender: RunAppender

  constructor(database: DatabaseSync, runs: RunCache, appender: RunAppender) {
    this.#running = database.prepare(
      "SELECT id FROM runs WHERE status = 'running' AND waiting = 0 AND ((had_session = 1 AND changed_at < ?) OR (had_session = 0 AND changed_at < ?))",
    )
    this.#runningImports = database.prepare("SELECT id FROM runs WHERE status = 'running' AND source = 'import'")
    this.#runs = runs
    this.#appender = appender
  }

  /** Decides runs that have gone quiet: finished by their topmost spans, or abandoned. */
  sweep({ sessionQuietBefore, spansQuietBefore, except }: SweepRequest): void {
    const spared = new Set(except)
    for (const runId of idsOf(this.#running, sessionQuietBefore, spansQuietBefore)) {
      const run = spared.has(runId) ? undefined : this.#runs.find(runId)
      if (run !== undefined) this.#giveUp(run)
    }
  }

  /** Decides those of these runs that were imported. */
  settleImported(runIds: ReadonlySet<string>): void {
    // Thousands of finished runs need not be taken up again; the rows of this transaction's runs are not written yet.
    for (const runId of new Set([...this.#appender.dirty, ...idsOf(this.#runningImports)])) {
      const run = runIds.has(runId) ? this.#runs.find(runId) : undefined
      if (run?.tally.source === 'import' && run.tally.status === 'running') this.#giveUp(run)
    }
  }

  #giveUp(run: CachedRun): void {
    this.#appender.mark(run.row.id)
    this.#appender.appendSpanEvents(run, mayHaveSpans(run) ? settleQuietRun(this.#runs.state(run)) : [])
    if (run.tally.status !== 'running') return
    run.tally.status = 'abandoned'
    run.tally.finishedAt = run.tally.lastTs
  }
}

function idsOf(statement: StatementSync, ...bound: readonly number[]): readonly string[] {
  return statement.all(...bound).map((row) => String(row['id']))
}
