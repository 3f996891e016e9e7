import type { Kysely } from 'kysely'
import { findRun, type RunListRow } from '../store/reads/runs.ts'
import type { Tables } from '../store/tables.ts'

/** Finds a run whose events, spans and counts may be read; undefined when there is none. */
export type RunFinder = (runId: string) => Promise<RunListRow | undefined>

/** `derive` settles once nothing of a run waits: spans are stored before they are derived, and a run that is asked for comes first. */
export function runFinder(database: Kysely<Tables>, derive: (runId: string) => Promise<void>): RunFinder {
  return async (runId) => {
    const run = await findRun(database, runId)
    if (run === undefined || run.waiting === 0) return run
    await derive(runId)
    return findRun(database, runId)
  }
}
