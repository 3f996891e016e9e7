import { type Context, context, type Span, type SpanOptions, type TimeInput, type Tracer, trace } from '@opentelemetry/api'
import { type LiveSpan, liveSpanOf } from '../live-span.ts'

type Callback = (span: Span) => unknown

/** What is told of spans; a span processor that knows what it was told last. */
export interface SpanListener {
  onStart(span: LiveSpan): void
  onEnd(span: LiveSpan): void
  isNewest(span: LiveSpan): boolean
}

/**
 * Reports the spans of a provider that the program set up without our processor: a provider takes its processors when it is made, so
 * there is no later way in. Spans of which a processor told us already are left alone.
 */
export class ReportingTracer implements Tracer {
  readonly #inner: Tracer
  readonly #listener: SpanListener

  constructor(inner: Tracer, listener: SpanListener) {
    this.#inner = inner
    this.#listener = listener
  }

  startSpan(name: string, options?: SpanOptions, parent?: Context): Span {
    const span = this.#inner.startSpan(name, options, parent)
    const live = liveSpanOf(span)
    if (live === undefined || this.#listener.isNewest(live)) return span
    this.#listener.onStart(live)
    reportEnd(span, live, this.#listener)
    return span
  }

  startActiveSpan<F extends (span: Span) => unknown>(name: string, fn: F): ReturnType<F>
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, fn: F): ReturnType<F>
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, parent: Context, fn: F): ReturnType<F>
  startActiveSpan(name: string, second: SpanOptions | Callback, third?: Context | Callback, fourth?: Callback): unknown {
    const fn = fourth ?? third ?? second
    if (typeof fn !== 'function') return undefined
    const options = typeof second === 'object' ? second : {}
    const parent = typeof third === 'object' ? third : context.active()
    const span = this.startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), fn as Callback, undefined, span)
  }
}

function reportEnd(span: Span, live: LiveSpan, listener: SpanListener): void {
  const { end } = span
  Object.defineProperty(span, 'end', {
    configurable: true,
    enumerable: false,
    writable: true,
    value(time?: TimeInput) {
      const isFirst = !live.ended
      end.call(span, time)
      if (isFirst) listener.onEnd(live)
    },
  })
}
