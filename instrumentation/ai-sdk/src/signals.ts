import type { Adapter } from '@graphmind-ai/otel/adapter'
import { trace } from '@opentelemetry/api'

/**
 * The signal to hand on in place of the SDK's: it follows it, and the run's own (which an abort in the debugger fires). Time-outs are not
 * passed on while a debugger is attached, because the time that a person looks at a held call is none that the call took.
 */
export function patientSignal(given: unknown, adapter: Adapter): AbortSignal | undefined {
  const { session } = adapter
  const signal = given instanceof AbortSignal ? given : undefined
  if (session?.attached !== true) return signal
  const controller = new AbortController()
  const follow = (source: AbortSignal) => {
    const pass = () => {
      if (!(isTimeout(source.reason) && session.attached)) controller.abort(source.reason)
    }
    if (source.aborted) pass()
    else source.addEventListener('abort', pass, { once: true, signal: controller.signal })
  }
  if (signal !== undefined) follow(signal)
  const runId = trace.getActiveSpan()?.spanContext().traceId
  if (runId !== undefined) follow(session.runSignal(runId))
  return controller.signal
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError'
}
