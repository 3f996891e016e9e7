import { context, createContextKey } from '@opentelemetry/api'

// The API makes equal keys of equal texts on purpose, so this is the key that every SDK's sampler looks at.
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** Runs our own work where instrumentations make no spans of it; timers and sockets started inside stay out of the traces too. */
export function untraced<Result>(work: () => Result): Result {
  return context.with(context.active().setValue(SUPPRESS_TRACING, true), work)
}
