import type { ChannelEvent, HistoryPage, RunStore } from '@graphmind-ai/hub'
import type { RunInfo } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import { eventRange } from '../store/reads/events.ts'
import { historyPages } from '../store/reads/history.ts'
import { type Liveness, runInfoOf } from '../store/reads/run-info.ts'
import { listRuns } from '../store/reads/run-list.ts'
import type { Tables } from '../store/tables.ts'
import type { RunFinder } from './run-finder.ts'

/** What the hub sees of the store: writes through the worker, reads on a connection of their own. */
export function runStore(
  database: Kysely<Tables>,
  find: RunFinder,
  liveness: Liveness,
  append: (events: readonly ChannelEvent[]) => Promise<void>,
): RunStore {
  return {
    append,
    async run(runId) {
      const row = await find(runId)
      return row === undefined ? undefined : runInfoOf(row, liveness)
    },
    async runs(limit): Promise<readonly RunInfo[]> {
      const page = await listRuns(database, { limit, nowMs: Date.now(), live: liveness })
      return page.ok ? page.value.rows.map((row) => runInfoOf(row, liveness)) : []
    },
    async history(runId, wish) {
      const run = await find(runId)
      if (run === undefined) return { count: 0, pages: noPages(), lastSeq: null }
      const range = await eventRange(database, run.key, wish.afterSeq)
      return { count: range.count, pages: historyPages(database, run, wish, range), lastSeq: range.lastSeq }
    },
  }
}

async function* noPages(): AsyncGenerator<HistoryPage> {
  yield* []
}
