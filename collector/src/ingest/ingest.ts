import type { DatabaseSync } from 'node:sqlite'
import type { ChannelEvent } from '@graphmind-ai/hub'
import { deriveNodes, logKeysOf, type MappedSpan, mapSpan, withLogs } from '@graphmind-ai/mappings'
import { type Envelope, isTraceRunId, type RunSource } from '@graphmind-ai/schema'
import type { DecodedSpan } from '../otlp/decode.ts'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import { isFields } from '../otlp/read-value.ts'
import { type RunRow, StoreWriter } from '../store/writer.ts'
import { assemble, assembleDerived, concludeRun } from './assemble.ts'
import { fenceLog, fenceSpan } from './fence.ts'
import { appOf, RunLoader } from './load-run.ts'
import { LogIntake } from './log-intake.ts'
import { LogShelf } from './log-shelf.ts'
import type { StoredText, SweepRequest } from './messages.ts'
import { refreshPlace } from './node-events.ts'
import { digest, type SpanEvent, toJson } from './outbox.ts'
import { correctRun, FactsRewriter } from './remap.ts'
import { type CachedRun, RunCache, updateRow } from './run-cache.ts'
import { settleQuietRun } from './run-events.ts'
import type { RunState } from './run-state.ts'
import { EventScrubber } from './scrub-events.ts'
import type { ContentSource } from './span-content.ts'
import { writeFacts } from './span-facts.ts'
import { isStoreFailure } from './store-failure.ts'
import { tallyEvent } from './tally.ts'
import { type Join, TraceJoins } from './trace-joins.ts'
import { describesCallOf } from './twins.ts'

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
  readonly #rewriter: FactsRewriter
  readonly #loader: RunLoader
  readonly #shelf: LogShelf
  readonly #logs: LogIntake
  readonly #joins = new TraceJoins()
  readonly #scrubber: EventScrubber
  readonly #nowMs: () => number
  readonly #running: (sessionQuiet: number, spansQuiet: number) => readonly string[]
  readonly #runningImports: () => readonly string[]
  #dirty = new Set<string>()
  #appended: { readonly runId: string; readonly event: StoredText }[] = []
  #removed: string[] = []

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#writer = new StoreWriter(database)
    this.#shelf = new LogShelf(database)
    this.#logs = new LogIntake(this.#shelf)
    this.#loader = new RunLoader(database, this.#shelf)
    this.#runs = new RunCache(this.#writer, this.#loader)
    this.#rewriter = new FactsRewriter(database, this.#shelf)
    this.#scrubber = new EventScrubber(database)
    this.#nowMs = nowMs
    const quiet = database.prepare(
      "SELECT id FROM runs WHERE status = 'running' AND ((had_session = 1 AND changed_at < ?) OR (had_session = 0 AND changed_at < ?))",
    )
    const imports = database.prepare("SELECT id FROM runs WHERE status = 'running' AND source = 'import'")
    this.#runningImports = () => imports.all().map((row) => String(row['id']))
    this.#running = (session, spans) => quiet.all(session, spans).map((row) => String(row['id']))
  }

  /** Runs `work` and commits it; a throw undoes all of it. Returns what to announce. Keeps the `keptRuns` touched last in memory. */
  commit(work: () => void, keptRuns?: number): Committed {
    const touched = this.#dirty
    try {
      const runs = this.#writer.transaction(() => {
        work()
        this.#readLogs()
        this.#takeJoins()
        for (const runId of this.#dirty) this.#conclude(runId)
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
      this.#logs.take()
      this.#dirty = new Set()
      this.#appended = []
      this.#removed = []
      this.#runs.trim(keptRuns)
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

  /** `source` counts only for the first thing stored of a run. */
  addSpan(span: DecodedSpan, source: RunSource = 'live'): void {
    const nowMs = this.#nowMs()
    const run = this.#touch(span.view.traceId, nowMs)
    if (run.tally.eventCount === 0) this.#runs.state(run).source = source
    const fenced = fenceSpan(span, this.#runs.hideOf(span.view.traceId))
    this.#takeCopy(run, fenced, false)
    this.#joinTraces(run, fenced)
  }

  /** Passes a span on to the run that its trace was joined to, or remembers that it may have to be. */
  #joinTraces(run: CachedRun, span: DecodedSpan): void {
    const { id, merged_into: hostId } = run.row
    const { spanId, scope } = span.view
    const facts = this.#runs.state(run).spans.get(spanId)?.facts
    const host = hostId === null ? undefined : this.#runs.find(hostId)
    if (host !== undefined)
      this.#takeCopy(this.#touch(host.row.id, this.#nowMs()), adopted(this.#runs.state(host), span, host.row.id), false)
    else if (facts !== undefined && facts.parent === undefined) {
      this.#joins.note({ runId: id, spanId, process: span.resource.hash, scope: scope.name, facts })
    }
  }

  /** Joins traces that turned out to be one run: the spans are shown in both, and the one that is contained leaves the list. */
  #takeJoins(): void {
    for (const { stray, host } of this.#joins.take((join) => this.#isSameCall(join))) {
      const from = this.#runs.find(stray.runId)
      if (from === undefined || this.#runs.find(host.runId) === undefined) continue
      const into = this.#touch(host.runId, this.#nowMs())
      for (const { id, facts } of [...this.#runs.state(from).spans.values()]) {
        if (facts.derived === true) continue
        for (const span of this.#loader.copies(from.row.key, id)) {
          const parent = span.view.parentSpanId ?? host.spanId
          this.#takeCopy(into, { ...span, view: { ...span.view, traceId: host.runId, parentSpanId: parent } }, false)
        }
      }
      this.#runs.merge(from.row, host.runId)
      this.#dirty.add(from.row.id)
    }
  }

  #isSameCall({ stray, host }: Join): boolean {
    const run = this.#runs.find(host.runId)
    return run !== undefined && describesCallOf(this.#runs.state(run), stray.facts)
  }

  /** Kept until the commit looks at what it is about, so it does not matter whether it or its span comes first. */
  addLog(log: DecodedLog): void {
    const { traceId } = log.view
    this.#logs.add(traceId === undefined ? log : fenceLog(log, this.#runs.hideOf(traceId)))
  }

  #takeCopy(run: CachedRun, span: DecodedSpan, renewed: boolean): void {
    const state = this.#runs.state(run)
    const nowNanos = BigInt(Math.trunc(this.#nowMs())) * 1_000_000n
    const { spanId } = span.view
    const mapped = this.#mapWithLogs(span)
    const raw = JSON.stringify(span.raw)
    const { marks } = span
    const arriving = { mapped, marks, final: span.view.endNanos !== undefined }
    const contents: ContentSource = {
      content: (id, ours) => (id === spanId && ours === marks.ours ? arriving : run.source.content(id, ours)),
    }
    const assembled = assemble(state, { span, mapped, hash: digest(raw), nowNanos, renewed }, contents)
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

  #mapWithLogs({ view }: DecodedSpan): MappedSpan {
    const mapped = mapSpan(view)
    if (!this.#shelf.has(view.traceId)) return mapped
    const node = mapped.role === 'node' ? mapped : undefined
    const responseId = node?.extras?.['responseId']
    const keys = logKeysOf(view.spanId, typeof responseId === 'string' ? responseId : undefined, node?.toolCallId)
    const logs = this.#shelf.about(view.traceId, keys)
    return logs.length === 0 ? mapped : mapSpan(withLogs(view, logs))
  }

  /** Lets the log records of this commit tell what they know: of spans that are there, and of sessions that have none. */
  #readLogs(): void {
    for (const [runId, subjects] of this.#logs.take()) {
      try {
        this.part(() => this.#readLogsOf(runId, subjects))
      } catch (error) {
        if (isStoreFailure(error) || !this.inTransaction) throw error
        console.error(`graphmind: log records of run ${runId} could not be read:`, error)
      }
    }
  }

  #readLogsOf(runId: string, subjects: ReadonlySet<string>): void {
    const session = this.#shelf.ofSession(runId)
    for (const node of deriveNodes(session)) {
      const run = this.#touch(runId, this.#nowMs())
      for (const event of assembleDerived(this.#runs.state(run), node, appOf(session), run.source)) this.#storeSpanEvent(run, event)
    }
    if (this.#runs.find(runId) === undefined) return
    const run = this.#touch(runId, this.#nowMs())
    const state = this.#runs.state(run)
    const spanIds = new Set([...subjects].flatMap((subject) => [...(state.subjects.get(subject) ?? [])]))
    for (const spanId of spanIds)
      for (const span of this.#loader.copies(run.row.key, spanId)) this.#takeCopy(run, adopted(state, span, runId), true)
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

  /**
   * Takes in an event of an exported run. It is stored as it was, but that a run which comes by import says so. Returns false when the
   * run has it already.
   */
  addImportedEvent({ runId, seq, ts, type, payload: given }: Envelope, origin = `export:${seq}:${type}`): boolean {
    const run = this.#touch(runId, this.#nowMs())
    const isImport = run.tally.eventCount === 0 || run.tally.source === 'import'
    const payload = type === 'run.started' && isImport ? importedStart(given) : ((given ?? {}) as Payload)
    const instanceId = typeof payload['instanceId'] === 'string' ? payload['instanceId'] : undefined
    const row = { ts: Math.trunc(ts), type, origin, instanceId, payload, json: toJson(payload) }
    const before = run.tally.eventCount
    if (isTraceRunId(runId)) this.#append(run, row)
    else this.#appendAt(run, seq, row)
    // What the assembler remembers of the run's events is out of date now.
    run.state = undefined
    return run.tally.eventCount > before
  }

  /** Derives a run's events anew from its raw spans; what differs is stored as corrections. Undefined when there is no such run. */
  remap(runId: string): { readonly spans: number; readonly events: number } | undefined {
    const found = this.#runs.find(runId)
    if (found === undefined) return undefined
    const spans = this.#rewriter.rewrite(found.row.key)
    if (spans === 0) return { spans, events: 0 }
    this.#runs.drop(runId)
    const run = this.#touch(runId, this.#nowMs())
    const before = run.tally.eventCount
    run.state = this.#loader.state(run.row.key, runId, true)
    const events = correctRun(run.state, run.source)
    for (const event of events) this.#storeSpanEvent(run, event)
    this.#conclude(runId)
    run.state = undefined
    return { spans, events: run.tally.eventCount - before }
  }

  /** Nothing more comes for these imported runs: their topmost spans decide, or they were left unfinished. */
  settleImported(runIds: ReadonlySet<string>): void {
    // Thousands of finished runs need not be taken up again; the rows of this transaction's runs are not written yet.
    for (const runId of new Set([...this.#dirty, ...this.#runningImports()])) {
      const run = runIds.has(runId) ? this.#runs.find(runId) : undefined
      if (run?.tally.source === 'import' && run.tally.status === 'running') this.#giveUp(run)
    }
  }

  /** `hide`: the session's redaction switches, which hold for everything of the run from whatever sender. */
  sessionSpeaksFor(runId: string, hide: readonly string[]): void {
    const run = this.#runs.find(runId)
    if (run === undefined) this.#runs.spokenFor(runId, hide)
    else {
      this.#runs.markSession(run.row, hide)
      // Announced in any case: the run is live now.
      this.#dirty.add(runId)
      if (hide.length > 0 && run.row.span_count > 0) this.#fenceStored(run, hide)
    }
  }

  /** An exporter was quicker than the session: what is stored already is fenced now. */
  #fenceStored(run: CachedRun, hide: readonly string[]): void {
    for (const spanId of [...this.#runs.state(run).spans.keys()]) {
      for (const span of this.#loader.copies(run.row.key, spanId)) {
        const fenced = fenceSpan(span, hide)
        if (fenced !== span) this.#takeCopy(run, fenced, true)
      }
    }
    this.#scrubber.scrub(run.row.key)
    run.state = undefined
  }

  /** Decides runs that have gone quiet: finished by their topmost spans, or abandoned. */
  sweep({ sessionQuietBefore, spansQuietBefore, except }: SweepRequest): void {
    const spared = new Set(except)
    for (const runId of this.#running(sessionQuietBefore, spansQuietBefore)) {
      const run = spared.has(runId) ? undefined : this.#runs.find(runId)
      if (run !== undefined) this.#giveUp(run)
    }
  }

  #giveUp(run: CachedRun): void {
    this.#dirty.add(run.row.id)
    const events = run.row.span_count > 0 ? settleQuietRun(this.#runs.state(run)) : []
    for (const event of events) this.#storeSpanEvent(run, event)
    if (run.tally.status !== 'running') return
    run.tally.status = 'abandoned'
    run.tally.finishedAt = run.tally.lastTs
  }

  /** False when there is no such run. */
  deleteRun(runId: string): boolean {
    const row = this.#writer.runById(runId)
    if (row === undefined) return false
    this.#writer.deleteRun(row.key)
    this.#shelf.removeRun(runId)
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

  #conclude(runId: string): void {
    const run = this.#runs.find(runId)
    if (run === undefined || (run.state === undefined && run.row.span_count === 0)) return
    for (const event of concludeRun(this.#runs.state(run), run.source)) this.#storeSpanEvent(run, event)
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

type Payload = { readonly [key: string]: unknown }

function importedStart(given: unknown): Payload {
  const payload = isFields(given) ? given : {}
  return { ...payload, meta: { ...(isFields(payload['meta']) ? payload['meta'] : {}), source: 'import' } }
}

/** A span of another trace as the run sees it that its trace was joined to: below the place it was given there. */
function adopted(state: RunState, span: DecodedSpan, runId: string): DecodedSpan {
  const { view } = span
  if (view.traceId === runId) return span
  const parentSpanId = view.parentSpanId ?? state.spans.get(view.spanId)?.facts.parent
  return { ...span, view: { ...view, traceId: runId, parentSpanId } }
}

interface NewEvent {
  readonly ts: number
  readonly type: string
  readonly origin: string
  readonly instanceId: string | undefined
  readonly payload: { readonly [key: string]: unknown }
  readonly json: string
}
