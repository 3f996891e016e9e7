import type { Ingest } from '../ingest/ingest.ts'
import { EVENTS_A_PAGE } from '../store/run-packer.ts'

// A run that goes on after it was packed is unpacked again. So a run waits until as much of the file has gone by without it as it takes
// itself, and not less than this: then packing costs no more than storing did, however a file mixes its runs.
const QUIET_BYTES = 4 * 1024 * 1024
const BYTES_A_SPAN = 4 * 1024
// Large runs that have to wait longer than those behind them stand in front; looking at all would cost more than it finds.
const LOOKED_AT = 64

interface Waiting {
  /** How far the file was read when something last came for the run. */
  at: number
  spans: number
}

/** How much of what is left at the end of a file is packed. */
export interface Packing {
  readonly done: number
  readonly of: number
}

/** Packs the runs of an import while it goes on, so that the file of the database does not first grow to several times its size. */
export class ImportPacker {
  readonly #ingest: Ingest
  /** Those that something came for longest ago first. */
  readonly #waiting = new Map<string, Waiting>()
  /** Runs that have not ended, as far as is known. */
  readonly #open = new Set<string>()
  #end: { readonly runs: string[]; readonly of: number; done: number } | undefined

  constructor(ingest: Ingest) {
    this.#ingest = ingest
  }

  /** Something came for this run when the file was read so far. */
  touched(runId: string, at: number): void {
    const known = this.#waiting.get(runId)
    this.#open.delete(runId)
    this.#waiting.delete(runId)
    this.#waiting.set(runId, { at, spans: (known?.spans ?? 0) + 1 })
  }

  /** Packs runs that nothing came for lately, until it is enough. In the open transaction. */
  step(at: number, isEnough: () => boolean): void {
    let looked = 0
    for (const [runId, run] of this.#waiting) {
      if (at - run.at < QUIET_BYTES || looked++ >= LOOKED_AT) return
      if (at - run.at < run.spans * BYTES_A_SPAN) continue
      while (!isEnough()) if (this.#packSome(runId)) break
      if (isEnough()) return
    }
  }

  /** Packs what is left after the file's end, until it is enough; undefined once all is packed. In the open transaction. */
  finish(isEnough: () => boolean): Packing | undefined {
    this.#end ??= this.#theRest()
    const end = this.#end
    for (let [runId] = end.runs; runId !== undefined; [runId] = end.runs) {
      if (isEnough()) return { done: Math.min(end.done, end.of), of: end.of }
      if (this.#packSome(runId)) end.runs.shift()
      end.done += EVENTS_A_PAGE
    }
    return undefined
  }

  #theRest(): { readonly runs: string[]; readonly of: number; done: number } {
    const runs = [...this.#waiting.keys(), ...this.#open]
    const of = runs.reduce((sum, runId) => sum + Math.max(this.#ingest.packing.unpackedEvents(runId), EVENTS_A_PAGE), 0)
    return { runs, of, done: 0 }
  }

  /** True when nothing more can be done for the run now. */
  #packSome(runId: string): boolean {
    const outcome = this.#ingest.packing.packSome(runId)
    if (outcome === 'more') return false
    this.#waiting.delete(runId)
    if (outcome === 'open') this.#open.add(runId)
    return true
  }
}
