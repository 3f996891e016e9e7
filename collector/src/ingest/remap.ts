import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { logKeysOf, mapSpan, withLogs } from '@graphmind-ai/mappings'
import { type DecodedSpan, decodedSpan, surroundingsOf } from '../otlp/decode.ts'
import { withAnnounced } from '../otlp/start-notice.ts'
import { emitHints, noteHints } from './hints.ts'
import type { LogShelf } from './log-shelf.ts'
import { refreshContent } from './node-events.ts'
import { digest, type SpanEvent } from './outbox.ts'
import type { RunState } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { factsOf, readFacts, writeFacts } from './span-facts.ts'

/** Reads a run's raw spans again with the mappings of today, and stores what the assembler has to know of them. */
export class FactsRewriter {
  readonly #spans: StatementSync
  readonly #update: StatementSync

  readonly #logs: LogShelf

  constructor(database: DatabaseSync, logs: LogShelf) {
    this.#logs = logs
    this.#spans = database.prepare(
      `SELECT spans.span_id, spans.copy, spans.raw, spans.facts, resources.body AS resource, scopes.body AS scope FROM spans
       JOIN resources ON resources.run = spans.run AND resources.hash = spans.resource
       JOIN scopes ON scopes.run = spans.run AND scopes.hash = spans.scope
       WHERE spans.run = ? ORDER BY ordinal, copy`,
    )
    this.#update = database.prepare('UPDATE spans SET facts = ? WHERE run = ? AND span_id = ? AND copy = ?')
  }

  /** How many spans the run has, rewritten or not, and the spans that notices among them announce. */
  rewrite(run: number): { readonly count: number; readonly announced: readonly DecodedSpan[] } {
    let count = 0
    const announced: DecodedSpan[] = []
    // All first: a statement must not change the table it is reading from.
    const changes: (readonly [facts: string, spanId: string, copy: number])[] = []
    for (const row of this.#spans.iterate(run)) {
      count += 1
      const raw = String(row['raw'])
      const known = String(row['facts'])
      const surroundings = surroundingsOf(JSON.parse(String(row['resource'])), JSON.parse(String(row['scope'])))
      const span = decodedSpan(JSON.parse(raw), surroundings)
      const before = readFacts(known)
      announced.push(...withAnnounced([span]).slice(1))
      const { traceId, spanId } = span.view
      const logs = this.#logs.about(traceId, logKeysOf(spanId, before.responseId, before.toolCallId))
      // A span of a joined trace keeps the place it was given here.
      const place = before.parent === undefined || span.raw.parentSpanId !== undefined ? {} : { parentSpanId: before.parent }
      const placed = { ...span, view: { ...span.view, ...place } }
      const facts = writeFacts(factsOf(placed, mapSpan(withLogs(placed.view, logs)), digest(raw), before.startNanos))
      if (facts !== known) changes.push([facts, String(row['span_id']), Number(row['copy'])])
    }
    for (const [facts, spanId, copy] of changes) this.#update.run(facts, run, spanId, copy)
    return { count, announced }
  }
}

/** What the events of a run have to say after its facts were rewritten: the difference to what they said before, as corrections. */
export function correctRun(state: RunState, source: ContentSource): readonly SpanEvent[] {
  const events: SpanEvent[] = []
  for (const record of state.spans.values()) {
    const content = source.content(record.id, record.ours !== undefined)
    if (content !== undefined) noteHints(state, record, content.mapped)
  }
  for (const record of state.spans.values()) refreshContent(state, record, source, events)
  emitHints(state, new Set(state.spans.keys()), events)
  return events
}
