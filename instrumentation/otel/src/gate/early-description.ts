import type { Attributes, Span } from '@opentelemetry/api'

const BROKEN_OFF = Symbol('described')

export type Description<Result> = { readonly described: true } | { readonly described: false; readonly result: Result }

/**
 * OpenInference starts its spans bare and says what they are in the callback, as its very first step, right before the work: too late for
 * a gate. So the callback is run up to that step and broken off there; it is run again for the work. A callback that describes nothing has
 * done its work then, and `result` is what it gave.
 */
export function describeEarly<Result>(span: Span, callback: (span: Span) => Result): Description<Result> {
  Object.defineProperty(span, 'setAttributes', {
    configurable: true,
    writable: true,
    value(attributes: Attributes) {
      restore(span)
      span.setAttributes(attributes)
      throw BROKEN_OFF
    },
  })
  try {
    return { described: false, result: callback(span) }
  } catch (error) {
    if (error !== BROKEN_OFF) throw error
    return { described: true }
  } finally {
    restore(span)
  }
}

/** Uncovers the method of the span's class again. */
function restore(span: Span): void {
  if (Object.hasOwn(span, 'setAttributes')) Reflect.deleteProperty(span, 'setAttributes')
}
