import type { ChannelEvent } from '@graphmind-ai/hub'
import { type Envelope, isTraceRunId, unknownFieldsOf } from '@graphmind-ai/schema'
import { isFields } from '../otlp/read-value.ts'
import { refreshPlace } from './node-events.ts'
import { type SpanEvent, toJson } from './outbox.ts'
import type { RunAppender } from './run-appender.ts'
import type { CachedRun, RunCache } from './run-cache.ts'

/** Takes events into runs that come ready made: over the channel, or from an exported run. */
export class ChannelIntake {
  readonly #runs: RunCache
  readonly #appender: RunAppender

  constructor(runs: RunCache, appender: RunAppender) {
    this.#runs = runs
    this.#appender = appender
  }

  /** What waits of the run has to be derived by now. */
  add(event: ChannelEvent): void {
    const run = this.#appender.touch(event.runId)
    const payload = (event.payload ?? {}) as { readonly [key: string]: unknown }
    const instanceId = typeof payload['instanceId'] === 'string' ? payload['instanceId'] : undefined
    const row = {
      ts: event.ts,
      type: event.type,
      origin: event.origin,
      instanceId,
      payload,
      json: toJson(payload),
      unknownFields: textOfFields(event.unknownFields),
    }
    if (event.seq === undefined) this.#appender.append(run, row)
    else this.#appender.appendAt(run, event.seq, row)
    if (isTraceRunId(event.runId)) this.#pointAt(run, instanceId, payload['parentInstanceId'])
  }

  /**
   * Takes in an event of an exported run. It is stored as it was, but that a run which comes by import says so. Returns false when the
   * run has it already.
   */
  addImported(envelope: Envelope, origin = `export:${envelope.seq}:${envelope.type}`): boolean {
    const { runId, seq, ts, type, payload: given } = envelope
    const run = this.#appender.touch(runId)
    const isImport = run.tally.eventCount === 0 || run.tally.source === 'import'
    const payload = type === 'run.started' && isImport ? importedStart(given) : ((given ?? {}) as Payload)
    const instanceId = typeof payload['instanceId'] === 'string' ? payload['instanceId'] : undefined
    const unknownFields = textOfFields(unknownFieldsOf(envelope))
    const row = { ts: Math.trunc(ts), type, origin, instanceId, payload, json: toJson(payload), unknownFields }
    const before = run.tally.eventCount
    if (isTraceRunId(runId)) this.#appender.append(run, row)
    else this.#appender.appendAt(run, seq, row)
    // What the assembler remembers of the run's events is out of date now.
    run.state = undefined
    return run.tally.eventCount > before
  }

  /** A channel event may name a span that is not drawn: then its place has to be said. */
  #pointAt(run: CachedRun, ...ids: readonly unknown[]): void {
    for (const id of ids) {
      if (typeof id !== 'string') continue
      const state = this.#runs.state(run)
      state.pointedAt.add(id)
      const record = state.spans.get(id)
      if (record === undefined) continue
      const events: SpanEvent[] = []
      refreshPlace(state, record, run.source, events)
      this.#appender.appendSpanEvents(run, events)
    }
  }
}

type Payload = { readonly [key: string]: unknown }

function textOfFields(fields: Payload | undefined): string | undefined {
  return fields === undefined ? undefined : toJson(fields)
}

function importedStart(given: unknown): Payload {
  const payload = isFields(given) ? given : {}
  return { ...payload, meta: { ...(isFields(payload['meta']) ? payload['meta'] : {}), source: 'import' } }
}
