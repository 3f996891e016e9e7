import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import { ROWS, type RunPacker } from '../store/run-packer.ts'
import type { RunRow, StoreWriter } from '../store/writer.ts'
import type { RunLoader } from './load-run.ts'
import type { RunState } from './run-state.ts'
import type { ContentSource, SpanContent } from './span-content.ts'
import { newTally, sumTally, type Tally } from './tally.ts'

// 3 KB a span of mixed runs, measured: 64 MB at the most, beside one run that is larger by itself. Most runs have below a hundred.
const MAX_SPANS = 20_000
const MAX_RUNS = 1_000

/** A run in the worker's memory. Dropped when a transaction fails; the store is the truth. */
export interface CachedRun {
  readonly row: RunRow
  readonly tally: Tally
  readonly source: ContentSource
  /** Resources and scopes that are stored already. */
  readonly parts: Set<string>
  lastSeq: number | null
  state: RunState | undefined
}

/** What is stored of a run beside its row. */
interface Stored {
  readonly tally: Tally
  readonly spanCount: number
  readonly lastSeq: number | null
}

/** Runs recently touched, loaded from the store when they are not here; bounded. */
export class RunCache {
  readonly #writer: StoreWriter
  readonly #loader: RunLoader
  readonly #packer: RunPacker
  readonly #runs = new Map<string, CachedRun>()
  /** What they had when they were last trimmed, and which may have grown since: counting all in each commit costs more than a live span does. */
  readonly #spansOf = new Map<string, number>()
  readonly #touched = new Set<string>()
  #spans = 0
  /** Runs that went on after they were packed, and are not packed again yet. */
  readonly #reopened = new Set<string>()
  /** Runs that a session spoke for before they had a row, with its redaction switches. */
  readonly #spokenFor = new Map<string, readonly string[]>()

  constructor(writer: StoreWriter, loader: RunLoader, packer: RunPacker) {
    this.#writer = writer
    this.#loader = loader
    this.#packer = packer
  }

  /** The run, made when there is none yet. */
  touch(runId: string, nowMs: number): CachedRun {
    const known = this.find(runId)
    if (known !== undefined) return known
    const row = this.#writer.insertRun(runId, nowMs, PROTOCOL_VERSION)
    const hide = this.#spokenFor.get(runId)
    if (hide !== undefined) this.markSession(row, hide)
    this.#spokenFor.delete(runId)
    return this.#add(row, { tally: newTally(), spanCount: 0, lastSeq: null })
  }

  /** The run if it is in memory. */
  peek(runId: string): CachedRun | undefined {
    return this.#runs.get(runId)
  }

  find(runId: string): CachedRun | undefined {
    const known = this.#runs.get(runId)
    if (known !== undefined) {
      this.#runs.delete(runId)
      this.#runs.set(runId, known)
      this.#touched.add(runId)
      return known
    }
    const row = this.#writer.runById(runId)
    return row === undefined ? undefined : this.#load(row)
  }

  /** The run if spans of it wait to be derived. One without any is left as it is: taking it up would unpack it. */
  findWaiting(runId: string): CachedRun | undefined {
    const row = this.#runs.get(runId)?.row ?? this.#writer.runById(runId)
    return row === undefined || row.waiting === 0 ? undefined : this.find(runId)
  }

  state(run: CachedRun): RunState {
    run.state ??= this.#loader.state(run.row.key, run.row.id, run.lastSeq === null && run.row.span_count === 0)
    run.state.hidden = hideOf(run.row)
    return run.state
  }

  /** The run went on after it was packed. One that did once may again, so that it is packed when it has been quiet, not with each span. */
  isReopened(runId: string): boolean {
    return this.#reopened.has(runId)
  }

  /** The run is packed whole. */
  close(runId: string): void {
    this.drop(runId)
    this.#reopened.delete(runId)
  }

  drop(runId: string): void {
    this.#runs.delete(runId)
    this.#spans -= this.#spansOf.get(runId) ?? 0
    this.#spansOf.delete(runId)
  }

  /** Written at once, so that it outlives the run's place in memory. */
  markSession(row: RunRow, hide: readonly string[]): void {
    row.had_session = 1
    // A switch once on stays on: what a later session of the run shows says nothing of what this one wanted hidden.
    row.hide = JSON.stringify([...new Set([...hideOf(row), ...hide])])
    this.#writer.markSession(row.key, row.hide)
  }

  /** The run is part of another one and leaves the list. */
  merge(row: RunRow, into: string): void {
    row.merged_into = into
    this.#writer.mergeRun(row.key, into)
  }

  /** A session spoke for the run before it had a row, or hides something of it. */
  isSpokenFor(runId: string): boolean {
    if (this.#spokenFor.has(runId)) return true
    const row = this.#runs.get(runId)?.row ?? this.#writer.runById(runId)
    return row !== undefined && hideOf(row).length > 0
  }

  /** More of the run waits to be derived. */
  nowWaiting(runId: string, spans: number): void {
    const run = this.#runs.get(runId)
    if (run !== undefined) run.row.waiting = spans
  }

  /** The run stands for itself again. */
  unmerge(row: RunRow): void {
    row.merged_into = null
    this.#writer.mergeRun(row.key, null)
  }

  spokenFor(runId: string, hide: readonly string[]): void {
    if (this.#spokenFor.size > MAX_RUNS) this.#spokenFor.clear()
    this.#spokenFor.set(runId, [...new Set([...(this.#spokenFor.get(runId) ?? []), ...hide])])
  }

  /** The redaction switches that hold for a run, also before it has a row. */
  hideOf(runId: string): readonly string[] {
    const waiting = this.#spokenFor.get(runId)
    if (waiting !== undefined) return waiting
    const run = this.find(runId)
    return run === undefined ? [] : hideOf(run.row)
  }

  /** Forgets the runs touched longest ago, beyond the bounds. Call between transactions. */
  trim(maxRuns = MAX_RUNS): void {
    for (const runId of this.#touched) this.#count(runId)
    this.#touched.clear()
    for (const runId of this.#runs.keys()) {
      if (this.#runs.size <= 1 || (this.#runs.size <= maxRuns && this.#spans <= MAX_SPANS)) return
      this.drop(runId)
    }
  }

  #count(runId: string): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    this.#spans += run.tally.instances.size - (this.#spansOf.get(runId) ?? 0)
    this.#spansOf.set(runId, run.tally.instances.size)
  }

  #load(row: RunRow): CachedRun {
    if (row.packed !== ROWS) {
      this.#packer.unpack(row.key)
      if (this.#reopened.size > MAX_RUNS) this.#reopened.clear()
      this.#reopened.add(row.id)
    }
    const tally = this.#loader.tally(row.key)
    // An event that has come since, in the open commit, has revived it.
    if (row.status === 'abandoned' && tally.eventCount <= row.event_count) {
      tally.status = 'abandoned'
      tally.finishedAt = row.finished_at
    }
    return this.#add(row, { tally, spanCount: this.#loader.spanCount(row.key), lastSeq: this.#writer.lastSeq(row.key) })
  }

  #add(row: RunRow, { tally, spanCount, lastSeq }: Stored): CachedRun {
    const stored = this.#loader.source(row.key, row.id)
    const run: CachedRun = {
      row: { ...row, packed: ROWS, span_count: spanCount },
      tally,
      source: { content: (id, ours) => derivedContent(run.state, id) ?? stored.content(id, ours) },
      parts: new Set(),
      lastSeq,
      state: undefined,
    }
    this.#runs.set(row.id, run)
    this.#touched.add(row.id)
    return run
  }
}

function hideOf(row: RunRow): readonly string[] {
  return JSON.parse(row.hide)
}

function derivedContent(state: RunState | undefined, id: string): SpanContent | undefined {
  const mapped = state?.derived.get(id)
  return mapped === undefined ? undefined : { mapped, marks: { ours: false }, final: state?.spans.get(id)?.facts.final === true }
}

/** Whether spans may have come for the run: its row tells of them only once their commit is over, and until then it has a state. */
export function mayHaveSpans({ row, state }: CachedRun): boolean {
  return row.span_count > 0 || state !== undefined
}

/** Brings the row of the runs list up to what the tally says. */
export function updateRow(run: CachedRun): RunRow {
  const { row, tally } = run
  const sums = sumTally(tally)
  row.app = tally.app
  row.name = tally.name === '' ? tally.app : tally.name
  row.started_at = tally.startedAt ?? row.started_at
  row.finished_at = tally.finishedAt
  row.status = tally.status
  row.source = tally.source
  row.category = sums.category
  row.event_count = tally.eventCount
  row.error_count = sums.errorCount
  row.node_count = sums.nodeCount
  row.steps = sums.stepCount
  // A larger integer could not be read back.
  row.held_ms = Math.min(Number.MAX_SAFE_INTEGER, Math.round(sums.held.heldMs))
  row.held_since = sums.held.since
  row.kinds = JSON.stringify([...sums.kinds])
  row.node_names = JSON.stringify([...sums.nodeNames])
  if (run.state !== undefined) row.span_count = run.state.spans.size - run.state.derived.size
  row.usage = sums.usage === undefined ? null : JSON.stringify(sums.usage)
  row.models = JSON.stringify([...tally.models].sort())
  row.session_id = tally.sessionId
  return row
}
