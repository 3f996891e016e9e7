import type { DatabaseSync } from 'node:sqlite'
import { ImportQueue } from '../import/import-queue.ts'
import { countMetrics } from '../otlp/count-metrics.ts'
import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'
import { type DecodedLog, decodeLogs } from '../otlp/decode-logs.ts'
import { withAnnounced } from '../otlp/start-notice.ts'
import { failed, messageOf, ok, type Problem, type Result } from '../problem.ts'
import { inflate } from './inflate.ts'
import { Ingest } from './ingest.ts'
import type { ExportOutcome, FromWorker, ImportMessage, Remapped, ToWorker } from './messages.ts'
import { isStoreFailure } from './store-failure.ts'

type ExportMessage = Extract<ToWorker, { kind: 'export' }>
type ControlMessage = Exclude<ToWorker, { kind: 'export' | 'import' | 'close' }>

// Big enough for group commit (spikes 3: from 64 rows on), small enough that a control event waits only a few milliseconds.
const SLICE_SPANS = 256

type Item = DecodedSpan | DecodedLog

interface ExportJob {
  readonly id: number
  readonly items: readonly Item[]
  readonly reasons: string[]
  /** Spans and records that can't be kept, broken ones included. */
  rejected: number
  accepted: number
  next: number
}

/**
 * The worker's queue: control events first, spans in slices, one commit for everything taken in a turn, answers after the commit.
 * Knows neither threads nor timers: `turn` does one piece of work and says whether there is more.
 */
export class JobQueue {
  readonly #ingest: Ingest
  readonly #send: (message: FromWorker) => void
  readonly #control: ControlMessage[] = []
  readonly #exports: ExportMessage[] = []
  readonly #imports: ImportQueue
  readonly #watched = new Set<string>()
  #job: ExportJob | undefined

  constructor(database: DatabaseSync, nowMs: () => number, send: (message: FromWorker) => void) {
    this.#ingest = new Ingest(database, nowMs)
    this.#imports = new ImportQueue(this.#ingest)
    this.#send = send
  }

  add(message: ExportMessage | ImportMessage | ControlMessage): void {
    if (message.kind === 'export') this.#exports.push(message)
    else if (message.kind === 'import') this.#imports.add(message)
    else this.#control.push(message)
  }

  /** Does one turn of work; false when nothing is left. */
  turn(): boolean {
    const answers: FromWorker[] = []
    const control = this.#control.splice(0)
    const taken: ExportJob[] = []
    try {
      const committed = this.#ingest.commit(() => {
        for (const message of control) answers.push(this.#runControl(message))
        this.#runSlice(taken, answers)
        this.#imports.turn(answers)
      }, this.#imports.keptRuns)
      this.#imports.committed()
      const appended = [...committed.appended].filter(([runId]) => this.#watched.has(runId))
      if (appended.length > 0 || committed.runs.length > 0 || committed.removed.length > 0) {
        this.#send({ kind: 'committed', appended, runs: committed.runs, removed: committed.removed })
      }
      for (const answer of answers) this.#send(answer)
    } catch (error) {
      this.#refuse(control, taken, answers, messageOf(error))
    }
    return this.#control.length > 0 || this.#exports.length > 0 || this.#job !== undefined || this.#imports.isWaiting
  }

  #runControl(message: ControlMessage): FromWorker {
    const { id } = message
    if (message.kind === 'watch') {
      if (message.on) this.#watched.add(message.runId)
      else this.#watched.delete(message.runId)
      return { kind: 'done', id }
    }
    try {
      if (message.kind === 'remap') return { kind: 'remapped', id, result: this.#remap(message.runId) }
      const problem = this.#ingest.part(() => this.#applyControl(message))
      return { kind: 'done', id, ...(problem === undefined ? {} : { problem }) }
    } catch (error) {
      if (!this.#ingest.inTransaction) throw error
      return { kind: 'done', id, problem: { code: 'store', message: `The store refused: ${messageOf(error)}` } }
    }
  }

  #remap(runId: string): Result<Remapped> {
    const remapped = this.#ingest.part(() => this.#ingest.remap(runId))
    return remapped === undefined ? failed('no-such-run', `There is no run ${runId}.`) : ok(remapped)
  }

  #applyControl(message: Exclude<ControlMessage, { kind: 'watch' | 'remap' }>): Problem | undefined {
    switch (message.kind) {
      case 'append':
        for (const event of message.events) this.#ingest.addChannelEvent(event)
        return undefined
      case 'session':
        this.#ingest.sessionSpeaksFor(message.runId, message.hide)
        return undefined
      case 'sweep':
        this.#ingest.sweep(message)
        return undefined
      case 'delete':
        return this.#ingest.deleteRun(message.runId) ? undefined : { code: 'no-such-run', message: `There is no run ${message.runId}.` }
    }
  }

  /** Takes up to a slice of spans, from as many requests as it needs. */
  #runSlice(taken: ExportJob[], answers: FromWorker[]): void {
    for (let left = SLICE_SPANS; left > 0; ) {
      const job = this.#job ?? this.#nextJob(answers)
      if (job === undefined) return
      this.#job = job
      taken.push(job)
      const slice = job.items.slice(job.next, job.next + left)
      this.#addItems(job, slice)
      job.next += slice.length
      left -= Math.max(1, slice.length)
      if (job.next < job.items.length) continue
      this.#job = undefined
      answers.push({ kind: 'exported', id: job.id, outcome: outcomeOf(job) })
    }
  }

  #addItems(job: ExportJob, items: readonly Item[]): void {
    try {
      this.#ingest.part(() => {
        for (const item of items) this.#addItem(item)
      })
      job.accepted += items.length
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      // One span we can't take must not cost the others: each alone.
      for (const item of items) this.#addAlone(job, item)
    }
  }

  #addItem(item: Item): void {
    if ('raw' in item) this.#ingest.addSpan(item)
    else this.#ingest.addLog(item)
  }

  #addAlone(job: ExportJob, item: Item): void {
    try {
      this.#ingest.part(() => this.#addItem(item))
      job.accepted += 1
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      job.rejected += 1
      const what = 'raw' in item ? `span ${item.view.spanId} of trace ${item.view.traceId}` : `log record ${item.hash}`
      job.reasons.push(`${what} could not be taken in`)
      console.error(`graphmind: ${what} was rejected:`, error)
    }
  }

  /** Decodes requests until one has spans to store; the others are answered at once. */
  #nextJob(answers: FromWorker[]): ExportJob | undefined {
    for (let message = this.#exports.shift(); message !== undefined; message = this.#exports.shift()) {
      const { id } = message
      const opened = open(message)
      if ('outcome' in opened) answers.push({ kind: 'exported', id, outcome: opened.outcome })
      else return { id, ...opened, accepted: 0, next: 0 }
    }
    return undefined
  }

  /** The transaction failed as a whole (full disk, locked file): everything in it is refused, and may be sent again. */
  #refuse(control: readonly ControlMessage[], taken: readonly ExportJob[], answers: readonly FromWorker[], words: string): void {
    const message = `The store can't take anything right now: ${words}`
    console.error(`graphmind: ${message}`)
    const ids = new Set(taken.map((job) => job.id))
    if (this.#job !== undefined) ids.add(this.#job.id)
    this.#job = undefined
    // When not even a transaction could begin, each that waits would wait for the lock anew, one after another.
    if (ids.size === 0) for (const { id } of this.#exports.splice(0)) ids.add(id)
    for (const id of ids) this.#send({ kind: 'exported', id, outcome: { status: 503, message } })
    for (const answer of answers) {
      if (answer.kind === 'exported' && !ids.has(answer.id)) this.#send(answer)
    }
    for (const { id, kind } of control) {
      if (kind === 'remap') this.#send({ kind: 'remapped', id, result: failed('store', message) })
      else this.#send({ kind: 'done', id, problem: { code: 'store', message } })
    }
    const dropped = this.#imports.refuse(message)
    if (dropped !== undefined) this.#send(dropped)
  }
}

type Opened =
  | { readonly outcome: ExportOutcome }
  | { readonly items: readonly Item[]; readonly reasons: string[]; readonly rejected: number }

function open({ signal, body, format, encoding }: ExportMessage): Opened {
  const inflated = inflate(body, encoding)
  if (!inflated.ok) return refusal(inflated, inflated.problem.code === 'too-large' ? 413 : 400)
  if (signal === 'metrics') {
    const counted = countMetrics(inflated.value, format)
    return counted.ok ? { outcome: { status: 200, accepted: counted.value, rejected: 0, reasons: [] } } : refusal(counted, 400)
  }
  const decoded = signal === 'traces' ? decodeTraces(inflated.value, format) : decodeLogs(inflated.value, format)
  if (!decoded.ok) return refusal(decoded, 400)
  const { rejectedCount: rejected, reasons } = decoded.value
  const items = 'spans' in decoded.value ? fromTheTop(withAnnounced(decoded.value.spans)) : decoded.value.logs
  if (items.length === 0) return { outcome: { status: 200, accepted: 0, rejected, reasons } }
  return { items, rejected, reasons: [...reasons] }
}

/** Earlier starts first, so that parents mostly come before their children and little has to be corrected. SDKs send children first. */
function fromTheTop(spans: readonly DecodedSpan[]): readonly DecodedSpan[] {
  return spans
    .toReversed()
    .sort(({ view: one }, { view: other }) => (one.startNanos < other.startNanos ? -1 : one.startNanos > other.startNanos ? 1 : 0))
}

function refusal(result: Extract<Result<never>, { ok: false }>, status: 400 | 413): Opened {
  return { outcome: { status, message: result.problem.message } }
}

function outcomeOf(job: ExportJob): ExportOutcome {
  return { status: 200, accepted: job.accepted, rejected: job.rejected, reasons: job.reasons }
}
