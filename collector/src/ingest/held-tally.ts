import { Stretches } from '@graphmind-ai/schema'

/** How long calls of a run were held; the same as the schema's `runHeldMs` tells of the folded run. */
export interface HeldTime {
  /** Ms in which at least one call was held, without what is open at `since`. */
  readonly heldMs: number
  /** Epoch ms; null while nothing is held. */
  readonly since: number | null
}

/** Counts holds as their events come, in whatever order. */
export class HeldTally {
  readonly #open = new Map<string, number>()
  /** Releases that came before their hold, by pause. */
  readonly #early = new Map<string, number>()
  readonly #closed = new Stretches()
  /** What spans say of themselves: how long their call was held, and since when it ran. */
  readonly #said = new Map<string, readonly [startedAt: number, heldMs: number]>()
  #hasPauses = false

  /** Takes in `exec.paused` and `exec.resumed`; `ts` is epoch ms. */
  event(type: string, pauseId: unknown, ts: number): void {
    if (typeof pauseId !== 'string') return
    if (type === 'exec.paused') this.#pause(pauseId, ts)
    else if (type === 'exec.resumed') this.#release(pauseId, ts)
  }

  /** What a shown instance's own span says; undefined takes it back. */
  said(id: string, startedAt: number, heldMs: number | undefined): void {
    if (heldMs === undefined) this.#said.delete(id)
    else this.#said.set(id, [startedAt, heldMs])
  }

  /** As of now for a run that goes on; up to its end for one that has ended, when `finishedAt` is a time. All times are epoch ms. */
  within(startedAt: number, finishedAt: number | null): HeldTime {
    const open = Math.min(...this.#open.values())
    const from = Math.max(open, startedAt)
    if (!this.#hasPauses) return { heldMs: this.#saidStretches().within(startedAt, finishedAt ?? Number.POSITIVE_INFINITY), since: null }
    if (this.#open.size === 0) return { heldMs: this.#closed.within(startedAt, finishedAt ?? Number.POSITIVE_INFINITY), since: null }
    const heldMs = this.#closed.within(startedAt, Math.min(from, finishedAt ?? from))
    return finishedAt === null ? { heldMs, since: from } : { heldMs: heldMs + Math.max(0, finishedAt - from), since: null }
  }

  #pause(pauseId: string, ts: number): void {
    this.#hasPauses = true
    const released = this.#early.get(pauseId)
    if (released === undefined) this.#open.set(pauseId, ts)
    else this.#closed.add(ts, released)
    this.#early.delete(pauseId)
  }

  #release(pauseId: string, ts: number): void {
    const since = this.#open.get(pauseId)
    if (since === undefined) this.#early.set(pauseId, ts)
    else this.#closed.add(since, ts)
    this.#open.delete(pauseId)
  }

  #saidStretches(): Stretches {
    const held = new Stretches()
    for (const [startedAt, heldMs] of this.#said.values()) held.add(startedAt, startedAt + heldMs)
    return held
  }
}
