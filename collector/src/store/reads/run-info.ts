import { isTraceRunId, type RunCategory, type RunInfo, type RunSource, type RunState, type TokenUsage } from '@graphmind-ai/schema'

/** The columns that make up a row of the runs list. */
export interface RunColumns {
  readonly id: string
  readonly app: string
  readonly name: string
  readonly started_at: number
  readonly finished_at: number | null
  readonly status: string
  readonly schema_version: number
  readonly source: string
  readonly category: string
  readonly event_count: number
  readonly error_count: number
  readonly span_count: number
  readonly node_count: number
  readonly usage: string | null
  readonly models: string
  readonly session_id: string | null
  readonly merged_into: string | null
  readonly kinds: string
  readonly node_names: string
  readonly title: string | null
  readonly tags: string
  readonly note: string | null
  readonly pinned: number
  readonly waiting: number
  readonly steps: number | null
  readonly held_ms: number
  readonly held_since: number | null
}

/** Runs that a program's socket speaks for now, and runs with held calls. */
export interface LiveRuns {
  liveIds(): readonly string[]
  heldIds(): readonly string[]
}

/** What only the running server knows of a run. */
export interface Liveness extends LiveRuns {
  isLive(runId: string): boolean
  /** When the last socket that spoke for the run was gone, epoch ms; undefined while one is there and when none is known of. */
  detachedSince(runId: string): number | undefined
  heldCount(runId: string): number
}

/** Of a database that no server has open. */
export const NOT_LIVE: Liveness = {
  isLive: () => false,
  detachedSince: () => undefined,
  heldCount: () => 0,
  liveIds: () => [],
  heldIds: () => [],
}

/** A row of the list of runs; what is live is in no row. */
export function runInfoOf(row: RunColumns, liveness: Liveness): RunInfo {
  const detachedSince = liveness.detachedSince(row.id)
  const usage: TokenUsage | undefined = row.usage === null ? undefined : JSON.parse(row.usage)
  return {
    id: row.id,
    app: row.app,
    name: row.title ?? row.name,
    ...(row.title === null ? {} : { originalName: row.name }),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    durationMs: row.finished_at === null ? null : Math.max(0, row.finished_at - row.started_at),
    heldMs: row.held_ms,
    ...(row.held_since === null ? {} : { heldSince: row.held_since }),
    status: row.status as RunState,
    schemaVersion: row.schema_version,
    source: row.source as RunSource,
    category: row.category as RunCategory,
    eventCount: row.event_count,
    errorCount: row.error_count,
    spanCount: row.span_count,
    nodeCount: row.node_count,
    ...(row.steps === null ? {} : { stepCount: row.steps }),
    live: liveness.isLive(row.id),
    ...(detachedSince === undefined ? {} : { detachedSince }),
    held: liveness.heldCount(row.id),
    ...(usage === undefined ? {} : { usage }),
    ...(usage?.costUsd === undefined ? {} : { costUsd: usage.costUsd }),
    models: JSON.parse(row.models),
    kinds: JSON.parse(row.kinds),
    nodeNames: JSON.parse(row.node_names),
    pinned: row.pinned === 1,
    tags: JSON.parse(row.tags),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    traceIds: isTraceRunId(row.id) ? [row.id] : [],
    ...(row.merged_into === null ? {} : { mergedInto: row.merged_into }),
    ...(row.waiting === 0 ? {} : { waitingSpans: row.waiting }),
  }
}
