import type { Kysely } from 'kysely'
import { findRun, type RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'

/** Finds a run whose events, spans and counts may be read; undefined when there is none. */
export type RunFinder = (runId: string) => Promise<RunListRow | undefined>

interface Waits {
  /** Settles once all that programs have said so far is stored: what was said is held and listed before its commit. */
  readonly stored: () => Promise<unknown>
  /** Settles once nothing of a run waits: spans are stored before they are derived, and a run that is asked for comes first. */
  readonly derive: (runId: string) => Promise<void>
}

/** Finds a run as it is once everything that came for it is stored and derived. */
export function runFinder(database: Kysely<Tables>, { stored, derive }: Waits): RunFinder {
  return async (runId) => {
    await stored()
    const run = await findRun(database, runId)
    if (run === undefined || run.waiting === 0) return run
    await derive(runId)
    return findRun(database, runId)
  }
}
