import {
  findForbiddenMarker,
  type PauseInfo,
  type PayloadOf,
  type RefusalCode,
  type ResumeAction,
  type ResumeOutcome,
  type ViewerErrorCode,
} from '@graphmind-ai/schema'
import type { ControlLevel } from '../rights.ts'
import { cleanOperator } from './operator.ts'
import { type Ask, nameOf, type Pause, PauseRegistry } from './registry.ts'
import { UnwatchedHolds } from './unwatched.ts'

/** An app that says nothing for this long has not taken the command: others may try. */
export const SILENCE_MS = 5000

/** Who is named when a hold that nobody watched ran out of its time. */
const UNWATCHED = 'unwatched'

/** A wish to release one held call. */
export interface ResumeRequest {
  readonly runId: string
  readonly pauseId: string
  readonly action: ResumeAction
  /** Only with inject. */
  readonly output?: unknown
  /** An edit of the input: with continue at before, with retry at after and error. */
  readonly input?: unknown
  /** Echoed in the answer and in the record; made up when absent. */
  readonly requestId?: string | undefined
  /** Who asks: `viewer`, `agent`, a name. It is what the record and the losers are told. */
  readonly principal: string
  /** How far they may go; all the way when absent. */
  readonly level?: ControlLevel
  /** What that person calls themselves; it goes into the record beside the principal. */
  readonly operator?: unknown
  /** How long to wait for the app's answer, ms; 5000 when absent. A late answer still counts. */
  readonly waitMs?: number | undefined
}

/** Who let a call go, for the stored record: the app can't know that, and may not claim it. */
export type Stamp =
  | { readonly principal: string; readonly operator?: string }
  /** No person did: the hold ran out of its time. */
  | { readonly cause: 'timeout'; readonly unwatched: true }

export interface ResumeAnswer {
  readonly outcome: ResumeOutcome
  readonly code?: RefusalCode | ViewerErrorCode
  readonly message?: string
  /** Who won, when the outcome is `taken`. */
  readonly by?: string
}

/** The connection that holds a call. */
export interface PauseOwner {
  readonly id: string
  /** It proved to be an app that was connected before. */
  readonly isBack: boolean
  /** How long its calls may be held while nobody watches, ms. */
  readonly unwatchedHoldMs: number | undefined
}

export interface DeskPorts {
  ids(): string
  /** Sends to the owner of a pause; false when it is gone. */
  send(owner: string, command: PayloadOf<'exec.resume'>, runId: string): boolean
  held(runId: string, count: number): void
  /** A call is held or no longer, or its pause may be asked for again. */
  changed(): void
}

/** Where commands for held calls are handed in and answered: the registry decides, the desk keeps the waiting askers and the timers. */
export class PauseDesk {
  readonly #registry = new PauseRegistry()
  readonly #ports: DeskPorts
  readonly #waiting = new Map<Ask, (answer: ResumeAnswer) => void>()
  readonly #unwatched = new UnwatchedHolds(async (runId, pauseId) => {
    const { outcome } = await this.resume({ runId, pauseId, action: 'continue', principal: UNWATCHED })
    return outcome === 'resumed' || outcome === 'no-such-pause'
  })

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  list(): PauseInfo[] {
    return this.#registry.list()
  }

  heldBy(owner: string): number {
    return this.#registry.heldBy(owner)
  }

  /** True when the pause belongs to another connection, whose word alone counts. */
  isForeign(runId: string, pauseId: string, owner: string): boolean {
    const pause = this.#registry.exact(runId, pauseId)
    return pause !== undefined && pause.owner !== owner
  }

  /** Whether somebody could see what is held. */
  get isWatched(): boolean {
    return this.#unwatched.isWatched
  }

  /** Somebody could see what is held, until the returned function is called. */
  watch(): () => void {
    return this.#unwatched.watch()
  }

  find(runId: string, pauseId: string): PauseInfo | undefined {
    return this.#registry.list().find((pause) => pause.runId === runId && pause.pauseId === pauseId)
  }

  /** False when that was known already. */
  paused(info: Omit<PauseInfo, 'state'>, owner: PauseOwner): boolean {
    if (!this.#registry.paused(info, owner.id, owner.isBack)) return false
    if (owner.unwatchedHoldMs !== undefined) this.#unwatched.held(info.runId, info.pauseId, owner.unwatchedHoldMs)
    this.#tellHeld(info.runId)
    return true
  }

  /** The app let a call go; answers what the record is to say about who did it. */
  resumed(runId: string, owner: string, payload: PayloadOf<'exec.resumed'>): Stamp | undefined {
    const { pauseId, requestId } = payload
    // A client of the 0.6 generation names no cause; then it was a person if somebody asked.
    const cause = payload.cause ?? 'viewer'
    const resolution = this.#registry.resumed(runId, pauseId, owner, { cause, requestId })
    if (resolution === undefined) return undefined
    const { pause, winner } = resolution
    const by = winner === undefined ? cause : nameOf(winner)
    for (const ask of pause.asks) {
      this.#answer(
        ask,
        ask === winner ? { outcome: 'resumed' } : { outcome: 'taken', code: 'pause-taken', by, message: `Already released (${by}).` },
      )
    }
    this.#unwatched.released(runId, pauseId)
    this.#tellHeld(runId)
    if (winner === undefined) return undefined
    if (winner.by === UNWATCHED) return { cause: 'timeout', unwatched: true }
    return { principal: winner.by, ...(winner.operator === undefined ? {} : { operator: winner.operator }) }
  }

  refused(runId: string, owner: string, payload: PayloadOf<'exec.refused'>): void {
    const ask = this.#registry.refused(runId, payload.pauseId, owner, payload.requestId)
    if (ask === undefined) return
    const { code, message } = payload
    this.#answer(ask, { outcome: 'refused', code, ...(message === undefined ? {} : { message }) })
    this.#ports.changed()
  }

  /** The connection is gone: its pauses are closed, and whoever waited for one of them learns it. */
  ownerGone(owner: string): Pause[] {
    const gone = this.#registry.ownerGone(owner)
    for (const { info, asks } of gone) {
      for (const ask of asks)
        this.#answer(ask, { outcome: 'timeout', code: 'no-owner', message: 'The program disconnected before it answered.' })
      this.#unwatched.released(info.runId, info.pauseId)
      this.#tellHeld(info.runId)
    }
    return gone
  }

  /** Asks the owner to release a call. Settles with the app's answer, or when its time is over; never rejects. */
  resume(request: ResumeRequest): Promise<ResumeAnswer> {
    const { runId, pauseId, action, output, input } = request
    const marker = findForbiddenMarker(action === 'inject' ? output : input)
    if (marker !== undefined) return Promise.resolve({ outcome: 'refused', code: marker, message: markerMessage[marker] })
    const ask: Ask = { requestId: request.requestId ?? this.#ports.ids(), by: request.principal, operator: cleanOperator(request.operator) }
    const asked = this.#registry.ask(runId, pauseId, ask)
    if (asked.outcome === 'no-such-pause') {
      return Promise.resolve({
        outcome: 'no-such-pause',
        code: 'no-such-pause',
        message: 'No such call is held. It may have gone on already.',
      })
    }
    if (asked.outcome === 'taken') {
      return Promise.resolve({ outcome: 'taken', code: 'pause-taken', by: asked.by, message: `Already released (${asked.by}).` })
    }
    const { info, owner } = asked.pause
    return new Promise((resolve) => {
      const silence = setTimeout(() => {
        if (this.#registry.silent(info.runId, pauseId, ask)) this.#ports.changed()
      }, SILENCE_MS).unref()
      const patience = setTimeout(() => this.#answer(ask, noAnswer), request.waitMs ?? SILENCE_MS).unref()
      this.#waiting.set(ask, (answer) => {
        clearTimeout(patience)
        if (answer !== noAnswer) clearTimeout(silence)
        resolve(answer)
      })
      const command = {
        pauseId,
        action,
        requestId: ask.requestId,
        ...(action === 'inject' ? { output } : {}),
        ...(input === undefined ? {} : { input }),
      }
      if (this.#ports.send(owner, command, info.runId)) return
      this.#registry.silent(info.runId, pauseId, ask)
      this.#answer(ask, { outcome: 'timeout', code: 'no-owner', message: 'The program is not connected.' })
    })
  }

  /** Answers everybody who still waits. */
  dispose(): void {
    this.#unwatched.dispose()
    for (const ask of [...this.#waiting.keys()])
      this.#answer(ask, { outcome: 'timeout', code: 'no-owner', message: 'The server is stopping.' })
  }

  #answer(ask: Ask, answer: ResumeAnswer): void {
    this.#waiting.get(ask)?.(answer)
    this.#waiting.delete(ask)
  }

  #tellHeld(runId: string): void {
    this.#ports.held(runId, this.#registry.heldIn(runId))
    this.#ports.changed()
  }
}

const noAnswer: ResumeAnswer = { outcome: 'timeout', message: 'The program did not answer. The call is still held; try again.' }

const markerMessage = {
  placeholder: 'The value holds the placeholder of a hidden value. Write the real value.',
  truncated: 'The value was cut to be shown. Write the whole value.',
}
