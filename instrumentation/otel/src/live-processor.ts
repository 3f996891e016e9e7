import { type Session, toErrorInfo } from '@graphmind-ai/client'
import { gateOf } from '@graphmind-ai/mappings'
import { tellAbort } from './aborted-span.ts'
import { callEndOf } from './call-end.ts'
import { asFailed } from './failed-span.ts'
import { SpanFeed } from './feed/span-feed.ts'
import type { Moment, Place } from './feed/span-ring.ts'
import { meaningAtStart } from './gate/gate-site.ts'
import type { GatesParts } from './gate/gates.ts'
import { type Holding, startHolding } from './gate/holding.ts'
import { hookProvider, type ProviderHook, type WrapTracer } from './gate/provider-hook.ts'
import { currentStart } from './gate/span-origin.ts'
import type { Link, Opening } from './link.ts'
import { isLocalRoot, type LiveSpan, settledAttributes } from './live-span.ts'
import { MarkBook } from './marks.ts'
import type { GraphMindSpanProcessorOptions } from './options.ts'
import { enterProcessor, leaveProcessor } from './preload/shared-processor.ts'
import { createSpanFence, type ShownSpan, type SpanFence } from './redact.ts'
import { RunTracker } from './run-tracker.ts'
import { shownParent } from './shown-parent.ts'
import { copySpan, type WireSpan } from './span-copy.ts'
import { ungatedReason } from './ungated.ts'
import { VERSION } from './version.ts'
import { createWarning } from './warning.ts'

/** How long a process that has nothing else to do waits for its last spans to leave. */
const EXIT_FLUSH_MS = 300
/** Roots that never end are a leak of the program, and must not become one of ours. */
const MAX_OPEN_ROOTS = 1000
const ABORTED: Moment = { aborted: true }

/** The processor when it is on. Its methods never throw. */
export class LiveProcessor {
  readonly #appName: string | undefined
  readonly #warn: (kind: string, message: string) => void
  readonly #feed: SpanFeed
  readonly #marks = new MarkBook()
  readonly #runs = new RunTracker((runId) => this.#session?.endRun(runId))
  readonly #fence: SpanFence
  readonly #mayHold: boolean
  readonly #link: Promise<Link> | undefined
  #holding: Holding | undefined
  #session: Session | undefined
  #newest: LiveSpan | undefined
  /** Local roots that go on: however much comes after them, they are shown to a debugger that attaches late. */
  readonly #openRoots = new Set<LiveSpan>()
  /** Spans whose call was counted, or could be at its gate. */
  readonly #counted = new WeakSet<LiveSpan>()
  /** Local roots whose runs the channel knows. */
  readonly #announced = new WeakSet<LiveSpan>()
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
      copy: (place, session) => this.#copy(place, session),
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
        parentOf: (span) => shownParent(span, this.#kept()),
        onLateMark: ({ span }) => this.#pushEnd(span),
        onDescribed: (span) => this.#pushStart(span),
        onOpenEnd: ({ span }, error) => this.#pushEnd(asFailed(span, toErrorInfo(error))),
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
    try {
      if (isLocalRoot(span)) this.#rootStarted(span)
      this.#pushStart(span)
    } catch (error) {
      this.#failed(error)
    }
  }

  onEnd(span: LiveSpan): void {
    if (this.#stopped !== undefined) return
    try {
      this.#pushEnd(span)
      if (isLocalRoot(span)) this.#rootEnded(span)
    } catch (error) {
      this.#failed(error)
    }
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
      this.#announceRuns()
      this.#countPassed(session)
      this.#resend(session)
    })
    this.#feed.aim(base, session.senderId)
    return link
  }

  // The collector may be a new one that knows nothing: it gets all that is kept, and is told what is not.
  #resend(session: Session): void {
    for (const { traceId, count } of this.#feed.resend(this.#openRoots)) {
      const { seq } = session.stats()
      const gap = { droppedCount: count, fromSeq: seq, toSeq: seq, reason: 'spans-dropped' }
      session.emit('graph.hint', { nodes: [], gap }, { runId: traceId })
    }
  }

  #rootStarted(span: LiveSpan): void {
    this.#holding?.check()
    if (this.#openRoots.size < MAX_OPEN_ROOTS) this.#openRoots.add(span)
    if (this.#session?.attached === true) this.#announceRun(span, this.#session)
  }

  #rootEnded(span: LiveSpan): void {
    this.#openRoots.delete(span)
    this.#runs.ended(span)
  }

  /** Every span that is kept, oldest first; one may come several times. */
  *#kept(): Generator<LiveSpan> {
    yield* this.#openRoots
    yield* this.#feed.spans()
  }

  // Nobody watched when these began.
  #announceRuns(): void {
    for (const span of this.#kept()) {
      if (this.#session !== undefined && isLocalRoot(span) && !this.#announced.has(span)) this.#announceRun(span, this.#session)
    }
  }

  // The loop guard counts what went by unwatched only now, so that it costs nothing while nobody debugs.
  #countPassed(session: Session): void {
    const open = new Set([...this.#openRoots].map((root) => root.spanContext().traceId))
    for (const span of this.#feed.spans()) {
      if (this.#counted.has(span)) continue
      this.#counted.add(span)
      const { traceId: runId, spanId: instanceId } = span.spanContext()
      const meaning = open.has(runId) ? meaningAtStart(span) : undefined
      const node = meaning === undefined ? undefined : gateOf(meaning)
      if (node !== undefined && meaning?.role === 'node') {
        const end = span.ended ? () => callEndOf(span) : undefined
        session.notePassed({ ...node, instanceId }, { runId, input: meaning.input, end })
      }
    }
  }

  /** Ties the run to this process' socket. */
  #announceRun(span: LiveSpan, session: Session): void {
    this.#announced.add(span)
    if (!span.ended) this.#runs.started(span)
    const resource = settledAttributes(span.resource)
    const mapped = meaningAtStart(span)
    const text = (key: string, fallback: string) => (typeof resource[key] === 'string' ? resource[key] : fallback)
    session.emit(
      'run.started',
      {
        app: this.#appName ?? text('service.name', 'app'),
        sdk: { name: text('telemetry.sdk.name', '@graphmind-ai/otel'), version: text('telemetry.sdk.version', VERSION) },
        meta: { name: mapped.run?.name ?? mapped.name },
      },
      { runId: span.spanContext().traceId },
    )
  }

  // Unwatched, nothing is looked at or copied: the ring keeps the span itself.
  #pushStart(span: LiveSpan): void {
    if (this.#session?.attached !== true) {
      this.#feed.push(span, 'start')
      return
    }
    this.#counted.add(span)
    this.#feed.push(span, 'start', { attributes: { ...span.attributes }, start: currentStart() })
  }

  #pushEnd(span: LiveSpan): void {
    const aborted = this.#runs.isWatching && this.#runs.isAborted(span.spanContext().traceId)
    this.#feed.push(span, 'end', aborted ? ABORTED : undefined)
  }

  /** Our copy of a span, made when it leaves. The start of a span that nobody saw start is needed only while it goes on. */
  #copy({ span, phase, moment }: Place, session: string): WireSpan | undefined {
    try {
      if (phase === 'start') this.#study(span, moment)
      if (phase === 'start' && span.ended && moment === undefined) return undefined
      const marks = this.#marks.of(span.spanContext().spanId)
      return copySpan(span, { phase, marks, shown: this.#shown(span, moment), session })
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  #shown(span: LiveSpan, moment: Moment | undefined): ShownSpan {
    if (moment?.attributes !== undefined) return { ...this.#fence(span, moment.attributes), events: [] }
    const shown = this.#fence(span, span.attributes)
    return moment?.aborted === true ? tellAbort(span, shown) : shown
  }

  /** Finds out what nobody but this process knows of a call; how a span was asked for is known only of those that started watched. */
  #study(span: LiveSpan, moment: Moment | undefined): void {
    if ((moment === undefined && this.#mayHold) || gateOf(meaningAtStart(span)) === undefined) return
    const { origin, attempt } = moment?.start ?? {}
    const ungated = ungatedReason({ holding: this.#mayHold, origin, scope: span.instrumentationScope.name })
    const { spanId } = span.spanContext()
    if (ungated !== undefined) this.#marks.add(spanId, { ungated })
    if (attempt !== undefined) this.#marks.add(spanId, { attempt })
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

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Our own mistakes end here: the host goes on, and hears of it once. */
  #failed(error: unknown): void {
    this.#warn('internal', `Something went wrong in the span processor: ${toErrorInfo(error).message} The program goes on.`)
  }
}
