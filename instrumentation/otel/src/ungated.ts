import type { SpanOrigin } from './gate/span-origin.ts'

/** The scope that @ai-sdk/otel reports with. */
const AI_SDK_7_SCOPE = 'gen_ai'

/** Why no breakpoint can hold a tool or model call that starts now; undefined when one can (design 6, "Rules"). */
export function ungatedReason(start: {
  readonly holding: boolean
  readonly origin: SpanOrigin | undefined
  readonly scope: string
}): string | undefined {
  if (!start.holding) return 'Holding is off in this program (hold: false).'
  if (start.origin === 'awaited') return undefined
  if (start.origin === 'sync') return 'The span was started with a callback that is not async, so nothing waits for it.'
  if (start.scope === AI_SDK_7_SCOPE) {
    return 'The AI SDK does not ask before this call: it has its own telemetry integrations, or it is a kind of call without a hook.'
  }
  if (start.origin === 'manual') return 'The span was started with startSpan, which says nothing about the work in it.'
  return 'Its tracer was taken from the provider before that was registered; one from trace.getTracer of @opentelemetry/api can be held.'
}
