import type { PauseInfo } from '@graphmind-ai/schema'

/** Closed pauses that are remembered, so that a replay does not open them again and a late command learns who won. */
const REMEMBERED = 10_000
/** Commands remembered per pause, so that a late answer is credited to the one who asked. */
const REMEMBERED_ASKS = 16

/** One person's or program's wish to release a pause. */
export interface Ask {
  readonly requestId: string
  /** Who asks, as the losers and the record are told. */
  readonly by: string
  /** What that person calls themselves; nobody checked it. */
  readonly operator?: string | undefined
}

export interface Pause {
  readonly info: Omit<PauseInfo, 'state'>
  /** The connection that sent exec.paused; a resume goes there and only its word counts. */
  readonly owner: string
  readonly resolving: Ask | undefined
  readonly asks: readonly Ask[]
}

export type AskOutcome =
  | { readonly outcome: 'send'; readonly pause: Pause }
  | { readonly outcome: 'taken'; readonly by: string }
  | { readonly outcome: 'no-such-pause' }

export interface Resolution {
  readonly pause: Pause
  /** The ask that the app's answer belongs to; undefined when the gate let go by itself. */
  readonly winner: Ask | undefined
}

/**
 * The held calls of all apps: open → resolving → closed. The first ask wins; a refusal or silence opens the pause again. Knows no
 * clock, no socket and no store: it is told what happened and says what follows.
 */
export class PauseRegistry {
  readonly #pauses = new Map<string, Pause>()
  /** Who let a call go, and whether that is only what follows from a lost connection. */
  readonly #closed = new Map<string, { readonly by: string; readonly isGuess: boolean }>()
  readonly #heldByRun = new Map<string, number>()

  /**
   * An app holds a call. False when that was known already. An app that proved to be the one that was lost (`isBack`) may say that it
   * held on after all; a release that it told itself stays one, however often the hold is replayed.
   */
  paused(info: Omit<PauseInfo, 'state'>, owner: string, isBack: boolean): boolean {
    const key = keyOf(info.runId, info.pauseId)
    const closed = this.#closed.get(key)
    if (this.#pauses.has(key) || (closed !== undefined && !(isBack && closed.isGuess))) return false
    this.#closed.delete(key)
    this.#pauses.set(key, { info, owner, resolving: undefined, asks: [] })
    this.#count(info.runId, 1)
    return true
  }

  ask(runId: string, pauseId: string, ask: Ask): AskOutcome {
    const pause = this.exact(runId, pauseId) ?? this.#only(pauseId)
    if (pause === undefined) {
      const closed = this.#closed.get(keyOf(runId, pauseId))
      return closed === undefined ? { outcome: 'no-such-pause' } : { outcome: 'taken', by: closed.by }
    }
    if (pause.resolving !== undefined) return { outcome: 'taken', by: nameOf(pause.resolving) }
    const asks = [...pause.asks, ask].slice(-REMEMBERED_ASKS)
    return { outcome: 'send', pause: this.#replace({ ...pause, resolving: ask, asks }) }
  }

  /** The app let the call go. `cause` is what it said; undefined when the pause is not this owner's. */
  resumed(runId: string, pauseId: string, owner: string, answer: { cause: string; requestId: string | undefined }): Resolution | undefined {
    const pause = this.exact(runId, pauseId)
    if (pause === undefined || pause.owner !== owner) return undefined
    const byPerson = answer.cause === 'viewer'
    const named = pause.asks.find((ask) => ask.requestId === answer.requestId)
    const winner = byPerson ? (answer.requestId === undefined ? pause.resolving : named) : undefined
    this.#close(pause, { by: winner === undefined ? answer.cause : nameOf(winner), isGuess: false })
    return { pause, winner }
  }

  /** The app could not do what was asked: open again. Undefined when the answer is to nobody's ask. */
  refused(runId: string, pauseId: string, owner: string, requestId: string | undefined): Ask | undefined {
    const pause = this.exact(runId, pauseId)
    if (pause === undefined || pause.owner !== owner) return undefined
    const ask = requestId === undefined ? pause.resolving : pause.asks.find((other) => other.requestId === requestId)
    if (ask !== undefined && ask === pause.resolving) this.#replace({ ...pause, resolving: undefined })
    return ask
  }

  /** The app did not answer in time: open again. */
  silent(runId: string, pauseId: string, ask: Ask): boolean {
    const pause = this.exact(runId, pauseId)
    if (pause === undefined || pause.resolving !== ask) return false
    this.#replace({ ...pause, resolving: undefined })
    return true
  }

  /** The connection is gone, and an app that lost its debugger lets every call go: all its pauses are closed. */
  ownerGone(owner: string): Pause[] {
    const gone = [...this.#pauses.values()].filter((pause) => pause.owner === owner)
    for (const pause of gone) this.#close(pause, { by: 'link-lost', isGuess: true })
    return gone
  }

  exact(runId: string, pauseId: string): Pause | undefined {
    return this.#pauses.get(keyOf(runId, pauseId))
  }

  heldIn(runId: string): number {
    return this.#heldByRun.get(runId) ?? 0
  }

  heldBy(owner: string): number {
    return [...this.#pauses.values()].filter((pause) => pause.owner === owner).length
  }

  list(): PauseInfo[] {
    return [...this.#pauses.values()].map(({ info, resolving }) => ({ ...info, state: resolving === undefined ? 'open' : 'resolving' }))
  }

  /** The one pause with this id in any run: a viewer may name a run that a trace was merged into. */
  #only(pauseId: string): Pause | undefined {
    const same = [...this.#pauses.values()].filter((pause) => pause.info.pauseId === pauseId)
    return same.length === 1 ? same[0] : undefined
  }

  #replace(pause: Pause): Pause {
    this.#pauses.set(keyOf(pause.info.runId, pause.info.pauseId), pause)
    return pause
  }

  #close(pause: Pause, closed: { readonly by: string; readonly isGuess: boolean }): void {
    const key = keyOf(pause.info.runId, pause.info.pauseId)
    this.#pauses.delete(key)
    this.#count(pause.info.runId, -1)
    this.#closed.set(key, closed)
    const oldest = this.#closed.keys().next().value
    if (this.#closed.size > REMEMBERED && oldest !== undefined) this.#closed.delete(oldest)
  }

  #count(runId: string, change: number): void {
    const held = this.heldIn(runId) + change
    if (held === 0) this.#heldByRun.delete(runId)
    else this.#heldByRun.set(runId, held)
  }
}

/** Who asked, as others are told: the credential first, for a name can be made up. */
export function nameOf({ by, operator }: Pick<Ask, 'by' | 'operator'>): string {
  return operator === undefined ? by : `${by} (${operator})`
}

function keyOf(runId: string, pauseId: string): string {
  return `${runId}\0${pauseId}`
}
