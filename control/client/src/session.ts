import type { EventType, PausePoint, PayloadOf } from '@graphmind-ai/schema'
import type { GateDecision, GateNode, GateOptions } from './gate/gate.ts'
import type { CallEnd } from './loop/call-result.ts'
import type { RunContext } from './runs.ts'
import type { HideSwitches } from './switches.ts'

export interface SessionStats {
  readonly enabled: boolean
  readonly attached: boolean
  /** Events kept for a debugger that attaches later. */
  readonly buffered: number
  /** Events pushed out of the buffer, delivered or not. */
  readonly dropped: number
  /** Events pushed out before any debugger got them: real holes in the record. */
  readonly lost: number
  /** Runs whose losses are still to be announced. */
  readonly pendingGaps: number
  readonly heldGates: number
  /** The next event's number. */
  readonly seq: number
}

/** The app side of the channel. No method throws, rejects or blocks, except that a gate waits while it is held. */
export interface Session {
  readonly enabled: boolean
  /** Random per session; the origin of its events. */
  readonly senderId: string
  /** The redaction switches that are on, for whoever sends values by another way. */
  readonly hide: HideSwitches
  /** Whether a debugger is connected. A plain property: reading it costs nothing. */
  readonly attached: boolean
  /** Whether a gate could do anything but pass: attached, or a run was aborted. While false, `gate` may be left out. */
  readonly gating: boolean
  /** Runs `body` as a run of its own; what it throws is thrown on. Works the same when disabled, only unseen. */
  run<Result>(name: string, body: (context: RunContext) => Result | Promise<Result>): Promise<Result>
  /** The run that the caller is in. */
  currentRun(): RunContext | undefined
  emit<Type extends EventType>(type: Type, payload: PayloadOf<Type>, options?: { readonly runId?: string | undefined }): void
  gate(point: PausePoint, node: GateNode, options?: GateOptions): Promise<GateDecision>
  /**
   * Whether a call that will reach this gate might be held there: for callers who must know before the result is there. A condition that
   * can't be asked yet counts as met. False while no debugger is attached.
   */
  mightHold(point: PausePoint, node: GateNode, runId: string): boolean
  /** Tells of a call that went by while no debugger was attached, in the order of calls, so that loops are seen; `end` when it is over. */
  notePassed(node: GateNode, options: { readonly runId: string; readonly input: unknown; readonly end?: (() => CallEnd) | undefined }): void
  /** The signal of a run that `run` did not open: a trace's. */
  runSignal(runId: string): AbortSignal
  /** Forgets such a run: its signal, and that it was aborted. */
  endRun(runId: string): void
  /** Connects now without waiting and without keeping the process alive, for programs that will be debugged from their first call on. */
  connect(): void
  /** Connects now; true once attached and armed, false after `timeoutMs` (2000) and when disabled or disposed. */
  ready(options?: { readonly timeoutMs?: number }): Promise<boolean>
  /** Calls back on every attachment, after the buffered events went out. Returns the way to stop. */
  onAttach(listener: () => void): () => void
  stats(): SessionStats
  /** Lets every held call go, sends what it can, and is silent from then on. */
  dispose(): Promise<void>
}
