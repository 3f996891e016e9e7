/**
 * How the span that starts right now was asked for. `awaited`: somebody waits for the call, so a gate can hold it. `sync`: through
 * startActiveSpan with a callback that is not async. `manual`: through startSpan.
 */
export type SpanOrigin = 'awaited' | 'sync' | 'manual'

export interface SpanStart {
  readonly origin: SpanOrigin
  /** The how many-th try of the call this is, when it was tried before. */
  readonly attempt?: number
}

let current: SpanStart | undefined

/** Starts a span, telling the span processor (which is called inside) how. */
export function startingAs<Result>(how: SpanStart, start: () => Result): Result {
  const outer = current
  current = how
  try {
    return start()
  } finally {
    current = outer
  }
}

/** Says that whoever starts spans in this same tick will let us hold them: a framework asked us first. */
export function announceAwaited(): void {
  const announcement: SpanStart = { origin: 'awaited' }
  current = announcement
  queueMicrotask(() => {
    if (current === announcement) current = undefined
  })
}

/** How the span that starts right now was asked for; undefined when nobody said. */
export function currentStart(): SpanStart | undefined {
  return current
}
