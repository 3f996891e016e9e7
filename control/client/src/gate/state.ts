import type { BreakpointMatcher, PausePoint, PauseReason, RefusalCode, ResumeAction, RunMode } from '@graphmind-ai/schema'
import type { MatchedNode } from './matcher.ts'

/** What let a gate go; the `cause` of exec.resumed. */
export type ReleaseCause = 'viewer' | 'link-lost' | 'timeout' | 'disposed'

/** Whether an edited input can be used at a gate, and if not, whether somebody turned edits off. */
export type EditPolicy = 'allowed' | 'disabled' | 'unsupported'

/** One call that waits. Times are monotonic ms. */
export interface Hold {
  readonly runId: string
  readonly point: PausePoint
  readonly actions: readonly ResumeAction[]
  readonly edits: EditPolicy
  readonly sinceMs: number
  /** An edit that is being checked; a later command takes its place, and its late answer is ignored. */
  readonly check: { readonly id: number; readonly action: ResumeAction; readonly requestId?: string } | undefined
}

export interface GateState {
  /** What to hold at, or undefined while no debugger is attached: then nothing holds. */
  readonly armed: { readonly breakpoints: readonly BreakpointMatcher[]; readonly mode: RunMode } | undefined
  readonly holds: ReadonlyMap<string, Hold>
  /** Runs that were told to abort; every later gate of them answers abort. */
  readonly abortedRuns: ReadonlySet<string>
  readonly disposed: boolean
  readonly nextCheck: number
}

export const EMPTY_GATE: GateState = { armed: undefined, holds: new Map(), abortedRuns: new Set(), disposed: false, nextCheck: 1 }

export interface Resume {
  readonly pauseId: string
  readonly action: ResumeAction
  readonly output?: unknown
  readonly input?: unknown
  readonly requestId?: string
}

/** The outcome of checking an edit: the whole new input, or why it can't be used. */
export type CheckResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: RefusalCode; readonly message: string }

export type GateInput =
  | { readonly type: 'attached'; readonly breakpoints: readonly BreakpointMatcher[]; readonly mode: RunMode }
  | { readonly type: 'breakpoint.set' | 'breakpoint.clear'; readonly matcher: BreakpointMatcher }
  | { readonly type: 'mode.set'; readonly mode: RunMode }
  | {
      readonly type: 'reached'
      readonly pauseId: string
      readonly runId: string
      readonly point: PausePoint
      readonly node: MatchedNode
      readonly actions: readonly ResumeAction[]
      readonly edits: EditPolicy
      readonly nowMs: number
    }
  | { readonly type: 'resume'; readonly resume: Resume; readonly nowMs: number }
  | { readonly type: 'checked'; readonly pauseId: string; readonly check: number; readonly result: CheckResult; readonly nowMs: number }
  | { readonly type: 'timeout'; readonly pauseId: string; readonly nowMs: number }
  | { readonly type: 'link-lost' | 'dispose'; readonly nowMs: number }
  | { readonly type: 'run-ended'; readonly runId: string }

export type GateEffect =
  /** The call was not held: `continue`, or `abort` in an aborted run. */
  | { readonly type: 'pass'; readonly pauseId: string; readonly action: 'continue' | 'abort' }
  | { readonly type: 'hold'; readonly pauseId: string; readonly reason: PauseReason; readonly matcher?: BreakpointMatcher }
  /** Comes before the release, so that the run's signal is aborted when the caller wakes up. */
  | { readonly type: 'abort-run'; readonly runId: string }
  | {
      readonly type: 'release'
      readonly pauseId: string
      readonly action: ResumeAction
      readonly cause: ReleaseCause
      readonly heldMs: number
      /** The injected value, boxed because it may be undefined. */
      readonly injected?: { readonly output: unknown }
      /** The whole edited input, boxed for the same reason. */
      readonly edited?: { readonly after: unknown }
      readonly requestId?: string
    }
  | { readonly type: 'refuse'; readonly pauseId: string; readonly code: RefusalCode; readonly message: string; readonly requestId?: string }
  | { readonly type: 'check'; readonly pauseId: string; readonly check: number; readonly input: unknown }

export interface GateStep {
  readonly state: GateState
  readonly effects: readonly GateEffect[]
}
