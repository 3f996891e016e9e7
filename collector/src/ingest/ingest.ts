import type { DatabaseSync } from 'node:sqlite'
import type { ChannelEvent } from '@graphmind-ai/hub'
import { mapSpan } from '@graphmind-ai/mappings'
import { isTraceRunId } from '@graphmind-ai/schema'
import type { DecodedSpan } from '../otlp/decode.ts'
import { type RunRow, StoreWriter } from '../store/writer.ts'
import { assemble } from './assemble.ts'
import { RunLoader } from './load-run.ts'
import type { StoredText, SweepRequest } from './messages.ts'
import { refreshPlace } from './node-events.ts'
import { digest, type SpanEvent, toJson } from './outbox.ts'
import { type CachedRun, RunCache, updateRow } from './run-cache.ts'
import { settleQuietRun } from './run-events.ts'
import type { ContentSource } from './span-content.ts'
import { writeFacts } from './span-facts.ts'
import { tallyEvent } from './tally.ts'

export interface Committed {
  readonly appended: ReadonlyMap<string, readonly StoredText[]>
  readonly runs: readonly RunRow[]
  readonly removed: readonly string[]
}

/**
 * Turns spans and channel events into stored events: the one writer. Work goes on inside `commit`; a part that throws leaves nothing
 * behind, in the store or in memory.
 */
export class Ingest {
  readonly #writer: StoreWriter
  readonly #runs: RunCache
  readonly #nowMs: () => number
  readonly #running: (sessionQuiet: number, spansQuiet: number) => readonly string[]
  #dirty = new Set<string>()
  #appended: { readonly runId: string; readonly event: StoredText }[] = []
  #removed: string[] = []

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#writer = new StoreWriter(database)
    this.#runs = new RunCache(this.#writer, new RunLoader(database))
    this.#nowMs = nowMs
    const quiet = database.prepare(
      "SELECT id FROM runs WHERE status = 'running' AND ((had_session = 1 AND changed_at < ?) OR (had_session = 0 AND changed_at < ?))",
    )
    this.#running = (session, spans) => quiet.all(session, spans).map((row) => String(row['id']))
  }

  /** Runs `work` and commits it; a throw undoes all of it. Returns what to announce. */
  commit(work: () => void): Committed {
    const touched = this.#dirty
    try {
      const runs = this.#writer.transaction(() => {
        work()
        return [...this.#dirty].flatMap((runId) => this.#writeRow(runId))
      })
      const appended = new Map<string, StoredText[]>()
      for (const { runId, event } of this.#appended) {
        const list = appended.get(runId)
        if (list === undefined) appended.set(runId, [event])
        else list.push(event)
      }
      return { appended, runs, removed: this.#removed }
    } catch (error) {
      for (const runId of touched) this.#runs.drop(runId)
      throw error
    } finally {
      this.#dirty = new Set()
      this.#appended = []
      this.#removed = []
      this.#runs.trim()
    }
  }

  /** Runs one part of a commit so that a throw undoes only this part. */
  part<Value>(work: () => Value): Value {
    const before = { dirty: new Set(this.#dirty), appended: this.#appended.length, removed: this.#removed.length }
    try {
      return this.#writer.savepoint(work)
    } catch (error) {
      for (const runId of this.#dirty) this.#runs.drop(runId)
      // The set stays the same object: commit drops what it holds.
      for (const runId of this.#dirty) if (!before.dirty.has(runId)) this.#dirty.delete(runId)
      this.#appended.length = before.appended
      this.#removed.length = before.removed
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#writer.inTransaction
  }

  addSpan(span: DecodedSpan): void {
    const nowMs = this.#nowMs()
    const { traceId, spanId } = span.view
    const run = this.#touch(traceId, nowMs)
    const state = this.#runs.state(run)
    const mapped = mapSpan(span.view)
    const raw = JSON.stringify(span.raw)
    const { marks } = span
    const arriving = { mapped, marks, final: span.view.endNanos !== undefined }
    const source: ContentSource = {
      content: (id, ours) => (id === spanId && ours === marks.ours ? arriving : run.source.content(id, ours)),
    }
    const nowNanos = BigInt(Math.trunc(nowMs)) * 1_000_000n
    const assembled = assemble(state, { span, mapped, hash: digest(raw), nowNanos }, source)
    if (assembled === undefined) return
    this.#storeParts(run, span)
    this.#writer.upsertSpan({
      run: run.row.key,
      span_id: spanId,
      copy: marks.ours ? 1 : 0,
      ordinal: assembled.ordinal,
      resource: span.resource.hash,
      scope: span.scope.hash,
      facts: writeFacts(assembled.facts),
      raw,
    })
    for (const event of assembled.events) this.#storeSpanEvent(run, event)
  }

  addChannelEvent(event: ChannelEvent): void {
    const run = this.#touch(event.runId, this.#nowMs())
    const payload = (event.payload ?? {}) as { readonly [key: string]: unknown }
    const instanceId = typeof payload['instanceId'] === 'string' ? payload['instanceId'] : undefined
    const row = { ts: event.ts, type: event.type, origin: event.origin, instanceId, payload, json: toJson(payload) }
    if (event.seq === undefined) this.#append(run, row)
    else this.#appendAt(run, event.seq, row)
    if (isTraceRunId(event.runId)) this.#pointAt(run, instanceId, payload['parentInstanceId'])
  }

  sessionSpeaksFor(runId: string): void {
    const run = this.#runs.find(runId)
    if (run === undefined) this.#runs.spokenFor(runId)
    else {
      this.#runs.markSession(run.row)
      // Announced in any case: the run is live now.
      this.#dirty.add(runId)
    }
  }

  /** Decides runs that have gone quiet: finished by their topmost spans, or abandoned. */
  sweep({ sessionQuietBefore, spansQuietBefore, except }: SweepRequest): void {
    const spared = new Set(except)
    for (const runId of this.#running(sessionQuietBefore, spansQuietBefore)) {
      const run = spared.has(runId) ? undefined : this.#runs.find(runId)
      if (run === undefined) continue
      this.#dirty.add(runId)
      const events = run.row.span_count > 0 ? settleQuietRun(this.#runs.state(run)) : []
      for (const event of events) this.#storeSpanEvent(run, event)
      if (run.tally.status !== 'running') continue
      run.tally.status = 'abandoned'
      run.tally.finishedAt = run.tally.lastTs
    }
  }

  /** False when there is no such run. */
  deleteRun(runId: string): boolean {
    const row = this.#writer.runById(runId)
    if (row === undefined) return false
    this.#writer.deleteRun(row.key)
    this.#runs.drop(runId)
    this.#dirty.delete(runId)
    this.#removed.push(runId)
    return true
  }

  #touch(runId: string, nowMs: number): CachedRun {
    const run = this.#runs.touch(runId, nowMs)
    run.row.changed_at = Math.trunc(nowMs)
    this.#dirty.add(runId)
    return run
  }

  #writeRow(runId: string): RunRow[] {
    const run = this.#runs.find(runId)
    if (run === undefined) return []
    const row = updateRow(run)
    this.#writer.updateRun(row)
    return [{ ...row }]
  }

  #storeParts(run: CachedRun, { resource, scope }: DecodedSpan): void {
    if (!run.parts.has(resource.hash)) {
      this.#writer.insertResource(run.row.key, resource.hash, resource.json)
      run.parts.add(resource.hash)
    }
    if (!run.parts.has(`scope:${scope.hash}`)) {
      this.#writer.insertScope(run.row.key, scope.hash, scope.json)
      run.parts.add(`scope:${scope.hash}`)
    }
  }

  #storeSpanEvent(run: CachedRun, event: SpanEvent): void {
    this.#append(run, { ...event, payload: event.payload as { readonly [key: string]: unknown } })
  }

  #append(run: CachedRun, event: NewEvent): void {
    const seq = run.lastSeq === null ? 0 : run.lastSeq + 1
    if (this.#insert(run, seq, run.lastSeq, event)) run.lastSeq = seq
  }

  /** For a run that its client sequences; a seq that is there already is dropped. */
  #appendAt(run: CachedRun, seq: number, event: NewEvent): void {
    const late = run.lastSeq !== null && seq <= run.lastSeq
    const after = late ? this.#writer.seqBefore(run.row.key, seq) : run.lastSeq
    if (this.#insert(run, seq, after, event) && !late) run.lastSeq = seq
  }

  #insert(run: CachedRun, seq: number, after: number | null, event: NewEvent): boolean {
    const { ts, type, origin, instanceId, payload, json } = event
    const row = { run: run.row.key, seq, ts, type, instance_id: instanceId ?? null, origin, payload: json }
    if (!this.#writer.insertEvent(row)) return false
    tallyEvent(run.tally, { type, ts, payload })
    this.#appended.push({ runId: run.row.id, event: { seq, after, ts, type, json } })
    return true
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
      for (const event of events) this.#storeSpanEvent(run, event)
    }
  }
}

interface NewEvent {
  readonly ts: number
  readonly type: string
  readonly origin: string
  readonly instanceId: string | undefined
  readonly payload: { readonly [key: string]: unknown }
  readonly json: string
}
