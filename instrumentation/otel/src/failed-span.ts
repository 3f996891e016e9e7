import type { ErrorInfo } from '@graphmind-ai/schema'
import type { HrTime } from '@opentelemetry/api'
import type { LiveEvent, LiveSpan } from './live-span.ts'

/** How our copy shows a span whose work failed just now and that its framework leaves open; the span itself stays as it is. */
export function asFailed(span: LiveSpan, { name, message, stack }: ErrorInfo): LiveSpan {
  const nowMs = performance.timeOrigin + performance.now()
  const endTime: HrTime = [Math.trunc(nowMs / 1000), Math.trunc((nowMs % 1000) * 1e6)]
  const failure: LiveEvent = {
    name: 'exception',
    time: endTime,
    attributes: { 'exception.type': name, 'exception.message': message, ...(stack === undefined ? {} : { 'exception.stacktrace': stack }) },
  }
  return Object.create(span, {
    spanContext: { value: () => span.spanContext() },
    ended: { value: true },
    endTime: { value: endTime },
    status: { value: { code: 2, message } },
    events: { value: [...span.events, failure] },
  })
}
