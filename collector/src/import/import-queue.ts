import type { Ingest } from '../ingest/ingest.ts'
import type { FromWorker, ImportMessage } from '../ingest/messages.ts'
import { failed, ok } from '../problem.ts'
import { ImportJob } from './import-job.ts'

// With the 1000 of live traffic, a file of 1 GB took 420 MB of memory; with 64 it is no slower.
const KEPT_RUNS = 64
// Packing what a piece brings takes 2 or 3 ms; a resume that comes meanwhile waits for it.
const PACK_MS = 10
// Between the turns at the end of a file control events get in.
const PACK_MS_AT_END = 20

/** Imports on their way through the worker: a piece of a file each turn, so that control events get in between. */
export class ImportQueue {
  readonly #ingest: Ingest
  readonly #jobs = new Map<number, ImportJob>()
  readonly #pieces: ImportMessage[] = []
  #current: ImportMessage | undefined

  constructor(ingest: Ingest) {
    this.#ingest = ingest
  }

  add(message: ImportMessage): void {
    this.#pieces.push(message)
  }

  get isWaiting(): boolean {
    return this.#pieces.length > 0
  }

  /** How many runs may stay in memory: files hold runs one after the other, and what is kept of finished ones becomes garbage late. */
  get keptRuns(): number | undefined {
    return this.#jobs.size > 0 || this.isWaiting ? KEPT_RUNS : undefined
  }

  /** Does one piece; its answer goes out after the commit. */
  turn(answers: FromWorker[]): void {
    const message = this.#pieces.shift()
    this.#current = message
    if (message !== undefined) answers.push(this.#run(message))
  }

  /** The turn's work is in the store. */
  committed(): void {
    this.#current = undefined
  }

  /** The turn's transaction failed: the import it was for ends here. Undefined when there was none. */
  refuse(words: string): FromWorker | undefined {
    const message = this.#current
    if (message === undefined) return undefined
    this.#current = undefined
    this.#jobs.delete(message.importId)
    return { kind: 'imported', id: message.id, result: failed('store', words) }
  }

  #run({ id, importId, piece }: ImportMessage): FromWorker {
    if (piece === 'drop') {
      this.#jobs.delete(importId)
      return { kind: 'imported', id, result: ok({ spans: 0, events: 0, logs: 0, skippedCount: 0 }) }
    }
    const job = this.#jobs.get(importId) ?? new ImportJob(this.#ingest)
    this.#jobs.set(importId, job)
    if (piece !== 'end') {
      const progress = job.take(piece)
      job.packEarlier(within(PACK_MS))
      return { kind: 'imported', id, result: ok(progress) }
    }
    const done = job.finish(within(PACK_MS_AT_END))
    if ('runIds' in done) this.#jobs.delete(importId)
    return { kind: 'imported', id, result: ok(done) }
  }
}

/** True once so many milliseconds have gone by since the call. */
function within(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() >= end
}
