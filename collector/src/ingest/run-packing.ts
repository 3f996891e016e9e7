import { PACKED, type RunPacker } from '../store/run-packer.ts'
import type { StoreWriter } from '../store/writer.ts'
import type { RunAppender } from './run-appender.ts'
import type { RunCache } from './run-cache.ts'

// A larger run is packed a piece a turn when it is quiet.
const MAX_PACKED_AT_ONCE = 2_000

/** Decides which runs are packed, and when. Inside the open transaction. */
export class RunPacking {
  readonly #writer: StoreWriter
  readonly #runs: RunCache
  readonly #appender: RunAppender
  readonly #packer: RunPacker
  readonly #nowMs: () => number
  /** Runs whose waiting spans were all derived in this commit. */
  readonly #caughtUp = new Set<string>()
  /** Large ones of them: packed a piece a turn. */
  readonly #toPack = new Set<string>()
  /** Runs that were unpacked to be read again. */
  readonly #toPackAgain = new Set<string>()

  constructor(writer: StoreWriter, runs: RunCache, appender: RunAppender, packer: RunPacker, nowMs: () => number) {
    this.#writer = writer
    this.#runs = runs
    this.#appender = appender
    this.#packer = packer
    this.#nowMs = nowMs
  }

  /** Nothing of the run waits to be derived any more. */
  noteCaughtUp(runId: string): void {
    this.#caughtUp.add(runId)
  }

  /** Packs what was derived whole and has ended before it is ever written as rows: nothing more is expected of it. */
  packCaughtUp(): void {
    for (const runId of this.#caughtUp) {
      const row = this.#runs.find(runId)?.row
      if (row === undefined || row.status === 'running' || this.#runs.isReopened(runId)) continue
      if (row.event_count > MAX_PACKED_AT_ONCE) {
        this.#toPack.add(runId)
        continue
      }
      this.#runs.drop(runId)
      this.#packer.pack(row.key)
    }
  }

  /**
   * Packs a page of each kind of this run. `packed`: nothing is left of it in rows. `open`: it has not ended, or the open commit has changed
   * it, so that it stays as it is.
   */
  packSome(runId: string): 'more' | 'packed' | 'open' {
    const row = this.#appender.dirty.has(runId) ? undefined : this.#writer.runById(runId)
    if (row === undefined || row.status === 'running' || row.waiting > 0) return 'open'
    if (row.packed === PACKED) return 'packed'
    this.#runs.drop(runId)
    return this.#packer.packSome(row.key) ? 'more' : 'packed'
  }

  /** How many events of the run are still to be packed, at the most. */
  unpackedEvents(runId: string): number {
    const row = this.#writer.runById(runId)
    return row === undefined || row.packed === PACKED ? 0 : row.event_count
  }

  isPacked(runId: string): boolean {
    return this.#writer.runById(runId)?.packed === PACKED
  }

  /** Packs the run in a later commit. */
  packAgain(runId: string): void {
    this.#toPackAgain.add(runId)
  }

  /** A run waits to be packed, which is done when it is quiet. */
  get isToPack(): boolean {
    return this.#toPack.size + this.#toPackAgain.size > 0
  }

  /** Packs some of a run that ended a while ago. False when there is none. */
  packNext(): boolean {
    const runId = this.#nextToPack() ?? this.#packer.next(this.#nowMs())
    // What this commit has changed is in memory only, its end too, and can be packed in the next.
    if (runId !== undefined && this.#appender.dirty.has(runId)) return true
    const row = runId === undefined ? undefined : this.#writer.runById(runId)
    if (runId !== undefined && (row === undefined || row.status === 'running')) this.#forget(runId)
    if (runId === undefined || row === undefined || row.status === 'running') return runId !== undefined
    this.#runs.drop(runId)
    if (!this.#packer.packSome(row.key)) {
      this.#runs.close(runId)
      this.#forget(runId)
    }
    return true
  }

  /** One that goes on while it is being packed is left until it has been quiet. */
  #nextToPack(): string | undefined {
    for (const runId of this.#toPack) {
      if (!this.#runs.isReopened(runId)) return runId
      this.#toPack.delete(runId)
    }
    const [again] = this.#toPackAgain
    return again
  }

  #forget(runId: string): void {
    this.#toPack.delete(runId)
    this.#toPackAgain.delete(runId)
  }

  /** The transaction is over, one way or the other. */
  clear(): void {
    this.#caughtUp.clear()
  }
}
