import type { ErrorInfo } from '@graphmind-ai/schema'
import type { SpanEventView, SpanView } from '../span-view.ts'
import { textOf } from './attribute.ts'
import { defined } from './defined.ts'

const NOTHING_SAID = 'The span ended with an error and no message.'

/** True for an error that only says that there was one; the words may stand elsewhere. */
export function isVagueFailure({ message }: ErrorInfo): boolean {
  return message === NOTHING_SAID
}

/** What went wrong in a span, as the conventions tell it: error status, an exception, or `error.type`, which is only set on failure. */
export function failureOf(span: SpanView): ErrorInfo | undefined {
  const type = textOf(span.attributes, 'error.type')
  const exception = firstException(span)
  if (span.status.code !== 'error' && type === undefined && (exception === undefined || span.status.code === 'ok')) return undefined
  return describeFailure(exception, type, textOf(span.attributes, 'error.message') ?? span.status.message)
}

/** The cause: of several exceptions the first, as the later ones wrap it (AI SDK 4 tools). */
export function firstException(span: SpanView): SpanEventView | undefined {
  return span.events.find((event) => event.name === 'exception')
}

/** An error in words. Something is always said, also of a span that only says that it failed. */
export function describeFailure(exception: SpanEventView | undefined, type: string | undefined, message: string | undefined): ErrorInfo {
  const attributes = exception?.attributes ?? {}
  const stack = textOf(attributes, 'exception.stacktrace')
  const name = textOf(attributes, 'exception.type') ?? type ?? 'Error'
  const said = textOf(attributes, 'exception.message') ?? (message || undefined) ?? stack?.split('\n', 1)[0] ?? type
  return defined({ name, message: (said ?? NOTHING_SAID).toWellFormed(), stack })
}

/** True for the error by which JavaScript says that a caller gave up. */
export function isAbort(error: ErrorInfo | undefined): boolean {
  return error !== undefined && /^(AbortError|ResponseAborted|APIUserAbortError)$/.test(error.name)
}
