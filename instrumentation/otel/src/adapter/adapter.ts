import { type Session, toErrorInfo } from '@graphmind-ai/client'
import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type Adapted, adapt, adapterArrives } from '../gate/adapted.ts'
import { type GateSite, gateSiteOf } from '../gate/gate-site.ts'
import type { Gates } from '../gate/gates.ts'
import { type CallShape, holdCall } from '../gate/held-call.ts'
import { isAbort } from '../gate/held-errors.ts'
import { streamGates, type TokenSink, type WatchPart } from '../gate/model-stream.ts'
import { startingAs } from '../gate/span-origin.ts'
import type { GraphMindSpanProcessorOptions } from '../options.ts'
import { registerGraphMind } from '../preload/register-graphmind.ts'
import { firstProcessor } from '../preload/shared-processor.ts'
import type { GraphMindSpanProcessor } from '../span-processor.ts'

const TRACER = '@graphmind-ai/sdk'

/** A tool or model call as an adapter hands it over. */
export interface AdaptedCall<Result> extends CallShape<Result> {
  readonly kind: GateSite['kind']
  readonly spanName: string
  /** What a span of the call says at its start, after the GenAI conventions; used when the framework makes none. */
  readonly attributes: Attributes
  readonly toolCallId?: string | undefined
  run(span: AdaptedSpan): PromiseLike<Result>
  /** What the span says of a result. */
  describe?(result: Result): Attributes
  /** The span is ended by `AdaptedSpan.end`, not with the call: a stream goes on after it. */
  readonly goesOn?: boolean
}

/** The span that stands for a call. */
export interface AdaptedSpan {
  readonly tokens: TokenSink
  readonly watch: WatchPart
  /** Ends a span of ours; one of the framework is ended by the framework. */
  end(attributes: Attributes, error?: unknown): void
}

/** What adapters of frameworks are built on: spans, gates and the session of this process. */
export class Adapter {
  readonly processor: GraphMindSpanProcessor

  constructor(processor: GraphMindSpanProcessor) {
    this.processor = processor
  }

  get session(): Session | undefined {
    return firstProcessor()?.session
  }

  /** Says that this adapter stands before every call of `object`, a tool or model. */
  adapt(object: object, about: Adapted): void {
    adapt(object, about)
  }

  /** Runs a whole agent run in a span of its own. */
  async run<Result>(name: string, work: (runId: string) => Result | Promise<Result>): Promise<Result> {
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }
    return await trace.getTracer(TRACER).startActiveSpan(`invoke_agent ${name}`, { attributes }, async (span) => {
      try {
        return await work(span.spanContext().traceId)
      } catch (error) {
        fail(span, error)
        throw error
      } finally {
        span.end()
      }
    })
  }

  /** Runs a call in its span and through its gates. */
  async call<Result>(call: AdaptedCall<Result>): Promise<Result> {
    const { gates } = firstProcessor()?.holding ?? {}
    adapterArrives(call.kind, call.toolCallId)
    const around = context.active()
    const given = gateSiteOf(trace.getActiveSpan())
    const isGiven = given?.kind === call.kind && (call.toolCallId === undefined || given.toolCallId === call.toolCallId)
    const open = (attempt: number) => (isGiven ? new OpenSpan(trace.getActiveSpan(), false, around) : startSpan(call, attempt, around))

    const first = open(1)
    const site = first.site
    if (gates?.armed !== true || site === undefined) return await first.run(call, gates)
    return await holdCall(gates, (attempt) => {
      const span = attempt === 1 ? first : open(attempt)
      return {
        ...call,
        site: span.site ?? site,
        run: () => span.run(call, gates),
        skipped: (reason) => span.end({}, 'aborted' in reason ? reason.aborted : undefined),
      }
    })
  }
}

/** Sets GraphMind up for the process; undefined under a kill switch. */
export function openAdapter(options: GraphMindSpanProcessorOptions): Adapter | undefined {
  const processor = registerGraphMind(options)
  return firstProcessor() === undefined ? undefined : new Adapter(processor)
}

function startSpan<Result>(call: AdaptedCall<Result>, attempt: number, around: Context): OpenSpan {
  const { spanName, attributes, kind } = call
  const options = { attributes, kind: kind === 'llm' ? SpanKind.CLIENT : SpanKind.INTERNAL }
  const start = { origin: 'awaited', ...(attempt === 1 ? {} : { attempt }) } as const
  return new OpenSpan(
    startingAs(start, () => trace.getTracer(TRACER).startSpan(spanName, options, around)),
    true,
    around,
  )
}

class OpenSpan {
  readonly #span: Span | undefined
  readonly #isOurs: boolean
  readonly #around: Context

  constructor(span: Span | undefined, isOurs: boolean, around: Context) {
    this.#span = span
    this.#isOurs = isOurs
    this.#around = around
  }

  get site(): GateSite | undefined {
    return gateSiteOf(this.#span)
  }

  async run<Result>(call: AdaptedCall<Result>, gates: Gates | undefined): Promise<Result> {
    const span = this.#span
    const inside = span === undefined ? this.#around : trace.setSpan(this.#around, span)
    try {
      const result = await context.with(inside, () => call.run(this.#open(gates)))
      if (call.goesOn !== true) this.end(call.describe?.(result) ?? {})
      return result
    } catch (error) {
      this.end({}, error)
      throw error
    }
  }

  end(attributes: Attributes, error?: unknown): void {
    if (!this.#isOurs || this.#span === undefined) return
    this.#span.setAttributes(attributes)
    if (error !== undefined) fail(this.#span, error)
    this.#span.end()
  }

  #open(gates: Gates | undefined): AdaptedSpan {
    const { tokens } = firstProcessor()?.holding ?? {}
    return {
      tokens: (this.#span && tokens?.open(this.#span)) ?? SILENT,
      watch: gates === undefined ? () => undefined : streamGates(gates, this.site),
      end: (attributes, error) => this.end(attributes, error),
    }
  }
}

const SILENT: TokenSink = { push: () => undefined, end: () => undefined }

function fail(span: Span, error: unknown): void {
  const { name, message, stack } = toErrorInfo(error)
  span.recordException({ name: isAbort(error) ? 'AbortError' : name, message, ...(stack === undefined ? {} : { stack }) })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
