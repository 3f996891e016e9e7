import {
  findForbiddenMarker,
  type PauseInfo,
  type PayloadOf,
  type RefusalCode,
  type ResumeAction,
  type ResumeOutcome,
  type ViewerErrorCode,
} from '@graphmind-ai/schema'
import { type Ask, type Pause, PauseRegistry } from './registry.ts'

/** An app that says nothing for this long has not taken the command. */
export const SILENCE_MS = 5000

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
}

export interface ResumeAnswer {
  readonly outcome: ResumeOutcome
  readonly code?: RefusalCode | ViewerErrorCode
  readonly message?: string
  /** Who won, when the outcome is `taken`. */
  readonly by?: string
}

export interface DeskPorts {
  ids(): string
  /** Sends to the owner of a pause; false when it is gone. */
  send(owner: string, command: PayloadOf<'exec.resume'>, runId: string): boolean
  held(runId: string, count: number): void
}

/** Where commands for held calls are handed in and answered: the registry decides, the desk keeps the waiting askers and the timers. */
export class PauseDesk {
  readonly #registry = new PauseRegistry()
  readonly #ports: DeskPorts
  readonly #waiting = new Map<Ask, (answer: ResumeAnswer) => void>()

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

  paused(info: Omit<PauseInfo, 'state'>, owner: string): void {
    if (this.#registry.paused(info, owner)) this.#tellHeld(info.runId)
  }

  /** The app let a call go; answers who is to be named in the record for it. */
  resumed(runId: string, owner: string, payload: PayloadOf<'exec.resumed'>): string | undefined {
    // A client of the 0.6 generation names no cause; then it was a person if somebody asked.
    const cause = payload.cause ?? 'viewer'
    const resolution = this.#registry.resumed(runId, payload.pauseId, owner, { cause, requestId: payload.requestId })
    if (resolution === undefined) return undefined
    const { waiting, winner } = resolution
    if (waiting !== undefined) {
      const by = winner?.by ?? cause
      this.#answer(
        waiting,
        waiting === winner ? { outcome: 'resumed' } : { outcome: 'taken', code: 'pause-taken', by, message: `Already released (${by}).` },
      )
    }
    this.#tellHeld(runId)
    return winner?.by
  }

  refused(runId: string, owner: string, payload: PayloadOf<'exec.refused'>): void {
    const ask = this.#registry.refused(runId, payload.pauseId, owner, payload.requestId)
    if (ask === undefined) return
    const { code, message } = payload
    this.#answer(ask, { outcome: 'refused', code, ...(message === undefined ? {} : { message }) })
  }

  /** The connection is gone: its pauses are closed, and whoever waited for one of them learns it. */
  ownerGone(owner: string): Pause[] {
    const gone = this.#registry.ownerGone(owner)
    for (const { info, resolving } of gone) {
      if (resolving !== undefined)
        this.#answer(resolving, { outcome: 'timeout', code: 'no-owner', message: 'The program disconnected before it answered.' })
      this.#tellHeld(info.runId)
    }
    return gone
  }

  /** Asks the owner to release a call. Settles with the app's answer, or after 5 s of silence; never rejects. */
  resume(request: ResumeRequest): Promise<ResumeAnswer> {
    const { runId, pauseId, action, output, input } = request
    const marker = findForbiddenMarker(action === 'inject' ? output : input)
    if (marker !== undefined) return Promise.resolve({ outcome: 'refused', code: marker, message: markerMessage[marker] })
    const ask: Ask = { requestId: request.requestId ?? this.#ports.ids(), by: request.principal }
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
      const timer = setTimeout(() => {
        if (this.#registry.silent(info.runId, pauseId, ask)) this.#answer(ask, noAnswer)
      }, SILENCE_MS).unref()
      this.#waiting.set(ask, (answer) => {
        clearTimeout(timer)
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
    for (const ask of [...this.#waiting.keys()])
      this.#answer(ask, { outcome: 'timeout', code: 'no-owner', message: 'The server is stopping.' })
  }

  #answer(ask: Ask, answer: ResumeAnswer): void {
    this.#waiting.get(ask)?.(answer)
    this.#waiting.delete(ask)
  }

  #tellHeld(runId: string): void {
    this.#ports.held(runId, this.#registry.heldIn(runId))
  }
}

const noAnswer: ResumeAnswer = { outcome: 'timeout', message: 'The program did not answer. The call is still held; try again.' }

const markerMessage = {
  placeholder: 'The value holds the placeholder of a hidden value. Write the real value.',
  truncated: 'The value was cut to be shown. Write the whole value.',
}
