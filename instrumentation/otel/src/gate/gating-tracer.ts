import { mapSpan } from '@graphmind-ai/mappings'
import { type Context, context, type Span, type SpanOptions, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { isLiveSpan, type LiveSpan, toSpanView } from '../live-span.ts'
import { aiSdkShape, isAiSdkScope } from './ai-sdk-spans.ts'
import { isClaimed, unclaimed } from './claim.ts'
import { type GateSite, gateSiteOf, isAgent } from './gate-site.ts'
import type { Gates } from './gates.ts'
import { type CallShape, holdCall, type Try } from './held-call.ts'
import { startingAs } from './span-origin.ts'

const ABORTED = 'The run was aborted from the GraphMind debugger.'

type Callback = (span: Span) => unknown

/** Stands before a tracer and holds what it runs inside awaited spans. A class, not a Proxy: 5 to 10 times cheaper (spikes 6). */
export class GatingTracer implements Tracer {
  readonly #inner: Tracer
  readonly #gates: Gates
  readonly #scope: string

  constructor(inner: Tracer, scope: string, gates: Gates) {
    this.#inner = inner
    this.#scope = scope
    this.#gates = gates
  }

  startSpan(name: string, options?: SpanOptions, parent?: Context): Span {
    return this.#inner.startSpan(name, options, parent)
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
    const awaited = isAsync(fn) || isAiSdkScope(this.#scope)
    const span = startingAs({ origin: awaited ? 'awaited' : 'sync' }, () => this.#inner.startSpan(name, options, parent))
    const run = (tried: Span) => context.with(trace.setSpan(parent, tried), () => fn(tried))
    const site = awaited ? gateSiteOf(span) : undefined
    if (site === undefined) return isLiveSpan(span) && isAgent(span) ? unclaimed(() => run(span)) : run(span)
    if (isClaimed(site)) return run(span)

    return holdCall(this.#gates, (attempt) => {
      if (attempt === 1) return this.#tryOf(site, span, parent, run)
      // A span that has ended can't run again, and a given start time was the first try's.
      const { startTime: _, ...again } = options
      const nextSpan = startingAs({ origin: 'awaited', attempt }, () => this.#inner.startSpan(name, again, parent))
      return this.#tryOf(gateSiteOf(nextSpan) ?? site, nextSpan, parent, run)
    })
  }

  #tryOf(site: GateSite, span: Span, parent: Context, run: (span: Span) => unknown): Try<unknown> {
    const shape = isAiSdkScope(this.#scope) ? aiSdkShape(site, trace.getSpan(parent)) : ANY_CALL[site.kind]
    return {
      ...shape,
      site,
      run: async () => await run(span),
      outputOf: (result) => (site.kind === 'llm' ? answerIn(site.span) : undefined) ?? shape.outputOf?.(result) ?? result,
      skipped(reason) {
        if ('aborted' in reason) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: ABORTED })
          // Not the reason itself: the SDK would write a DOMException's code where the type belongs.
          span.recordException({ name: 'AbortError', message: ABORTED })
        }
        span.end()
      },
    }
  }
}

// What a call of one's own returns is the tool's value itself. What a model call returns only its author knows, so nothing is injected there.
const ANY_CALL: Record<GateSite['kind'], CallShape<unknown>> = {
  tool: {
    actions: {
      before: ['continue', 'inject', 'abort'],
      after: ['continue', 'retry', 'inject', 'abort'],
      error: ['continue', 'retry', 'inject', 'abort'],
    },
    inject: (output) => output,
  },
  llm: {
    actions: { before: ['continue', 'abort'], after: ['continue', 'retry', 'abort'], error: ['continue', 'retry', 'abort'] },
    inject: (output) => output,
  },
}

/** What the span of a model call says of the answer, in the form that the debugger shows everywhere. */
function answerIn(span: LiveSpan): unknown {
  const mapped = mapSpan(toSpanView(span))
  return mapped.role === 'node' ? mapped.output : undefined
}

function isAsync(fn: Callback): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]'
}
