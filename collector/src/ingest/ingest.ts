import type { DatabaseSync } from 'node:sqlite'
import type { ChannelEvent } from '@graphmind-ai/hub'
import type { Envelope, RunSource } from '@graphmind-ai/schema'
import type { DecodedSpan } from '../otlp/decode.ts'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import type { TracePart } from '../otlp/trace-part.ts'
import { LibraryWriter } from '../store/library/library-writer.ts'
import { RunPacker } from '../store/run-packer.ts'
import { SearchIndex } from '../store/search/search-index.ts'
import { type RunRow, StoreWriter } from '../store/writer.ts'
import { concludeRun } from './assemble.ts'
import { Backlog, spansOf } from './backlog.ts'
import { ChannelIntake } from './channel-intake.ts'
import { fenceSpan } from './fence.ts'
import { RunLoader } from './load-run.ts'
import { LogReader } from './log-reader.ts'
import { LogShelf } from './log-shelf.ts'
import type { StoredText, SweepRequest } from './messages.ts'
import { QuietRuns } from './quiet-runs.ts'
import { correctRun, FactsRewriter } from './remap.ts'
import { RunAppender } from './run-appender.ts'
import { mayHaveSpans, RunCache, updateRow } from './run-cache.ts'
import { RunJoiner } from './run-joiner.ts'
import { RunLibrary } from './run-library.ts'
import { RunPacking } from './run-packing.ts'
import { SessionFence } from './session-fence.ts'
import { SpanIntake } from './span-intake.ts'
import { isStoreFailure } from './store-failure.ts'

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
  readonly library: RunLibrary
  readonly search: SearchIndex
  readonly #appender: RunAppender
  readonly #spans: SpanIntake
  readonly #channel: ChannelIntake
  readonly #logs: LogReader
  readonly #joiner: RunJoiner
  readonly #fence: SessionFence
  readonly #backlog: Backlog
  readonly packing: RunPacking
  readonly #quiet: QuietRuns

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#writer = new StoreWriter(database)
    this.#shelf = new LogShelf(database)
    this.#loader = new RunLoader(database, this.#shelf)
    const packer = new RunPacker(database)
    this.#runs = new RunCache(this.#writer, this.#loader, packer)
    this.search = new SearchIndex(database)
    this.library = new RunLibrary(this.#writer, new LibraryWriter(database), this.#runs, nowMs)
    this.#appender = new RunAppender(this.#writer, this.#runs, (row) => this.library.revive(row), nowMs)
    this.packing = new RunPacking(this.#writer, this.#runs, this.#appender, packer, nowMs)
    this.#spans = new SpanIntake(this.#writer, this.#runs, this.#shelf, this.#appender, this.#loader, nowMs)
    this.#channel = new ChannelIntake(this.#runs, this.#appender)
    this.#logs = new LogReader(this.#shelf, this.#runs, this.#loader, this.#spans, this.#appender)
    this.#joiner = new RunJoiner(this.#runs, this.#loader, this.#spans, this.#appender)
    this.#rewriter = new FactsRewriter(database, this.#shelf)
    this.#fence = new SessionFence(database, this.#runs, this.#loader, this.#spans, this.#shelf)
    this.#backlog = new Backlog(database, this.#runs, nowMs)
    this.#quiet = new QuietRuns(database, this.#runs, this.#appender)
  }

  /** Runs `work` and commits it; a throw undoes all of it. Returns what to announce. Keeps the `keptRuns` touched last in memory. */
  commit(work: () => void, keptRuns?: number): Committed {
    const touched = this.#appender.dirty
    let failed = true
    try {
      const runs = this.#writer.transaction(() => {
        work()
        this.#readLogs()
        this.#joiner.join()
        for (const runId of this.#appender.dirty) this.#conclude(runId)
        const derived = [...this.#appender.dirty].flatMap((runId) => this.#writeRow(runId))
        this.packing.packCaughtUp()
        const stored = [...this.#backlog.rows].flatMap(([runId, row]) =>
          this.#appender.dirty.has(runId) || row.deleted_at !== null ? [] : [row],
        )
        return [...derived, ...stored]
      })
      failed = false
      const { rows, removed } = this.library.changes
      const announced = new Set(runs.map(({ id }) => id))
      const marked = rows.filter(({ id }) => !announced.has(id)).map((row) => ({ ...row }))
      const changed = [...runs, ...marked]
      this.search.changed(changed)
      return { appended: this.#appender.appendedByRun(), runs: changed, removed }
    } catch (error) {
      this.search.lookAgain()
      for (const runId of [...touched, ...this.#backlog.rows.keys()]) this.#runs.drop(runId)
      this.#backlog.recount()
      this.#joiner.forget()
      throw error
    } finally {
      this.#backlog.clear()
      this.packing.clear()
      this.#logs.take()
      this.#appender.clear()
      this.#loader.forget()
      this.library.clear(failed)
      this.#runs.trim(keptRuns)
    }
  }

  /** Runs one part of a commit so that a throw undoes only this part. */
  part<Value>(work: () => Value): Value {
    const before = { log: this.#appender.checkpoint(), library: this.library.checkpoint() }
    try {
      return this.#writer.savepoint(work)
    } catch (error) {
      for (const runId of [...this.#appender.dirty, ...this.#backlog.rows.keys()]) this.#runs.drop(runId)
      this.#backlog.recount()
      this.#appender.rollBack(before.log)
      this.#joiner.forget()
      this.#loader.forget()
      this.library.rollBack(before.library)
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#writer.inTransaction
  }

  /** `source` counts only for the first thing stored of a run. */
  addSpan(span: DecodedSpan, source: RunSource = 'live'): void {
    const run = this.#appender.touch(span.view.traceId)
    // Whoever sends it wants to see it, also where every copy of it is known.
    this.library.revive(run.row)
    if (run.tally.eventCount === 0) this.#runs.state(run).source = source
    const fenced = fenceSpan(span, this.#runs.hideOf(span.view.traceId))
    this.#spans.take(run, fenced)
    this.#joiner.note(run, fenced)
  }

  /**
   * Stores a part of an export request as it came, to be derived later; the run's row tells how many of its spans wait. False when the
   * part has to be taken in at once, because something of it must not be stored.
   */
  storePart(part: TracePart): boolean {
    if (!this.#backlog.mayStore(part)) return false
    this.#backlog.store(part)
    return true
  }

  /** Takes a part in at once, after what waits of its run. */
  addPart(part: TracePart): void {
    this.deriveAll(part.traceId)
    for (const span of spansOf(part)) this.addSpan(span)
  }

  /** Derives about `maxSpans` of the run's waiting spans. Returns how many are left. */
  derive(runId: string, maxSpans: number): number {
    const run = this.#runs.findWaiting(runId)
    if (run === undefined) return 0
    this.#appender.mark(runId)
    const spans = this.#backlog.take(run, maxSpans)
    this.#eachAlone(spans, (span) => this.addSpan(span))
    const left = this.#runs.find(runId)?.row.waiting ?? 0
    if (left === 0) this.packing.noteCaughtUp(runId)
    return left
  }

  deriveAll(runId: string): void {
    while (this.derive(runId, Number.POSITIVE_INFINITY) > 0);
  }

  /** All in one go; where that fails, each alone, as one that can't be derived must not cost the others. */
  #eachAlone(spans: readonly DecodedSpan[], take: (span: DecodedSpan) => void): void {
    const alone = (span: DecodedSpan) =>
      this.#partOr(
        () => take(span),
        (error) => console.error(`graphmind: span ${span.view.spanId} of trace ${span.view.traceId} could not be read:`, error),
      )
    this.#partOr(
      () => spans.forEach(take),
      () => spans.forEach(alone),
    )
  }

  /** Like `part`, with `otherwise` where the work failed but the store did not. */
  #partOr(work: () => void, otherwise: (error: unknown) => void): void {
    try {
      this.part(work)
    } catch (error) {
      if (isStoreFailure(error) || !this.inTransaction) throw error
      otherwise(error)
    }
  }

  /** Spans that wait to be derived. */
  get waitingCount(): number {
    return this.#backlog.count
  }

  /** Leaves what waits of the run to the next start. */
  setAside(runId: string): void {
    this.#backlog.setAside(runId)
  }

  /** The run to derive next when nobody asks for one: who looks at a debugger looks at what came last. */
  nextWaiting(): string | undefined {
    return this.#backlog.count === 0 ? undefined : this.#backlog.newestRun()
  }

  /** Kept until the commit looks at what it is about. Returns that run's id, of one that may come later; undefined for a record that no node needs. */
  addLog(log: DecodedLog, source: RunSource = 'live'): string | undefined {
    return this.#logs.add(log, source)
  }

  /** Lets the log records of this commit tell what they know: of spans that are there, and of sessions that have none. */
  #readLogs(): void {
    for (const [runId, news] of this.#logs.take()) {
      this.#partOr(
        () => this.#logs.read(runId, news),
        (error) => console.error(`graphmind: log records of run ${runId} could not be read:`, error),
      )
    }
  }

  addChannelEvent(event: ChannelEvent): void {
    this.deriveAll(event.runId)
    this.#channel.add(event)
  }

  /** As `ChannelIntake.addImported`. */
  addImportedEvent(envelope: Envelope, origin?: string): boolean {
    return this.#channel.addImported(envelope, origin)
  }

  /** Derives a run's events anew from its raw spans; what differs is stored as corrections. Undefined when there is no such run. */
  remap(runId: string): { readonly spans: number; readonly events: number } | undefined {
    this.deriveAll(runId)
    const isPacked = this.packing.isPacked(runId)
    const found = this.#runs.find(runId)
    if (found === undefined) return undefined
    if (isPacked) this.packing.packAgain(runId)
    const { count: spans, announced } = this.#rewriter.rewrite(found.row.key)
    if (spans === 0) return { spans, events: 0 }
    this.#runs.drop(runId)
    const run = this.#appender.touch(runId)
    const before = run.tally.eventCount
    const events = correctRun(this.#runs.state(run), run.source)
    this.#appender.appendSpanEvents(run, events)
    // An older version did not know such notices; what is known already adds nothing.
    for (const span of announced) if (span.view.traceId === runId) this.#spans.take(run, span)
    this.#conclude(runId)
    run.state = undefined
    return { spans, events: run.tally.eventCount - before }
  }

  /** Nothing more comes for these imported runs: their topmost spans decide, or they were left unfinished. */
  settleImported(runIds: ReadonlySet<string>): void {
    this.#readLogs()
    this.library.reviveAmong(runIds)
    this.#quiet.settleImported(runIds)
  }

  /** `hide`: the session's redaction switches, which hold for everything of the run from whatever sender. */
  sessionSpeaksFor(runId: string, hide: readonly string[]): void {
    if (hide.length > 0) {
      this.deriveAll(runId)
      this.#fence.applyToLogs(runId, hide)
    }
    const run = this.#runs.find(runId)
    if (run === undefined) this.#runs.spokenFor(runId, hide)
    else {
      this.#runs.markSession(run.row, hide)
      // Announced in any case: the run is live now.
      this.#appender.mark(runId)
      if (hide.length > 0 && mayHaveSpans(run)) {
        this.#fence.apply(run, hide)
        this.search.forget(run.row.key)
      }
    }
  }

  /** Decides runs that have gone quiet: finished by their topmost spans, or abandoned. */
  sweep(request: SweepRequest): void {
    this.#quiet.sweep(request)
  }

  #conclude(runId: string): void {
    const run = this.#runs.find(runId)
    if (run === undefined || !mayHaveSpans(run)) return
    this.#appender.appendSpanEvents(run, concludeRun(this.#runs.state(run), run.source))
  }

  #writeRow(runId: string): RunRow[] {
    const run = this.#runs.find(runId)
    if (run === undefined) return []
    const row = updateRow(run)
    this.#writer.updateRun(row)
    // Viewers were told that it is gone.
    return row.deleted_at === null ? [{ ...row }] : []
  }
}
