import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { IDENTITY_FIELDS } from '@graphmind-ai/schema'

// What an event of a span may still say when contents are hidden: identity, place, times, counts, outcome.
const KEPT: ReadonlySet<string> = new Set([
  ...IDENTITY_FIELDS,
  'cleared',
  'toolCallId',
  'attempt',
  'attempts',
  'model',
  'provider',
  'collapsed',
  'ungated',
  'endTimeUnixNano',
  'usage',
  'usageIsSum',
  'durationMs',
  'status',
  'error',
  'heldMs',
  'injected',
  'finishReason',
  'firstTokenMs',
  'dialect',
])

/** Takes contents out of stored events, for a run whose session turns out to hide them after spans had come. */
export class EventScrubber {
  readonly #events: StatementSync
  readonly #update: StatementSync

  constructor(database: DatabaseSync) {
    this.#events = database.prepare("SELECT seq, payload FROM events WHERE run = ? AND type LIKE 'node.%' AND origin LIKE 'span:%'")
    this.#update = database.prepare('UPDATE events SET payload = ? WHERE run = ? AND seq = ?')
  }

  scrub(run: number): void {
    for (const row of this.#events.all(run)) {
      const payload = Object.entries(JSON.parse(String(row['payload'])) as object)
      const kept = payload.filter(([name]) => KEPT.has(name))
      if (kept.length < payload.length) this.#update.run(JSON.stringify(Object.fromEntries(kept)), run, Number(row['seq']))
    }
  }
}
