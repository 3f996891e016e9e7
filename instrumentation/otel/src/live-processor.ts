import { type Session, toErrorInfo } from '@graphmind-ai/client'
import { gateOf } from '@graphmind-ai/mappings'
import { tellAbort } from './aborted-span.ts'
import { asFailed } from './failed-span.ts'
import { SpanFeed } from './feed/span-feed.ts'
import { meaningAtStart } from './gate/gate-site.ts'
import type { GatesParts } from './gate/gates.ts'
import { type Holding, startHolding } from './gate/holding.ts'
import { hookProvider, type ProviderHook, type WrapTracer } from './gate/provider-hook.ts'
import { currentStart } from './gate/span-origin.ts'
import type { Link, Opening } from './link.ts'
import { type LiveSpan, settledAttributes } from './live-span.ts'
import { MarkBook } from './marks.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'
import { enterProcessor, leaveProcessor } from './preload/shared-processor.ts'
import { createSpanFence, type ShownSpan } from './redact.ts'
import { RunTracker } from './run-tracker.ts'
import { LateCopy, type Phase } from './span-copy.ts'
import { ungatedReason } from './ungated.ts'
import { VERSION } from './version.ts'
import { createWarning } from './warning.ts'

/** How long a process that has nothing else to do waits for its last spans to leave. */
const EXIT_FLUSH_MS = 300
/** Runs that began while no debugger was attached; the newest of them are announced to one that comes. */
const MAX_WAITING_RUNS = 1000

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
  #newest: LiveSpan | undefined
  #waitingRuns: LiveSpan[] = []
  #stopped: Promise<void> | undefined

  /** `hookTracers` puts wrappers in front of the tracers that the program gets. */
  constructor(
    options: GraphMindSpanProcessorOptions,
    opening: Opening,
    hookTracers: (wrap: WrapTracer) => ProviderHook = (wrap) => hookProvider({ wrap }),
  ) {
    const env = options.env ?? process.env
    this.#appName = options.appName ?? env['OTEL_SERVICE_NAME']
    this.#warn = createWarning(options.logger ?? console)
    this.#feed = new SpanFeed({
      token: env['GRAPHMIND_TOKEN'] || undefined,
      isAttached: () => this.#session?.attached === true,
      onLoss: () => this.#warn('lost', 'Spans are being lost: the collector took none before the buffer was full. Is it running?'),
      onRefused: () => this.#warn('refused', 'The collector refused spans, so they will not show up. Its log says why.'),
    })
    this.#fence = createSpanFence(opening.hide)
    this.#mayHold = options.hold !== false
    enterProcessor(this)
    process.once('beforeExit', this.#beforeExit)
    process.once('exit', this.#exit)
    this.#guard(() => {
      const parts: GatesParts = {
        marks: this.#marks,
        runs: this.#runs,
        onLateMark: ({ span }) => this.#report(span, 'end'),
        onDescribed: (span) => this.#report(span, 'start'),
        onOpenEnd: ({ span }, error) => this.#report(asFailed(span, toErrorInfo(error)), 'end'),
      }
      if (this.#mayHold) this.#holding = startHolding(parts, hookTracers)
    })
    const link = opening.open(this.#feed.line)
    if (link instanceof Promise) this.#link = link.then((opened) => this.#use(opened))
    else if (link !== undefined) this.#link = Promise.resolve(this.#use(link))
  }

  onStart(span: LiveSpan): void {
    if (this.#stopped !== undefined) return
    this.#newest = span
    this.#guard(() => {
      if (this.#session?.attached === true || !this.#mayHold) this.#study(span)
      if (this.#runs.started(span)) {
        this.#holding?.check()
        this.#announceRun(span)
      }
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

  /** What an adapter needs; the session once the collector is known, the gates unless another processor has them. */
  get session(): Session | undefined {
    return this.#session
  }

  get holding(): Holding | undefined {
    return this.#holding
  }

  /** True for the span that was reported last: a processor of the provider was told of it already. */
  isNewest(span: LiveSpan): boolean {
    return this.#newest === span
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
    session.onAttach(() => {
      for (const span of this.#waitingRuns.splice(0)) this.#announceRun(span)
      this.#resend(session)
    })
    this.#feed.aim(base, session.senderId)
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
    if (this.#session?.attached !== true) {
      this.#waitingRuns.push(span)
      if (this.#waitingRuns.length > MAX_WAITING_RUNS) this.#waitingRuns = this.#waitingRuns.slice(MAX_WAITING_RUNS / 2)
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
    const isAborted = phase === 'end' && this.#runs.isAborted(traceId)
    const shown = isAborted ? () => tellAbort(span, this.#fence(span)) : () => this.#fence(span)
    const copy = new LateCopy(span, { phase, marks: this.#marks.of(spanId), shown })
    if (phase === 'start' && this.#session?.attached === true) copy.make()
    this.#feed.push(copy)
  }

  async #stop(): Promise<void> {
    process.off('beforeExit', this.#beforeExit)
    process.off('exit', this.#exit)
    leaveProcessor(this)
    this.#guard(() => this.#holding?.stop())
    await this.#feed.stop()
    await this.#session?.dispose()
  }

  readonly #beforeExit = () => {
    void this.#feed.flush(EXIT_FLUSH_MS)
  }

  // After process.exit() nothing asynchronous runs any more.
  readonly #exit = () => {
    this.#guard(() => this.#feed.sendNow())
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
