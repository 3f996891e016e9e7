import type { SpanOptions } from '@opentelemetry/api'

/** Tracer names of instrumentations that run a caller's work inside `startActiveSpan`, with a callback that need not be async. */
const OPEN_INFERENCE = /^(openinference-core|@arizeai\/openinference-)/
const LANGFUSE = 'langfuse-sdk'
const SENTRY = /^@sentry\//
const TRACELOOP = '@traceloop/node-server-sdk'

/**
 * Whether the work in a span of this scope is nearly always awaited, although its callback is no async function. Should it turn out to be
 * synchronous, it stays so.
 */
export function isUsuallyAwaited(scope: string): boolean {
  return describesInCallback(scope) || SENTRY.test(scope)
}

/** Whether a span of this scope starts bare and says what it is as the first step of its callback. */
export function describesInCallback(scope: string): boolean {
  return scope === LANGFUSE || OPEN_INFERENCE.test(scope)
}

/** Whether a model call's function returns to a caller of the program's own, so that any value may stand for its answer. */
export function answersItsOwnCaller(scope: string): boolean {
  return scope === LANGFUSE || SENTRY.test(scope)
}

/**
 * The options to start a span with. Traceloop gives its spans no attributes before their work runs, only a name like `search.tool`; it sets
 * the same two attributes itself a moment later.
 */
export function describedOptions(scope: string, name: string, options: SpanOptions): SpanOptions {
  if (scope !== TRACELOOP) return options
  const [, entity, kind] = /^(.+)\.(workflow|task|agent|tool)$/.exec(name) ?? []
  if (entity === undefined || kind === undefined) return options
  const attributes = { 'traceloop.entity.name': entity, 'traceloop.span.kind': kind, ...options.attributes }
  return { ...options, attributes }
}

/** Traceloop leaves the span of work that was rejected open for ever. */
export function leavesFailedSpansOpen(scope: string): boolean {
  return scope === TRACELOOP
}
