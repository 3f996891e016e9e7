import type { DatabaseSync } from 'node:sqlite'
import { countRecords } from '../otlp/count-records.ts'
import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'
import { messageOf, type Problem, type Result } from '../problem.ts'
import { inflate } from './inflate.ts'
import { Ingest } from './ingest.ts'
import type { ExportOutcome, FromWorker, ToWorker } from './messages.ts'

type ExportMessage = Extract<ToWorker, { kind: 'export' }>
type ControlMessage = Exclude<ToWorker, { kind: 'export' | 'close' }>

// Big enough for group commit (spikes 3: from 64 rows on), small enough that a control event waits only a few milliseconds.
const SLICE_SPANS = 256

interface ExportJob {
  readonly id: number
  readonly spans: readonly DecodedSpan[]
  readonly reasons: string[]
  /** Spans that can't be kept, broken ones included. */
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
  readonly #watched = new Set<string>()
  #job: ExportJob | undefined

  constructor(database: DatabaseSync, nowMs: () => number, send: (message: FromWorker) => void) {
    this.#ingest = new Ingest(database, nowMs)
    this.#send = send
  }

  add(message: ExportMessage | ControlMessage): void {
    if (message.kind === 'export') this.#exports.push(message)
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
      })
      const appended = [...committed.appended].filter(([runId]) => this.#watched.has(runId))
      if (appended.length > 0 || committed.runs.length > 0 || committed.removed.length > 0) {
        this.#send({ kind: 'committed', appended, runs: committed.runs, removed: committed.removed })
      }
      for (const answer of answers) this.#send(answer)
    } catch (error) {
      this.#refuse(control, taken, answers, messageOf(error))
    }
    return this.#control.length > 0 || this.#exports.length > 0 || this.#job !== undefined
  }

  #runControl(message: ControlMessage): FromWorker {
    const { id } = message
    if (message.kind === 'watch') {
      if (message.on) this.#watched.add(message.runId)
      else this.#watched.delete(message.runId)
      return { kind: 'done', id }
    }
    try {
      const problem = this.#ingest.part(() => this.#applyControl(message))
      return { kind: 'done', id, ...(problem === undefined ? {} : { problem }) }
    } catch (error) {
      if (!this.#ingest.inTransaction) throw error
      return { kind: 'done', id, problem: { code: 'store', message: `The store refused: ${messageOf(error)}` } }
    }
  }

  #applyControl(message: Exclude<ControlMessage, { kind: 'watch' }>): Problem | undefined {
    switch (message.kind) {
      case 'append':
        for (const event of message.events) this.#ingest.addChannelEvent(event)
        return undefined
      case 'session':
        this.#ingest.sessionSpeaksFor(message.runId)
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
      const slice = job.spans.slice(job.next, job.next + left)
      this.#addSpans(job, slice)
      job.next += slice.length
      left -= Math.max(1, slice.length)
      if (job.next < job.spans.length) continue
      this.#job = undefined
      answers.push({ kind: 'exported', id: job.id, outcome: outcomeOf(job) })
    }
  }

  #addSpans(job: ExportJob, spans: readonly DecodedSpan[]): void {
    try {
      this.#ingest.part(() => {
        for (const span of spans) this.#ingest.addSpan(span)
      })
      job.accepted += spans.length
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      // One span we can't take must not cost the others: each alone.
      for (const span of spans) this.#addAlone(job, span)
    }
  }

  #addAlone(job: ExportJob, span: DecodedSpan): void {
    try {
      this.#ingest.part(() => this.#ingest.addSpan(span))
      job.accepted += 1
    } catch (error) {
      if (isStoreFailure(error) || !this.#ingest.inTransaction) throw error
      job.rejected += 1
      job.reasons.push(`span ${span.view.spanId} could not be taken in`)
      console.error(`graphmind: span ${span.view.spanId} of trace ${span.view.traceId} was rejected:`, error)
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
    this.#job = undefined
    const ids = new Set(taken.map((job) => job.id))
    for (const id of ids) this.#send({ kind: 'exported', id, outcome: { status: 503, message } })
    for (const answer of answers) {
      if (answer.kind === 'exported' && !ids.has(answer.id)) this.#send(answer)
    }
    for (const { id } of control) this.#send({ kind: 'done', id, problem: { code: 'store', message } })
  }
}

type Opened =
  | { readonly outcome: ExportOutcome }
  | { readonly spans: readonly DecodedSpan[]; readonly reasons: string[]; readonly rejected: number }

function open({ signal, body, format, encoding }: ExportMessage): Opened {
  const inflated = inflate(body, encoding)
  if (!inflated.ok) return refusal(inflated, inflated.problem.code === 'too-large' ? 413 : 400)
  if (signal !== 'traces') {
    const counted = countRecords(signal, inflated.value, format)
    return counted.ok ? { outcome: { status: 200, accepted: counted.value, rejected: 0, reasons: [] } } : refusal(counted, 400)
  }
  const decoded = decodeTraces(inflated.value, format)
  if (!decoded.ok) return refusal(decoded, 400)
  const { spans, rejectedCount, reasons } = decoded.value
  if (spans.length === 0) return { outcome: { status: 200, accepted: 0, rejected: rejectedCount, reasons } }
  return { spans, rejected: rejectedCount, reasons: [...reasons] }
}

function refusal(result: Extract<Result<never>, { ok: false }>, status: 400 | 413): Opened {
  return { outcome: { status, message: result.problem.message } }
}

function outcomeOf(job: ExportJob): ExportOutcome {
  return { status: 200, accepted: job.accepted, rejected: job.rejected, reasons: job.reasons }
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}
