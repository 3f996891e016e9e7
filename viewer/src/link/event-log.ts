import type { Envelope } from '@graphmind-ai/schema'

/** What was said of each instance. */
export interface EventLog {
  /** Oldest first; the same list until more is said. */
  get(instanceId: string): readonly Envelope[] | undefined
}

/**
 * Keeps for each event where the one before it of the same instance is, and makes a list only for an instance that is looked at: of a long
 * run that is a few, and a list for each would weigh more than the events' own bookkeeping.
 */
export function createEventLog(): EventLog & { add(instanceIds: readonly string[], envelope: Envelope): void } {
  const entries: Envelope[] = []
  const before: number[] = []
  const last = new Map<string, number>()
  const lists = new Map<string, { readonly until: number; readonly events: readonly Envelope[] }>()
  return {
    add(instanceIds, envelope) {
      for (const id of instanceIds) {
        before.push(last.get(id) ?? NONE)
        last.set(id, entries.length)
        entries.push(envelope)
      }
    },
    get(instanceId) {
      const newest = last.get(instanceId)
      if (newest === undefined) return undefined
      const known = lists.get(instanceId) ?? { until: NONE, events: [] }
      if (known.until === newest) return known.events
      const more: Envelope[] = []
      for (let at = newest; at !== known.until; at = before[at] ?? NONE) {
        const envelope = entries[at]
        if (envelope !== undefined) more.push(envelope)
      }
      const events = [...known.events, ...more.reverse()]
      lists.set(instanceId, { until: newest, events })
      return events
    },
  }
}

const NONE = -1
