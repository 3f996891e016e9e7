import type { Attributes, Span } from '@opentelemetry/api'

const BROKEN_OFF = Symbol('described')

export type Description<Result> = { readonly described: true } | { readonly described: false; readonly result: Result }

/**
 * OpenInference and Langfuse start their spans bare and say what they are in the callback, as its very first step, right before the work:
 * too late for a gate. So the callback is run up to that step and broken off there; it is run again for the work. What it says of the span
 * because of that is not heard. A callback that describes nothing has done its work then, and `result` is what it gave.
 */
export function describeEarly<Result>(span: Span, callback: (span: Span) => Result): Description<Result> {
  const undo: (() => void)[] = []
  const setAttributes = (attributes: Attributes) => {
    uncover(undo)
    span.setAttributes(attributes)
    for (const method of ['setAttribute', 'setAttributes', 'setStatus', 'recordException', 'end'] as const)
      undo.push(cover(span, method, () => span))
    throw BROKEN_OFF
  }
  undo.push(cover(span, 'setAttributes', setAttributes))
  try {
    return { described: false, result: callback(span) }
  } catch (error) {
    if (error !== BROKEN_OFF) throw error
    return { described: true }
  } finally {
    uncover(undo)
  }
}

/** Puts another method in front of the span's; returns the way back. */
function cover(span: Span, method: keyof Span, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(span, method)
  Object.defineProperty(span, method, { configurable: true, enumerable: false, writable: true, value })
  return () => {
    if (own === undefined) Reflect.deleteProperty(span, method)
    else Object.defineProperty(span, method, own)
  }
}

function uncover(undo: (() => void)[]): void {
  for (const step of undo.splice(0).reverse()) step()
}
