import type { DatabaseSync } from 'node:sqlite'
import { ImportQueue } from '../import/import-queue.ts'
import { messageOf } from '../problem.ts'
import { fileOf } from '../store/older-sqlite.ts'
import { ExportQueue } from './export-queue.ts'
import type { ExportMessage } from './export-request.ts'
import { Housekeeper } from './housekeeper.ts'
import { type Committed, Ingest } from './ingest.ts'
import type { FromWorker, ImportMessage } from './messages.ts'
import { type ChangeMessage, type ControlMessage, controlRefusal, StoreChanges } from './store-changes.ts'
import { failureWords, mayPass } from './store-failure.ts'

// Deriving a span takes ten times as long as storing it; a control event waits for no more than this many.
const DERIVED_SPANS = 128
// What nobody waits for is derived in pieces of about this many, each 5 ms: between them it is seen whether something has arrived.
const UNASKED_SPANS = 16
// With nothing arriving for this long, the rest is derived. A sender that sends all it can leaves gaps of a few milliseconds.
export const QUIET_MS = 30
// A store that refused is left alone for a while.
const PAUSE_MS = 1000
/** Stored spans that may wait to be derived; with more of them, deriving takes turns with storing. */
const MAX_WAITING_SPANS = 1_000_000

/** What is left after a turn: more to do at once, something to derive unless more arrives within `QUIET_MS`, or nothing. */
export type Rest = 'more' | 'later' | 'nothing'

/**
 * The worker's queue: control events first, then whatever runs are asked for, spans in slices, one commit for everything taken in a turn,
 * answers after the commit. Spans are stored first; they are derived at once when little is waiting, and else when it is quiet. Knows neither
 * threads nor timers: `turn` does one piece of work and says whether there is more.
 */
export class JobQueue {
  readonly #ingest: Ingest
  readonly #path: string
  readonly #nowMs: () => number
  readonly #send: (message: FromWorker) => void
  readonly #takeArrived: () => void
  readonly #control: ControlMessage[] = []
  readonly #exports: ExportQueue
  readonly #imports: ImportQueue
  readonly #housekeeper: Housekeeper
  readonly #changes: StoreChanges
  readonly #watched = new Set<string>()
  /** Who waits for a run to be derived whole, by run. */
  readonly #asked = new Map<string, number[]>()
  /** All of them, until they are answered. */
  readonly #asking = new Set<number>()
  /** There may be more to derive or to pack than this turn did. */
  #isToLookAgain = false
  #mayPack = true
  #deriveAfterMs = Number.NEGATIVE_INFINITY
  /** The last turn failed, and what it could not store is kept for the next. */
  #isHeldUp = false
  #lastFailure = ''

  /** `takeArrived` adds what has come since a turn began, so that work that nobody waits for makes room for it. */
  constructor(database: DatabaseSync, nowMs: () => number, send: (message: FromWorker) => void, takeArrived: () => void) {
    this.#ingest = new Ingest(database, nowMs)
    this.#path = fileOf(database) ?? 'in memory'
    this.#nowMs = nowMs
    this.#exports = new ExportQueue(this.#ingest, (runId) => this.#watched.has(runId))
    this.#imports = new ImportQueue(this.#ingest)
    this.#housekeeper = new Housekeeper(database, this.#ingest, nowMs)
    this.#changes = new StoreChanges(this.#ingest, this.#housekeeper)
    this.#send = send
    this.#takeArrived = takeArrived
  }

  add(message: ExportMessage | ImportMessage | ControlMessage): void {
    if (message.kind === 'export') {
      this.#exports.add(message)
      this.#deriveAfterMs = this.#nowMs() + QUIET_MS
    } else if (message.kind === 'import') this.#imports.add(message)
    else this.#control.push(message)
  }

  /** Does one turn of work. */
  turn(): Rest {
    const answers: FromWorker[] = []
    const control = this.#control.splice(0).filter((message) => this.#isChange(message))
    try {
      const committed = this.#ingest.commit(() => {
        for (const message of control) answers.push(this.#changes.run(message))
        this.#deriveAsked(answers)
        this.#exports.turn(answers)
        this.#imports.turn(answers)
        this.#isToLookAgain = this.#mayDerive() && (this.#answersFirst(answers) || (!this.#deriveUnasked() && this.#packNext()))
      }, this.#imports.keptRuns)
      this.#exports.committed()
      this.#imports.committed()
      // A commit of nothing tells nothing of the disk.
      if (committed.runs.length > 0) this.#tellStore('')
      this.#announce(committed)
      for (const answer of answers) this.#send(answer)
      this.#isHeldUp = false
      if (this.#asked.size === 0) this.#asking.clear()
    } catch (error) {
      this.#refuse(control, answers, error)
    }
    return this.#rest()
  }

  /** Works for about `budgetMs` on what nobody waits for, and no longer than until something arrives where it `makesRoom`. */
  tidy(budgetMs: number, makesRoom: boolean): Rest {
    const end = performance.now() + budgetMs
    const isEnough = () => performance.now() >= end || (makesRoom && this.#isWanted())
    try {
      while (this.#housekeeper.step((committed) => this.#announce(committed), isEnough)) if (isEnough()) return 'more'
      return this.#housekeeper.settle() ? 'later' : 'nothing'
    } catch (error) {
      // A full or locked disk: the requests say so to those who can do something about it, and it is tried again later.
      console.error(`graphmind: the store could not be tidied up: ${messageOf(error)}`)
      return 'nothing'
    }
  }

  /** Packs what was about to be packed, and gives back what is free in the file. */
  shrink(): void {
    try {
      while (this.#mayPack && this.#ingest.packing.isToPack) this.#ingest.commit(() => this.#packNext())
      while (this.#housekeeper.shrink());
    } catch (error) {
      console.error(`graphmind: the file could not be made smaller: ${messageOf(error)}`)
    }
  }

  #announce({ appended: all, runs, removed }: Committed): void {
    if (runs.length > 0) this.#housekeeper.changed()
    const appended = [...all].filter(([runId]) => this.#watched.has(runId))
    if (appended.length > 0 || runs.length > 0 || removed.length > 0) this.#send({ kind: 'committed', appended, runs, removed })
  }

  #tellStore(failure: string): void {
    if (failure === this.#lastFailure) return
    this.#lastFailure = failure
    this.#send({ kind: 'store', problem: failure === '' ? null : failure })
  }

  /** How long `later` is. */
  get laterMs(): number {
    return this.#isHeldUp ? PAUSE_MS : QUIET_MS
  }

  /** The store can't take what waits, so nothing is gained by waiting for it. */
  get isHeldUp(): boolean {
    return this.#isHeldUp
  }

  /** Answers what a store that can't take it has kept waiting. */
  giveUp(): void {
    for (const asked of this.#control.splice(0)) this.#send(controlRefusal(asked, { code: 'store', message: this.#lastFailure }))
  }

  #rest(): Rest {
    if (this.#isHeldUp && !this.#isBusy) return 'later'
    if (!this.isAnswered) return 'more'
    const isToPack = this.#mayPack && (this.#isToLookAgain || this.#ingest.packing.isToPack)
    if (this.#ingest.waitingCount === 0 && !isToPack) return 'nothing'
    return this.#isQuiet ? 'more' : 'later'
  }

  /** Nobody waits for an answer. */
  get isAnswered(): boolean {
    return this.#control.length === 0 && this.#asked.size === 0 && !this.#isBusy
  }

  /** Somebody has begun to wait for an answer. */
  #isWanted(): boolean {
    this.#takeArrived()
    return !this.isAnswered
  }

  get #isBusy(): boolean {
    return this.#exports.isWaiting || this.#imports.isWaiting
  }

  get #isQuiet(): boolean {
    return this.#nowMs() >= this.#deriveAfterMs
  }

  #mayDerive(): boolean {
    return this.#isTooMuch || (this.#asked.size === 0 && !this.#isBusy && this.#isQuiet)
  }

  /** Whoever is answered after this commit does not wait for a slice of what nobody asked for. */
  #answersFirst(answers: readonly FromWorker[]): boolean {
    return answers.length > 0 && !this.#isTooMuch
  }

  get #isTooMuch(): boolean {
    return this.#ingest.waitingCount > MAX_WAITING_SPANS
  }

  /** Derives up to a slice of what nobody has asked for, or until something arrives. False when nothing waits. */
  #deriveUnasked(): boolean {
    const isTooMuch = this.#isTooMuch
    const enough = this.#ingest.waitingCount - DERIVED_SPANS
    const isSome = this.#deriveNext()
    while (this.#ingest.waitingCount > enough && (isTooMuch || !this.#isWanted()) && this.#deriveNext());
    return isSome
  }

  /** False when nothing waits. */
  #deriveNext(): boolean {
    const runId = this.#ingest.nextWaiting()
    if (runId !== undefined) this.#deriveSome(runId, UNASKED_SPANS)
    return runId !== undefined
  }

  /** Returns how many spans of the run wait still. A run that can't be derived, as its part of the file is damaged, must not hold up the others. */
  #deriveSome(runId: string, maxSpans: number): number {
    try {
      return this.#ingest.part(() => this.#ingest.derive(runId, maxSpans))
    } catch (error) {
      if (mayPass(error) || !this.#ingest.inTransaction) throw error
      this.#ingest.setAside(runId)
      console.error(`graphmind: run ${runId} is not shown whole: ${failureWords(error, this.#path)}`)
      return 0
    }
  }

  /** False when nothing is left to pack. A run whose part of the file is damaged ends it until the next start: packing only saves room. */
  #packNext(): boolean {
    if (!this.#mayPack) return false
    try {
      return this.#ingest.part(() => this.#ingest.packing.packNext())
    } catch (error) {
      if (mayPass(error) || !this.#ingest.inTransaction) throw error
      this.#mayPack = false
      console.error(`graphmind: nothing is packed any more: ${failureWords(error, this.#path)}`)
      return false
    }
  }

  /** Goes on with one of the runs that somebody asked for, and answers once it is whole. */
  #deriveAsked(answers: FromWorker[]): void {
    const [next] = this.#asked
    if (next === undefined) return
    const [runId, ids] = next
    const waiting = this.#ingest.waitingCount
    const left = this.#deriveSome(runId, DERIVED_SPANS)
    // Whoever looks at one run mostly looks at another next, which would wait for a slice of what nobody asked for.
    if (this.#ingest.waitingCount < waiting) this.#deriveAfterMs = this.#nowMs() + QUIET_MS
    if (left > 0) return
    this.#asked.delete(runId)
    for (const id of ids) answers.push({ kind: 'done', id })
  }

  /** Handles what changes no store, and passes on what does. */
  #isChange(message: ControlMessage): message is ChangeMessage {
    if (message.kind !== 'watch' && message.kind !== 'derive') return true
    const { kind, runId, id } = message
    if (kind === 'watch' && !message.on) {
      this.#watched.delete(runId)
      this.#send({ kind: 'done', id })
      return false
    }
    if (kind === 'watch') this.#watched.add(runId)
    this.#ask(runId, id)
    return false
  }

  #ask(runId: string, id: number): void {
    this.#asked.set(runId, [...(this.#asked.get(runId) ?? []), id])
    this.#asking.add(id)
  }

  /** The transaction failed as a whole (full disk, locked file): everything in it is refused, and may be sent again. */
  #refuse(control: readonly ChangeMessage[], answers: readonly FromWorker[], error: unknown): void {
    const message = failureWords(error, this.#path)
    // Said once, however often it is tried.
    if (message !== this.#lastFailure) console.error(`graphmind: ${message}`)
    this.#tellStore(message)
    const ids = this.#exports.refuse()
    for (const id of ids) this.#send({ kind: 'exported', id, outcome: { status: 503, message } })
    for (const answer of answers) {
      if (answer.kind === 'exported' && !ids.has(answer.id)) this.#send(answer)
    }
    // An app does not send its events again, and a session's switches must hold: both are kept until the store takes them.
    const kept = mayPass(error) ? control.filter(({ kind }) => kind === 'append' || kind === 'session') : []
    this.#control.unshift(...kept)
    this.#isHeldUp = kept.length > 0
    for (const asked of control) if (!kept.includes(asked)) this.#send(controlRefusal(asked, { code: 'store', message }))
    for (const id of this.#asking) this.#send({ kind: 'done', id, problem: { code: 'store', message } })
    this.#asking.clear()
    this.#asked.clear()
    this.#deriveAfterMs = this.#nowMs() + PAUSE_MS
    const dropped = this.#imports.refuse(message)
    if (dropped !== undefined) this.#send(dropped)
  }
}
