import type { Envelope } from '@graphmind-ai/schema'
import type { SpanEvent } from '../link/read-sent-span.ts'

/** Something that happened in a call: told to the collector, or noted by the program in its span. `at` is epoch ms. */
export type CallEvent =
  | { readonly type: 'told'; readonly key: string; readonly at: number; readonly envelope: Envelope }
  | { readonly type: 'noted'; readonly key: string; readonly at: number; readonly noted: SpanEvent }

/** Both in one list. What was told stays in the order it was told in; what was noted stands before the first that was told of later. */
export function withSpanEvents(told: readonly Envelope[], noted: readonly SpanEvent[]): readonly CallEvent[] {
  const events: CallEvent[] = []
  let next = 0
  const noteUntil = (at: number) => {
    for (let event = noted[next]; event !== undefined && event.at < at; event = noted[next]) {
      events.push({ type: 'noted', key: `noted ${String(next)}`, at: event.at, noted: event })
      next += 1
    }
  }
  for (const envelope of told) {
    noteUntil(envelope.ts)
    events.push({ type: 'told', key: `told ${String(envelope.seq)}`, at: envelope.ts, envelope })
  }
  noteUntil(Number.POSITIVE_INFINITY)
  return events
}
