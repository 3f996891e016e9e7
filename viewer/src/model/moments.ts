import type { Envelope } from '@graphmind-ai/schema'

/** Events that change nothing one can see by themselves; a step over them would look like a key that does nothing. */
const UNSEEN: ReadonlySet<string> = new Set(['hello', 'node.token'])

/**
 * The event that a step back or on leads to from `seq` (undefined: from now). Stepping on from the last one leads to now, stepping back
 * from the first one stays there.
 */
export function nextMoment(events: readonly Envelope[], seq: number | undefined, step: 1 | -1): number | undefined {
  const at = seq === undefined ? events.length : events.findLastIndex((event) => event.seq <= seq)
  for (let index = at + step; index >= 0 && index < events.length; index += step) {
    const event = events[index]
    // Now is the last event: the first step back from there has to lead to the one before it.
    if (event === undefined || UNSEEN.has(event.type) || (seq === undefined && index === events.length - 1 && index > 0)) continue
    return event.seq
  }
  return step === 1 ? undefined : (seq ?? events[0]?.seq)
}
