import { type Session, toErrorInfo } from '@graphmind-ai/client'
import { gateOf } from '@graphmind-ai/mappings'
import { tellAbort } from './aborted-span.ts'
import { SpanFeed } from './feed/span-feed.ts'
import { meaningAtStart } from './gate/gate-site.ts'
import { type Holding, startHolding } from './gate/holding.ts'
import { currentStart } from './gate/span-origin.ts'
import type { Link, Opening } from './link.ts'
import { type LiveSpan, settledAttributes } from './live-span.ts'
import { MarkBook } from './marks.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'
import { createSpanFence, type ShownSpan } from './redact.ts'
import { RunTracker } from './run-tracker.ts'
import { copySpan, type Phase } from './span-copy.ts'
import { ungatedReason } from './ungated.ts'
import { VERSION } from './version.ts'
import { createWarning } from './warning.ts'

/** How long a process that has nothing else to do waits for its last spans to leave. */
const EXIT_FLUSH_MS = 300
/** Runs that began before the collector was known. */
const MAX_WAITING_RUNS = 100

/** The processor when it is on. Its methods never throw. */
export class LiveProcessor {
  readonly #appName: string | undefined
  readonly #warn: (kind: string, message: string) => void
  readonly #feed: SpanFeed
  readonly #marks = new MarkBook()
  readonly #runs = new RunTracker((runId) => this.#session?.endRun(runId))
  readonly #fence: (span: LiveSpan) => ShownSpan
  readonly #mayHold: boolean
  readonly #link: Promise<Link> | undefined
  #holding: Holding | undefined
  #session: Session | undefined
  #waitingRuns: LiveSpan[] = []
  #stopped: Promise<void> | undefined

  constructor(options: GraphMindSpanProcessorOptions, opening: Opening) {
    this.#appName = options.appName ?? (options.env ?? process.env)['OTEL_SERVICE_NAME']
    this.#warn = createWarning(options.logger ?? console)
    this.#feed = new SpanFeed({
      onLoss: () => this.#warn('lost', 'Spans are being lost: the collector took none before the buffer was full. Is it running?'),
      onRefused: () => this.#warn('refused', 'The collector refused spans, so they will not show up. Its log says why.'),
    })
    this.#fence = createSpanFence(opening.hide)
    this.#mayHold = options.hold !== false
    process.once('beforeExit', this.#beforeExit)
    this.#guard(() => {
      if (this.#mayHold)
        this.#holding = startHolding({ marks: this.#marks, runs: this.#runs, onLateMark: ({ span }) => this.#report(span, 'end') })
    })
    const link = opening.open(this.#feed.line)
    if (link instanceof Promise) this.#link = link.then((opened) => this.#use(opened))
    else if (link !== undefined) this.#link = Promise.resolve(this.#use(link))
  }

  onStart(span: LiveSpan): void {
    if (this.#stopped !== undefined) return
    this.#guard(() => {
      this.#holding?.check()
      if (this.#session?.attached === true || !this.#mayHold) this.#study(span)
      if (this.#runs.started(span)) this.#announceRun(span)
      this.#report(span, 'start')
    })
  }

  onEnd(span: LiveSpan): void {
    if (this.#stopped !== undefined) return
    this.#guard(() => {
      this.#report(span, 'end')
      this.#runs.ended(span)
    })
  }

  async flush(): Promise<void> {
    if (this.#stopped === undefined) await this.#feed.flush()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async ready(timeoutMs: number): Promise<boolean> {
    const endMs = performance.now() + timeoutMs
    const link = await this.#link
    if (link === undefined || this.#stopped !== undefined) return false
    return await link.session.ready({ timeoutMs: Math.max(0, endMs - performance.now()) })
  }

  #use(link: Link): Link {
    const { session, base } = link
    this.#session = session
    this.#holding?.use(session)
    session.onAttach(() => this.#resend(session))
    this.#feed.aim(base, session.senderId)
    for (const span of this.#waitingRuns.splice(0)) this.#announceRun(span)
    return link
  }

  // The collector may be a new one that knows nothing: it gets all that is kept, and is told what is not.
  #resend(session: Session): void {
    for (const { traceId, count } of this.#feed.resend()) {
      const { seq } = session.stats()
      const gap = { droppedCount: count, fromSeq: seq, toSeq: seq, reason: 'spans-dropped' }
      session.emit('graph.hint', { nodes: [], gap }, { runId: traceId })
    }
  }

  /** Finds out what a span is going to be, for what has to be known at its start. */
  #study(span: LiveSpan): void {
    const mapped = meaningAtStart(span)
    if (mapped.role === 'plumbing') this.#runs.hide(span)
    if (gateOf(mapped) === undefined) return
    const { origin, attempt } = currentStart() ?? {}
    const ungated = ungatedReason({ holding: this.#mayHold, origin, scope: span.instrumentationScope.name })
    const { spanId } = span.spanContext()
    if (ungated !== undefined) this.#marks.add(spanId, { ungated })
    if (attempt !== undefined) this.#marks.add(spanId, { attempt })
  }

  /** Ties the run to this process' socket. */
  #announceRun(span: LiveSpan): void {
    if (this.#session === undefined) {
      if (this.#waitingRuns.length < MAX_WAITING_RUNS) this.#waitingRuns.push(span)
      return
    }
    const resource = settledAttributes(span.resource)
    const mapped = meaningAtStart(span)
    const text = (key: string, fallback: string) => (typeof resource[key] === 'string' ? resource[key] : fallback)
    this.#session.emit(
      'run.started',
      {
        app: this.#appName ?? text('service.name', 'app'),
        sdk: { name: text('telemetry.sdk.name', '@graphmind-ai/otel'), version: text('telemetry.sdk.version', VERSION) },
        meta: { name: mapped.run?.name ?? mapped.name },
      },
      { runId: span.spanContext().traceId },
    )
  }

  #report(span: LiveSpan, phase: Phase): void {
    const { traceId, spanId } = span.spanContext()
    const shown = this.#fence(span)
    const told = phase === 'end' && this.#runs.isAborted(traceId) ? tellAbort(span, shown) : shown
    this.#feed.push(copySpan(span, phase, this.#marks.of(spanId), told))
  }

  async #stop(): Promise<void> {
    process.off('beforeExit', this.#beforeExit)
    this.#guard(() => this.#holding?.stop())
    await this.#feed.stop()
    await this.#session?.dispose()
  }

  readonly #beforeExit = () => {
    void this.#feed.flush(EXIT_FLUSH_MS)
  }

  /** Our own mistakes end here: the host goes on, and hears of it once. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#warn('internal', `Something went wrong in the span processor: ${toErrorInfo(error).message} The program goes on.`)
    }
  }
}
