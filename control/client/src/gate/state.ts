import type { BreakpointMatcher, NodeKind, PausePoint, RefusalCode, ResumeAction, RunMode } from '@graphmind-ai/schema'
import type { ConditionFacts } from '@graphmind-ai/schema/conditions'
import type { Breakpoint } from './breakpoint.ts'
import type { HoldReason, Report } from './judge.ts'
import type { SmartFacts } from './smart.ts'

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

/** What to hold at. */
export interface Armed {
  readonly breakpoints: readonly Breakpoint[]
  readonly mode: RunMode
  /** How often each breakpoint was hit, and what was last wrong with it, by id. Kept while it stays set, also over a lost link. */
  readonly hits: ReadonlyMap<string, number>
  readonly failures: ReadonlyMap<string, string>
}

/**
 * The `loop` of exec.paused: identical calls in a row, this one included (`repeat`); the laps of a circle that this call begins again
 * (`cycle`); or the failures of this tool before it (`error-repeat`).
 */
export interface LoopFacts {
  readonly repeats: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly fingerprint: string
  readonly kind: 'repeat' | 'cycle' | 'error-repeat'
  /** Calls in a lap of a circle, and how many laps came. */
  readonly period?: number
  readonly laps?: number
  readonly firstInstanceId?: string | undefined
  readonly lastInstanceId?: string | undefined
  /** The calls of the last lap, or those that failed. */
  readonly instanceIds?: readonly string[]
}

/** What speaks for holding a call beside breakpoints and step mode. */
export interface Findings {
  /** There when the loop guard wants this call held. */
  readonly loop: LoopFacts | undefined
  /** There when its result asks for a person. */
  readonly smart: SmartFacts | undefined
}

export interface GateState {
  /** Undefined while no debugger is attached: then nothing holds. */
  readonly armed: Armed | undefined
  /** The counts of the last attachment, for one that arms the same breakpoints again. */
  readonly counted: Pick<Armed, 'hits' | 'failures'>
  readonly holds: ReadonlyMap<string, Hold>
  /** Runs that were told to abort; every later gate of them answers abort. */
  readonly abortedRuns: ReadonlySet<string>
  readonly disposed: boolean
  readonly nextCheck: number
}

export const EMPTY_GATE: GateState = {
  armed: undefined,
  counted: { hits: new Map(), failures: new Map() },
  holds: new Map(),
  abortedRuns: new Set(),
  disposed: false,
  nextCheck: 1,
}

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
  | { readonly type: 'attached'; readonly breakpoints: readonly Breakpoint[]; readonly mode: RunMode }
  | { readonly type: 'breakpoint.set'; readonly breakpoint: Breakpoint }
  | { readonly type: 'breakpoint.clear'; readonly matcher: BreakpointMatcher }
  | { readonly type: 'mode.set'; readonly mode: RunMode }
  | {
      readonly type: 'reached'
      readonly pauseId: string
      readonly runId: string
      readonly point: PausePoint
      /** Name and kind, and what conditions may ask beside them. */
      readonly facts: ConditionFacts & { readonly kind: NodeKind }
      readonly findings: Findings
      readonly actions: readonly ResumeAction[]
      readonly edits: EditPolicy
      readonly explicitOnly?: true | undefined
      readonly nowMs: number
    }
  | { readonly type: 'resume'; readonly resume: Resume; readonly nowMs: number }
  | { readonly type: 'checked'; readonly pauseId: string; readonly check: number; readonly result: CheckResult; readonly nowMs: number }
  /** Held for too long, or nobody waits for the call any more. */
  | { readonly type: 'timeout' | 'withdrawn'; readonly pauseId: string; readonly nowMs: number }
  | { readonly type: 'link-lost' | 'dispose'; readonly nowMs: number }
  | { readonly type: 'run-ended'; readonly runId: string }

export type GateEffect =
  /** The call was not held: `continue`, or `abort` in an aborted run. */
  | { readonly type: 'pass'; readonly pauseId: string; readonly action: 'continue' | 'abort' }
  | ({ readonly type: 'hold'; readonly pauseId: string } & HoldReason)
  /** A breakpoint was hit, or failed; comes before the pass or hold of the same call. */
  | ({ readonly type: 'report' } & Report)
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
