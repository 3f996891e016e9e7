import { type MappedNode, mapSpan } from '@graphmind-ai/mappings'
import { type Context, context, type Span, type SpanOptions, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { type LiveSpan, liveSpanOf, toSpanView } from '../live-span.ts'
import { mayBeAdapted } from './adapted.ts'
import { aiSdkShape, isAiSdkScope } from './ai-sdk-spans.ts'
import { answersItsOwnCaller, describedOptions, describesInCallback, isUsuallyAwaited, leavesFailedSpansOpen } from './awaited-scopes.ts'
import { isClaimed, unclaimed } from './claim.ts'
import { describeEarly } from './early-description.ts'
import type { EditedInputs } from './edit-input.ts'
import { type GateSite, gateSiteOf, isAgent } from './gate-site.ts'
import type { Gates } from './gates.ts'
import { genkitShape, isGenkitScope } from './genkit-spans.ts'
import { type CallShape, holdCall, holdUnlessAdapted, holdUnlessSync, type Try } from './held-call.ts'
import { mappedEnd } from './model-end.ts'
import { currentStart, type SpanStart, startingAs } from './span-origin.ts'
import type { TokenFeed } from './token-feed.ts'

const MANUAL: SpanStart = { origin: 'manual' }
const ABORTED = 'The run was aborted from the GraphMind debugger.'

type Callback = (span: Span) => unknown

export interface GatingParts {
  readonly gates: Gates
  readonly tokens: TokenFeed
  readonly edits: EditedInputs
}

/** Stands before a tracer and holds what it runs inside awaited spans. A class, not a Proxy: 5 to 10 times cheaper (spikes 6). */
export class GatingTracer implements Tracer {
  readonly #inner: Tracer
  readonly #gates: Gates
  readonly #parts: GatingParts
  readonly #scope: string
  readonly #usuallyAwaited: boolean
  /** Names of spans whose work turned out to be synchronous. */
  readonly #synchronous = new Set<string>()

  constructor(inner: Tracer, scope: string, parts: GatingParts) {
    this.#inner = inner
    this.#scope = scope
    this.#parts = parts
    this.#gates = parts.gates
    this.#usuallyAwaited = isUsuallyAwaited(scope)
  }

  startSpan(name: string, options?: SpanOptions, parent?: Context): Span {
    // Somebody further out may have said already how the span was asked for.
    if (!this.#gates.armed || currentStart() !== undefined) return this.#inner.startSpan(name, options, parent)
    return startingAs(MANUAL, () => this.#inner.startSpan(name, options, parent))
  }

  startActiveSpan<F extends (span: Span) => unknown>(name: string, fn: F): ReturnType<F>
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, fn: F): ReturnType<F>
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, parent: Context, fn: F): ReturnType<F>
  startActiveSpan(name: string, second: SpanOptions | Callback, third?: Context | Callback, fourth?: Callback): unknown {
    if (!this.#gates.armed) {
      if (fourth !== undefined) return this.#inner.startActiveSpan(name, second as SpanOptions, third as Context, fourth)
      if (third !== undefined) return this.#inner.startActiveSpan(name, second as SpanOptions, third as Callback)
      return this.#inner.startActiveSpan(name, second as Callback)
    }
    const fn = fourth ?? third ?? second
    if (typeof fn !== 'function') return undefined
    const options = typeof second === 'object' ? second : {}
    const parent = typeof third === 'object' ? third : undefined
    return this.#startWatched(name, options, parent ?? context.active(), fn as Callback)
  }

  #startWatched(name: string, options: SpanOptions, parent: Context, fn: Callback): unknown {
    const isAwaited = isAsync(fn) || isAiSdkScope(this.#scope)
    const maybeAwaited = this.#usuallyAwaited && !this.#synchronous.has(name)
    const origin = isAwaited || maybeAwaited ? 'awaited' : 'sync'
    const start = (given: SpanOptions, attempt?: number) =>
      startingAs({ origin, ...(attempt === undefined ? {} : { attempt }) }, () =>
        this.#inner.startSpan(name, describedOptions(this.#scope, name, given), parent),
      )
    const span = start(options)
    const run = (tried: Span) => context.with(trace.setSpan(parent, tried), () => fn(tried))
    const isBare = maybeAwaited && describesInCallback(this.#scope)
    if (isBare) {
      const early = describeEarly(span, run)
      if (!early.described) return early.result
      this.#gates.described(span)
    }
    const site = origin === 'awaited' ? gateSiteOf(span) : undefined
    if (site === undefined) {
      const live = liveSpanOf(span)
      return live !== undefined && isAgent(live) ? unclaimed(() => run(span)) : run(span)
    }
    const isLeft = mayBeAdapted(site)
    if (isClaimed(site) || (isLeft && !isAwaited) || !this.#gates.mayHold(site)) return run(span)

    const nextTry = (attempt: number) => {
      if (attempt === 1) return this.#tryOf(site, span, parent, run)
      // A span that has ended can't run again, and a given start time was the first try's.
      const { startTime: _, ...again } = options
      const nextSpan = start(again, attempt)
      const early = isBare ? describeEarly(nextSpan, run) : undefined
      if (early?.described) this.#gates.described(nextSpan)
      return this.#tryOf(gateSiteOf(nextSpan) ?? site, nextSpan, parent, early?.described === false ? () => early.result : run)
    }
    if (isLeft) return holdUnlessAdapted(this.#gates, nextTry)
    if (isAwaited) return holdCall(this.#gates, nextTry)
    const result = holdUnlessSync(this.#gates, nextTry)
    if (!(result instanceof Promise)) this.#synchronous.add(name)
    return result
  }

  #tryOf(site: GateSite, span: Span, parent: Context, run: (span: Span) => unknown): Try<unknown> {
    const shape = this.#shapeOf(site, span, parent)
    return {
      ...shape,
      site,
      run: () => (shape.passOn === undefined ? run(span) : passOn(run(span), shape.passOn)),
      outputOf: (result) => (site.kind === 'llm' ? nodeIn(site.span)?.output : undefined) ?? shape.outputOf?.(result) ?? result,
      modelEndOf: (result) => shape.modelEndOf?.(result) ?? mappedEnd(nodeIn(site.span)),
      skipped: (reason) => {
        if ('aborted' in reason) markAborted(span)
        if ('aborted' in reason || shape.endsSpan !== true) span.end()
      },
      failed: (error) => {
        if (leavesFailedSpansOpen(this.#scope) && !site.span.ended) this.#gates.endedOpen(site, error)
      },
    }
  }

  #shapeOf(site: GateSite, span: Span, parent: Context): SpanShape {
    if (site.kind === 'custom') return OWN_CALL
    if (isAiSdkScope(this.#scope)) return aiSdkShape(site, span, trace.getSpan(parent), this.#parts)
    if (isGenkitScope(this.#scope)) return genkitShape(site)
    return site.kind === 'llm' && answersItsOwnCaller(this.#scope) ? OWN_CALL : ANY_CALL[site.kind]
  }
}

/** How the span of a framework is answered. */
export interface SpanShape extends CallShape<unknown> {
  /** What the caller gets in place of what the work gave; for streams that are watched on their way. */
  passOn?(result: unknown): unknown
  /** The framework ends the span also when the work was skipped. */
  readonly endsSpan?: boolean
}

// What a call of one's own returns is the tool's value itself. What a model call returns only its author knows, so nothing is injected there.
const OWN_CALL: SpanShape = {
  actions: {
    before: ['continue', 'inject', 'abort'],
    after: ['continue', 'retry', 'inject', 'abort'],
    error: ['continue', 'retry', 'inject', 'abort'],
  },
  inject: (output) => output,
}
const ANY_CALL: Record<GateSite['kind'], SpanShape> = {
  tool: OWN_CALL,
  custom: OWN_CALL,
  llm: {
    actions: { before: ['continue', 'abort'], after: ['continue', 'retry', 'abort'], error: ['continue', 'retry', 'abort'] },
    inject: (output) => output,
  },
}

async function passOn(result: unknown, shape: (result: unknown) => unknown): Promise<unknown> {
  return shape(await result)
}

function markAborted(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: ABORTED })
  // Not the reason itself: the SDK would write a DOMException's code where the type belongs.
  span.recordException({ name: 'AbortError', message: ABORTED })
}

/** What the span of a model call says of it, in the form that the debugger shows everywhere. */
function nodeIn(span: LiveSpan): MappedNode | undefined {
  const mapped = mapSpan(toSpanView(span))
  return mapped.role === 'node' ? mapped : undefined
}

function isAsync(fn: Callback): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]'
}
