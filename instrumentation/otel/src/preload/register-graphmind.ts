import * as ownApi from '@opentelemetry/api'
import { type Api, hookProvider, isProviderRegistered, type WrapTracer } from '../gate/provider-hook.ts'
import { prepareLink } from '../link.ts'
import { LiveProcessor } from '../live-processor.ts'
import type { LiveSpan } from '../live-span.ts'
import type { GraphMindSpanProcessorOptions } from '../options.ts'
import { GraphMindSpanProcessor, handleOf } from '../span-processor.ts'
import { findAppApis } from './app-apis.ts'
import { registerOwnProvider } from './own-provider.ts'
import { ReportingTracer, type SpanListener } from './reporting-tracer.ts'
import { firstProcessor, sharedProcessor, shareProcessor } from './shared-processor.ts'

/**
 * Sets GraphMind up for the whole process, whatever its OpenTelemetry set-up is or will be: it joins the provider that the program
 * registers, and brings one when a first span starts and there is none. Where a GraphMindSpanProcessor is at work already, that is it. Call it before the program does its first work; called again it
 * answers the same processor. `registerGraphMind` is what `node --import @graphmind-ai/otel/register` calls.
 */
export function registerGraphMind(options: GraphMindSpanProcessorOptions = {}): GraphMindSpanProcessor {
  const present = sharedProcessor() ?? firstProcessor()
  if (present !== undefined) return handleOf(present)
  const opening = prepareLink(options)
  if (!opening.enabled) return new GraphMindSpanProcessor(options)
  const listener = new LateListener()
  const tracers = joinTracers(listener, options)
  const processor = new LiveProcessor(options, opening, tracers.hook)
  listener.listen(processor)
  tracers.hookAtLeastOnce()
  shareProcessor(processor)
  return handleOf(processor)
}

function joinTracers(listener: SpanListener, options: GraphMindSpanProcessorOptions) {
  const apis: readonly Api[] = [...findAppApis(), ownApi]
  let own: ownApi.TracerProvider | undefined
  const provide = () => {
    if (own === undefined && isProviderRegistered()) return undefined
    own ??= registerOwnProvider(apis, options.appName)
    return own
  }
  let isHooked = false
  const hook = (wrap: WrapTracer) => {
    isHooked = true
    return hookProvider({ wrap: (inner, scope) => wrap(new ReportingTracer(inner, listener), scope), apis, provide })
  }
  return {
    hook,
    /** A processor that may not hold asks for no hook. */
    hookAtLeastOnce() {
      if (!isHooked) hook((tracer) => tracer)
    },
  }
}

/** Stands for the processor while it is being made. */
class LateListener implements SpanListener {
  #listener: SpanListener | undefined

  listen(listener: SpanListener): void {
    this.#listener = listener
  }

  onStart(span: LiveSpan): void {
    this.#listener?.onStart(span)
  }

  onEnd(span: LiveSpan): void {
    this.#listener?.onEnd(span)
  }

  isNewest(span: LiveSpan): boolean {
    return this.#listener?.isNewest(span) === true
  }
}
