import type { ControlEnvelope, Envelope } from '../envelope.ts'
import type { BreakpointMatcher, PausePoint, RefusalCode, RunMode } from '../primitives.ts'
import type { RunInfo } from '../run-info.ts'
import type { Sheet } from '../sheet/sheet.ts'

/** Where a breakpoint stands with the connected apps. */
export type BreakpointStatus = 'active' | 'waiting' | 'impossible' | 'failed' | 'disabled'

/** One breakpoint as the server knows it; `id` is `breakpointId` of its matcher. */
export interface BreakpointState {
  readonly id: string
  readonly status: BreakpointStatus
  /** Why it can't hit, or not everywhere. */
  readonly reason?: string
  readonly hits: number
  /** What was last wrong with its condition. */
  readonly lastError?: string
}

export type ViewerErrorCode =
  | 'bad-message'
  | 'no-such-run'
  | 'no-such-pause'
  | 'no-owner'
  | 'pause-taken'
  | 'edit-refused'
  | 'forbidden'
  | 'placeholder'
  | 'truncated'

export type ResumeOutcome = 'resumed' | 'refused' | 'taken' | 'timeout' | 'no-such-pause'

/** One held call, as the registry knows it. */
export interface PauseInfo {
  readonly runId: string
  readonly pauseId: string
  readonly nodeId: string
  readonly point: PausePoint
  readonly state: 'open' | 'resolving'
  /** Epoch ms. */
  readonly since: number
  readonly payload: Readonly<Record<string, unknown>>
}

/** Server → viewer, JSON text frames on `/ws/ui` (contract, "UI subprotocol"). */
export type UiServerMessage =
  | {
      readonly type: 'welcome'
      readonly versions: { protocol: number; server: string }
      readonly breakpoints: readonly BreakpointMatcher[]
      readonly mode: RunMode
    }
  | { readonly type: 'state'; readonly breakpoints: readonly BreakpointMatcher[]; readonly mode: RunMode }
  | { readonly type: 'runs'; readonly runs: readonly RunInfo[] }
  | { readonly type: 'run.update'; readonly run: RunInfo }
  /** The run was deleted; a `run.update` of it afterwards means that it was brought back. */
  | { readonly type: 'run.removed'; readonly runId: string }
  | { readonly type: 'replay.start'; readonly runId: string; readonly count: number }
  /** `after` is the seq of the run's previous stored event (null for its first), so holes in seq are not gaps. */
  | { readonly type: 'event'; readonly runId: string; readonly after: number | null; readonly envelope: Envelope }
  /** Several events at once, to viewers that subscribed with `batch`; never sent to others. */
  | {
      readonly type: 'events'
      readonly runId: string
      readonly events: readonly { readonly after: number | null; readonly envelope: Envelope }[]
    }
  /** Many events of the history, to viewers that subscribed with `sheets`; never sent to others. `after` is of the first. */
  | ({ readonly type: 'sheet'; readonly runId: string; readonly after: number | null } & Sheet)
  | { readonly type: 'replay.end'; readonly runId: string }
  /** All breakpoints with where they stand, whenever one of them changes. */
  | { readonly type: 'breakpoints'; readonly breakpoints: readonly BreakpointState[] }
  | {
      readonly type: 'resume.result'
      readonly runId: string
      readonly pauseId: string
      readonly requestId?: string
      readonly outcome: ResumeOutcome
      readonly code?: RefusalCode | ViewerErrorCode
      readonly message?: string
      /** Who won, when the outcome is `taken`. */
      readonly by?: string
    }
  | {
      readonly type: 'error'
      readonly message: string
      readonly code?: ViewerErrorCode
      readonly runId?: string
      readonly pauseId?: string
    }

/** Viewer → server. */
export type UiClientMessage =
  | {
      readonly type: 'subscribe'
      readonly runId: string
      readonly afterSeq?: number
      readonly payloads?: 'none'
      readonly batch?: true
      readonly sheets?: true
    }
  | { readonly type: 'unsubscribe'; readonly runId: string }
  | { readonly type: 'control'; readonly envelope: ControlEnvelope }
