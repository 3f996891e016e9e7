import type { NodeKind, TokenUsage } from './primitives.ts'

/** The server's view of a run's state: what the run said of itself, `running`, or `abandoned` (contract, `GET /api/runs`). */
export type RunState = 'running' | 'ok' | 'error' | 'aborted' | 'abandoned'

export type RunSource = 'live' | 'import' | 'demo'
/** `other` runs have no agent, model call, tool, chain or retriever: plain web traffic (design 5). */
export type RunCategory = 'agent' | 'other'

/** One row of the runs list. Times are epoch ms. */
export interface RunInfo {
  readonly id: string
  readonly app: string
  /** As shown: the one a person gave, else the one the run came with. */
  readonly name: string
  /** The name the run came with, when a person gave it another. */
  readonly originalName?: string
  readonly startedAt: number
  readonly finishedAt: number | null
  /** From start to finish, with the time in which calls were held; `workMsOf` is without. */
  readonly durationMs: number | null
  /** Ms in which at least one call was held; without the holds that are open at `heldSince`. */
  readonly heldMs: number
  /** Since when at least one call has been held, while one is; only of a run that goes on. */
  readonly heldSince?: number
  readonly status: RunState
  readonly schemaVersion: number
  readonly source: RunSource
  readonly category: RunCategory
  readonly eventCount: number
  readonly errorCount: number
  readonly spanCount: number
  readonly nodeCount: number
  /** Executions of its nodes; absent while a run that an earlier version stored is not counted yet. */
  readonly stepCount?: number
  /** True while the app socket that owns the run is connected. */
  readonly live: boolean
  /** When the last control link of the run ended; absent while one is up, when none was seen, and after a restart of the server. */
  readonly detachedSince?: number
  /** How many calls are held right now. */
  readonly held: number
  /** Sum over model calls, each once; absent when none reported. */
  readonly usage?: TokenUsage
  readonly costUsd?: number
  readonly models: readonly string[]
  /** Kinds and names of its nodes, each once; of the names at most a hundred. */
  readonly kinds: readonly NodeKind[]
  readonly nodeNames: readonly string[]
  /** What people said of it. Pinned runs are never pruned. */
  readonly pinned: boolean
  readonly tags: readonly string[]
  readonly note?: string
  readonly sessionId?: string
  readonly traceIds: readonly string[]
  readonly mergedInto?: string
  /** Spans that are stored and not yet read: counts, tokens and category don't include them. They are read first when the run is opened. */
  readonly waitingSpans?: number
}

/** How long a run took or has taken by `nowMs` (epoch ms), without the time in which calls were held, in ms. */
export function workMsOf({ startedAt, finishedAt, heldMs, heldSince }: RunInfo, nowMs: number): number {
  const end = finishedAt ?? nowMs
  return Math.max(0, end - startedAt - heldMs - (heldSince === undefined ? 0 : Math.max(0, end - heldSince)))
}
