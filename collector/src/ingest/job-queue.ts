import type { DatabaseSync } from 'node:sqlite'
import { ImportQueue } from '../import/import-queue.ts'
import { countMetrics } from '../otlp/count-metrics.ts'
import { splitRequest } from '../otlp/decode.ts'
import { type DecodedLog, decodeLogs } from '../otlp/decode-logs.ts'
import { MAX_REQUEST_ITEMS } from '../otlp/limits.ts'
import type { TracePart } from '../otlp/trace-part.ts'
import { failed, messageOf, ok, type Problem, type Result } from '../problem.ts'
import { fileOf } from '../store/older-sqlite.ts'
import { spansOf } from './backlog.ts'
import { Housekeeper } from './housekeeper.ts'
import { inflate } from './inflate.ts'
import { type Committed, Ingest } from './ingest.ts'
import type { ExportOutcome, FromWorker, ImportMessage, LibraryAnswers, LibraryChange, Remapped, ToWorker } from './messages.ts'
import { failureWords, isStoreFailure, mayPass } from './store-failure.ts'

type ExportMessage = Extract<ToWorker, { kind: 'export' }>
type ControlMessage = Exclude<ToWorker, { kind: 'export' | 'import' | 'close' }>
/** What changes the store, as opposed to what asks for it. */
type ChangeMessage = Exclude<ControlMessage, { kind: 'watch' | 'derive' }>

// Storing a span takes 15 µs, so a turn of these takes 15 ms; group commit pays from 64 rows on (spikes 3).
const STORED_SPANS = 1024
// Deriving one takes ten times as long; a control event waits for no more than this many.
const DERIVED_SPANS = 128
// What nobody waits for is derived in pieces of about this many, each 5 ms: between them it is seen whether something has arrived.
const UNASKED_SPANS = 16
// A request of up to this many spans, with nothing behind it, is live work: derived in the commit that stores it.
const LIVE_SPANS = 64
// With nothing arriving for this long, the rest is derived. A sender that sends all it can leaves gaps of a few milliseconds.
export const QUIET_MS = 30
// A store that refused is left alone for a while.
const PAUSE_MS = 1000
/** Stored spans that may wait to be derived; with more of them, deriving takes turns with storing. */
export const MAX_WAITING_SPANS = 1_000_000

type Item = TracePart | DecodedLog

interface ExportJob {
  readonly id: number
  readonly items: readonly Item[]
  readonly isLive: boolean
  readonly reasons: string[]
  /** Spans and records that can't be kept, broken ones included. */
  rejected: number
  accepted: number
  next: number
}

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
  readonly #exports: ExportMessage[] = []
  readonly #imports: ImportQueue
  readonly #housekeeper: Housekeeper
  readonly #watched = new Set<string>()
  /** Who waits for a run to be derived whole, by run. */
  readonly #asked = new Map<string, number[]>()
  /** All of them, until they are answered. */
  readonly #asking = new Set<number>()
  #job: ExportJob | undefined
  #hasPacked = false
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
    this.#imports = new ImportQueue(this.#ingest)
    this.#housekeeper = new Housekeeper(database, this.#ingest, nowMs)
    this.#send = send
    this.#takeArrived = takeArrived
  }

  add(message: ExportMessage | ImportMessage | ControlMessage): void {
    if (message.kind === 'export') {
      this.#exports.push(message)
      this.#deriveAfterMs = this.#nowMs() + QUIET_MS
    } else if (message.kind === 'import') this.#imports.add(message)
    else this.#control.push(message)
  }

  /** Does one turn of work. */
  turn(): Rest {
    const answers: FromWorker[] = []
    const control = this.#control.splice(0).filter((message) => this.#isChange(message))
    const taken: ExportJob[] = []
    try {
      const committed = this.#ingest.commit(() => {
        for (const message of control) answers.push(this.#runChange(message))
        this.#deriveAsked(answers)
        this.#runSlice(taken, answers)
        this.#imports.turn(answers)
        this.#hasPacked = this.#mayDerive() && !this.#deriveUnasked() && this.#packNext()
      }, this.#imports.keptRuns)
      this.#imports.committed()
      // A commit of nothing tells nothing of the disk.
      if (committed.runs.length > 0) this.#tellStore('')
      this.#announce(committed)
      for (const answer of answers) this.#send(answer)
      this.#isHeldUp = false
      if (this.#asked.size === 0) this.#asking.clear()
    } catch (error) {
      this.#refuse(control, taken, answers, error)
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

  /** Gives back what is free in the file, also where `tidy` has other things to do first. */
  shrink(): void {
    try {
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
    const isToPack = this.#mayPack && (this.#hasPacked || this.#ingest.isToPack)
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
    return this.#exports.length > 0 || this.#job !== undefined || this.#imports.isWaiting
  }

  get #isQuiet(): boolean {
    return this.#nowMs() >= this.#deriveAfterMs
  }

  #mayDerive(): boolean {
    return this.#ingest.waitingCount > MAX_WAITING_SPANS || (this.#asked.size === 0 && !this.#isBusy && this.#isQuiet)
  }

  /** Derives up to a slice of what nobody has asked for, or until something arrives. False when nothing waits. */
  #deriveUnasked(): boolean {
    const isTooMuch = this.#ingest.waitingCount > MAX_WAITING_SPANS
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
      return this.#ingest.part(() => this.#ingest.packNext())
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
    if (this.#deriveSome(runId, DERIVED_SPANS) > 0) return
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

  #runChange(message: ChangeMessage): FromWorker {
    const { id } = message
    try {
      if (message.kind === 'library') return { kind: 'library', id, result: this.#ingest.part(() => this.#changeLibrary(message.change)) }
      if (message.kind === 'remap') return { kind: 'remapped', id, result: this.#remap(message.runId) }
      const problem = this.#ingest.part(() => this.#applyControl(message))
      return { kind: 'done', id, ...(problem === undefined ? {} : { problem }) }
    } catch (error) {
      if (!this.#ingest.inTransaction) throw error
      return controlRefusal(message, { code: 'store', message: `The store refused: ${messageOf(error)}` })
    }
  }

  #remap(runId: string): Result<Remapped> {
    const remapped = this.#ingest.part(() => this.#ingest.remap(runId))
    return remapped === undefined ? failed('no-such-run', `There is no run ${runId}.`) : ok(remapped)
  }

  #changeLibrary(change: LibraryChange): Result<LibraryAnswers[keyof LibraryAnswers]> {
    const { library } = this.#ingest
    switch (change.type) {
      case 'mark':
        return library.mark(change.runId, change.marks)
      case 'delete':
        // What waits to be derived would bring it back.
        this.#ingest.deriveAll(change.runId)
        return library.delete(change.runId, change)
      case 'restore':
        return library.restore(change.runId)
      case 'prune':
        return ok(this.#housekeeper.prune(change.policy, change.held, change.dryRun))
    }
  }

  #applyControl(message: Exclude<ChangeMessage, { kind: 'remap' | 'library' }>): Problem | undefined {
    switch (message.kind) {
      case 'append':
        for (const event of message.events) this.#ingest.addChannelEvent(event)
        return undefined
      case 'session':
        this.#ingest.sessionSpeaksFor(message.runId, message.hide)
        return undefined
      case 'sweep':
        this.#ingest.sweep(message)
        if (message.retention !== undefined) this.#housekeeper.retain(message.retention.policy, message.retention.held)
        return undefined
    }
  }

  /** Takes up to a slice of spans, from as many requests as it needs. */
  #runSlice(taken: ExportJob[], answers: FromWorker[]): void {
    for (let left = STORED_SPANS; left > 0; ) {
      const job = this.#job ?? this.#nextJob(answers)
      if (job === undefined) return
      this.#job = job
      taken.push(job)
      while (left > 0 && job.next < job.items.length) left -= this.#addItem(job, job.items[job.next++] as Item)
      if (job.next < job.items.length) continue
      this.#job = undefined
      answers.push({ kind: 'exported', id: job.id, outcome: outcomeOf(job) })
    }
  }

  /** Returns what the item costs, in stored spans. */
  #addItem(job: ExportJob, item: Item): number {
    if (!('outline' in item)) {
      this.#alone(job, 1, `log record ${item.hash}`, () => this.#ingest.addLog(item))
      return 1
    }
    const atOnce = job.isLive || this.#watched.has(item.traceId)
    if (!atOnce && this.#ingest.storePart(item)) {
      job.accepted += item.spanCount
      return item.spanCount
    }
    this.#addPart(job, item)
    return item.spanCount * (STORED_SPANS / DERIVED_SPANS)
  }

  /** One span we can't take must not cost the others: where all in one go fails, each alone. */
  #addPart(job: ExportJob, part: TracePart): void {
    const { traceId, spanCount } = part
    try {
      this.#ingest.part(() => this.#ingest.addPart(part))
      job.accepted += spanCount
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      for (const span of spansOf(part))
        this.#alone(job, 1, `span ${span.view.spanId} of trace ${traceId}`, () => this.#ingest.addSpan(span))
    }
  }

  #alone(job: ExportJob, count: number, what: string, add: () => void): void {
    try {
      this.#ingest.part(add)
      job.accepted += count
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      job.rejected += count
      job.reasons.push(`${what} could not be taken in`)
      console.error(`graphmind: ${what} was rejected:`, error)
    }
  }

  /** Decodes requests until one has spans to store; the others are answered at once. */
  #nextJob(answers: FromWorker[]): ExportJob | undefined {
    for (let message = this.#exports.shift(); message !== undefined; message = this.#exports.shift()) {
      const { id } = message
      const opened = openAlone(message)
      if ('outcome' in opened) answers.push({ kind: 'exported', id, outcome: opened.outcome })
      else return { id, ...opened, isLive: this.#exports.length === 0 && spanCount(opened.items) <= LIVE_SPANS, accepted: 0, next: 0 }
    }
    return undefined
  }

  /** The transaction failed as a whole (full disk, locked file): everything in it is refused, and may be sent again. */
  #refuse(control: readonly ChangeMessage[], taken: readonly ExportJob[], answers: readonly FromWorker[], error: unknown): void {
    const message = failureWords(error, this.#path)
    // Said once, however often it is tried.
    if (message !== this.#lastFailure) console.error(`graphmind: ${message}`)
    this.#tellStore(message)
    const ids = new Set(taken.map((job) => job.id))
    if (this.#job !== undefined) ids.add(this.#job.id)
    this.#job = undefined
    // When not even a transaction could begin, each that waits would wait for the lock anew, one after another.
    if (ids.size === 0) for (const { id } of this.#exports.splice(0)) ids.add(id)
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

/** The answer to a message whose work failed, in the form that its sender waits for. */
function controlRefusal({ kind, id }: ControlMessage, problem: Problem): FromWorker {
  if (kind === 'remap') return { kind: 'remapped', id, result: { ok: false, problem } }
  return kind === 'library' ? { kind, id, result: { ok: false, problem } } : { kind: 'done', id, problem }
}

type Opened =
  | { readonly outcome: ExportOutcome }
  | { readonly items: readonly Item[]; readonly reasons: string[]; readonly rejected: number }

/** A request that we have no answer to must not take those beside it along, nor wait for ever. */
function openAlone(message: ExportMessage): Opened {
  try {
    return open(message)
  } catch (error) {
    console.error('graphmind: an export request could not be read:', error)
    return { outcome: { status: 400, message: `The request could not be read: ${messageOf(error)}.` } }
  }
}

function open({ signal, body, format, encoding, maxBytes }: ExportMessage): Opened {
  const inflated = inflate(body, encoding, maxBytes)
  if (!inflated.ok) return refusal(inflated, inflated.problem.code === 'too-large' ? 413 : 400)
  if (signal === 'metrics') {
    const counted = countMetrics(inflated.value, format)
    return counted.ok ? { outcome: { status: 200, accepted: counted.value, rejected: 0, reasons: [] } } : refusal(counted, 400)
  }
  const opened = signal === 'traces' ? splitRequest(inflated.value, format) : decodeLogs(inflated.value, format)
  if (!opened.ok) return refusal(opened, 400)
  const { rejectedCount: rejected, reasons } = opened.value
  const items = 'parts' in opened.value ? opened.value.parts : opened.value.logs
  const count = spanCount(items)
  if (count > MAX_REQUEST_ITEMS) {
    const message = `The request carries ${count} spans or records, and at most ${MAX_REQUEST_ITEMS} are taken at once. Send smaller batches.`
    return { outcome: { status: 413, message } }
  }
  if (items.length === 0) return { outcome: { status: 200, accepted: 0, rejected, reasons } }
  return { items, rejected, reasons: [...reasons] }
}

function spanCount(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + ('outline' in item ? item.spanCount : 1), 0)
}

function refusal(result: Extract<Result<never>, { ok: false }>, status: 400 | 413): Opened {
  return { outcome: { status, message: result.problem.message } }
}

function outcomeOf(job: ExportJob): ExportOutcome {
  return { status: 200, accepted: job.accepted, rejected: job.rejected, reasons: job.reasons }
}
