import type { DatabaseSync } from 'node:sqlite'
import { Checkpoints } from '../store/library/checkpoints.ts'
import { FreePages } from '../store/library/free-pages.ts'
import { Purger } from '../store/library/purger.ts'
import { RetainedRuns } from '../store/library/retained-runs.ts'
import { expiredRuns, type RetainedRun, type RetentionPolicy } from '../store/library/retention.ts'
import type { Committed, Ingest } from './ingest.ts'
import type { Pruned } from './messages.ts'
import { Recount } from './recount.ts'

// Beginning the end of a run is a few rows; a hundred of them are a few milliseconds.
const RUNS_A_STEP = 100
// Age moves on without anything happening.
const LOOK_AGAIN_MS = 60_000

/**
 * What the writing thread does when nobody waits for it: applies the retention, removes what was deleted, gives its space back, counts what
 * earlier versions did not, and fills the full-text index. Works in steps of a millisecond or two, so that it can stop at any time.
 */
export class Housekeeper {
  readonly #ingest: Ingest
  readonly #nowMs: () => number
  readonly #runs: RetainedRuns
  readonly #purger: Purger
  readonly #pages: FreePages
  readonly #checkpoints: Checkpoints
  readonly #recount: Recount
  #expiring: string[] = []
  #hasChanged = true
  #lookedAt = Number.NEGATIVE_INFINITY
  #retention: { readonly policy: RetentionPolicy; readonly held: ReadonlySet<string> } | undefined

  constructor(database: DatabaseSync, ingest: Ingest, nowMs: () => number) {
    this.#ingest = ingest
    this.#nowMs = nowMs
    this.#runs = new RetainedRuns(database)
    this.#purger = new Purger(database, ingest.search)
    this.#pages = new FreePages(database)
    this.#checkpoints = new Checkpoints(database, nowMs)
    this.#recount = new Recount(database)
  }

  /** What is to be kept from now on. Not known before the first call: then nothing expires. */
  retain(policy: RetentionPolicy, held: readonly string[]): void {
    this.#retention = { policy, held: new Set(held) }
  }

  /** Runs have changed, so that others may have become too many. */
  changed(): void {
    this.#hasChanged = true
  }

  /** Does one step, or several in one commit until it is enough; false when nothing is left to do. `announce` is told of runs that left the list. */
  step(announce: (committed: Committed) => void, isEnough: () => boolean = () => true): boolean {
    if (this.#checkpoints.shorten()) return true
    if (this.#expiring.length > 0) {
      const ids = this.#expiring.splice(0, RUNS_A_STEP)
      announce(this.#ingest.commit(() => this.#ingest.library.expire(ids)))
      return true
    }
    const due = this.#ingest.library.due(RUNS_A_STEP)
    if (due.length > 0) {
      this.#ingest.commit(() => this.#ingest.library.beginPurge(due))
      return true
    }
    return this.#purger.step() || this.#pages.step() || this.#look() || this.#count(announce) || this.#index(isEnough)
  }

  /** Gives some free pages of the file back; false when there is not enough of them. */
  shrink(): boolean {
    return this.#pages.step()
  }

  /** After the last step; true when something is left to be done once the store is quiet. */
  settle(): boolean {
    return this.#checkpoints.settle()
  }

  /** Which runs a policy would let go now, and about what they take. */
  expired(policy: RetentionPolicy, held: ReadonlySet<string>): { readonly runs: readonly RetainedRun[]; readonly bytes: number } {
    const all = [...this.#runs.newestFirst(held)]
    const listedEvents = all.reduce((sum, run) => sum + run.eventCount, 0)
    const events = listedEvents + this.#purger.waitingEvents()
    // What was deleted is still in the file, and goes without our help.
    const usedBytes = events === 0 ? 0 : (this.#pages.usedBytes() * listedEvents) / events
    const runs = expiredRuns(all, policy, this.#nowMs(), usedBytes)
    const share = listedEvents === 0 ? 0 : runs.reduce((sum, run) => sum + run.eventCount, 0) / listedEvents
    return { runs, bytes: Math.round(usedBytes * share) }
  }

  /** Lets runs go in the open transaction, or only says which. */
  prune(policy: RetentionPolicy, held: readonly string[], dryRun: boolean): Pruned {
    const { runs, bytes } = this.expired(policy, new Set(held))
    if (!dryRun) this.#ingest.library.expire(runs.map(({ id }) => id))
    return { runs: runs.map(({ id, name, startedAt }) => ({ id, name, startedAt })), bytes }
  }

  #count(announce: (committed: Committed) => void): boolean {
    let isMore = false
    const committed = this.#ingest.commit(() => {
      const counted = this.#recount.step()
      isMore = counted !== false
      if (counted !== false && counted.runId !== undefined) this.#ingest.library.rewritten(counted.runId)
    })
    if (committed.runs.length > 0) announce(committed)
    return isMore
  }

  /** One commit for all: the index of each is written as a part of its own, which has to be joined with the others later. */
  #index(isEnough: () => boolean): boolean {
    let isMore = false
    this.#ingest.commit(() => {
      do isMore = this.#ingest.search.step()
      while (isMore && !isEnough())
    })
    return isMore
  }

  #look(): boolean {
    const nowMs = this.#nowMs()
    if (this.#retention === undefined || !(this.#hasChanged || nowMs - this.#lookedAt >= LOOK_AGAIN_MS)) return false
    this.#hasChanged = false
    this.#lookedAt = nowMs
    this.#expiring = this.expired(this.#retention.policy, this.#retention.held).runs.map(({ id }) => id)
    return this.#expiring.length > 0
  }
}
