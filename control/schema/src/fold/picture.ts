import type { Envelope } from '../envelope.ts'
import type {
  BreakpointMatcher,
  ErrorInfo,
  GraphNodeHint,
  NodeKind,
  PausePoint,
  PauseReason,
  Redaction,
  ResumeAction,
  RunStatus,
  SdkInfo,
  TokenUsage,
} from '../primitives.ts'

/**
 * One hold of one call, open until `released` is there. When an app dies in a run that it numbers itself, nobody may write its release
 * for it: there a pause without `released` is held only while `RunInfo.live` is true.
 */
export interface PausePicture {
  readonly pauseId: string
  readonly point: PausePoint
  readonly reason: PauseReason
  readonly nodeId: string
  readonly kind?: NodeKind
  readonly name?: string
  readonly instanceId?: string
  readonly parentInstanceId?: string
  readonly actions: readonly ResumeAction[]
  readonly editable: boolean
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: ErrorInfo
  readonly matcher?: BreakpointMatcher
  /** The identical calls that made this a loop; seqs are the sender's, which in trace runs are not the run's. */
  readonly loop?: LoopEvidence
  /** The client's own rule that asked for a person: `error-result` or `truncated-tool-call`, and the sign of it. */
  readonly smart?: { readonly rule: string; readonly detail?: string | undefined }
  readonly deadlineMs?: number
  /** Whether anybody could see it when it began; absent when no server was there to know. */
  readonly watched?: boolean
  /** Epoch ms. */
  readonly since: number
  readonly seq: number
  readonly released?: {
    readonly at: number
    readonly action: ResumeAction
    readonly cause: 'viewer' | 'link-lost' | 'timeout' | 'disposed'
    readonly injected?: { readonly output: unknown }
    readonly edited?: { readonly after: unknown }
    readonly principal?: string
    readonly operator?: string
    readonly requestId?: string
    /** How long the call waited, ms. */
    readonly heldMs?: number
  }
  /** The last refusal while still held. */
  readonly refused?: { readonly code: string; readonly message?: string; readonly requestId?: string }
}

export interface LoopEvidence {
  readonly repeats: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly fingerprint: string
  /** `repeat` when absent, `cycle` or `error-repeat`. */
  readonly kind?: string | undefined
  readonly period?: number | undefined
  readonly laps?: number | undefined
  readonly firstInstanceId?: string | undefined
  readonly lastInstanceId?: string | undefined
  /** The calls of the last lap, or those that failed. */
  readonly instanceIds?: readonly string[] | undefined
}

/** Streamed output so far, one text per channel. `firstAt` is epoch ms. */
export interface StreamPicture {
  readonly text: string
  readonly reasoning: string
  readonly toolArgs: string
  readonly chunks: number
  readonly firstAt: number
  readonly lastAt: number
}

export type InstanceStatus = 'running' | 'paused' | RunStatus

/** One execution of a node. An absent field is not known; it is never zero, empty text or {}. */
export interface InstancePicture {
  readonly id: string
  readonly nodeId: string
  readonly kind: NodeKind
  readonly name: string
  /** Logical parent as sent. */
  readonly parentId?: string
  /** Nearest shown ancestor, aliases resolved; may name an instance that has not arrived. */
  readonly parentInstanceId?: string
  readonly status: InstanceStatus
  /** Epoch ms; `startNanos`/`endNanos` are decimal strings of ns where spans gave them. */
  readonly startedAt: number
  readonly startNanos?: string
  readonly endedAt?: number
  readonly endNanos?: string
  readonly durationMs?: number
  readonly heldMs?: number
  readonly input?: unknown
  readonly output?: unknown
  readonly usage?: TokenUsage
  readonly errors: readonly ErrorInfo[]
  readonly model?: string
  readonly provider?: string
  readonly finishReason?: string
  readonly toolCallId?: string
  readonly attempt?: number
  readonly attempts?: number
  readonly ungated?: string
  readonly derived?: boolean
  /** A group whose children are folded away at first. */
  readonly collapsed?: boolean
  readonly traceId?: string
  readonly spanId?: string
  readonly redaction?: Redaction
  readonly stream?: StreamPicture
  /** What a person put in place of the output, kept for ever. */
  readonly injected?: { readonly output: unknown }
  /** What a person changed the input to. */
  readonly edited?: { readonly after: unknown }
  /** Every hold of this call, oldest first. */
  readonly pauseIds: readonly string[]
  readonly firstSeq: number
  readonly lastSeq: number
  /** Payload fields this version does not know, kept as sent. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** Events that were lost before they reached the collector. */
export interface GapPicture {
  readonly droppedCount: number
  readonly fromSeq: number
  readonly toSeq: number
  readonly reason: string
}

/**
 * A run as its events tell it. The fold owns the maps and replaces the values in them: a reader may keep an InstancePicture and
 * compare by identity, but not a map.
 */
export interface RunPicture {
  readonly runId: string
  app?: string
  name?: string
  sdk?: SdkInfo
  meta: Readonly<Record<string, unknown>>
  /** `running` until a run.finished; the server's `abandoned` is RunInfo's business. */
  status: 'running' | RunStatus
  error?: ErrorInfo
  startedAt?: number
  finishedAt?: number
  /** Shown instances by id, aliases taken out. */
  readonly instances: Map<string, InstancePicture>
  /** Instance → the one it belongs to. */
  readonly aliases: Map<string, string>
  readonly hints: Map<string, GraphNodeHint>
  readonly pauses: Map<string, PausePicture>
  /** Grows in place: as with the maps, compare by `FoldChange.run`. */
  readonly gaps: GapPicture[]
  /** Events of types this version does not know, shown raw. */
  readonly unknown: Envelope[]
  /** Highest folded seq, −1 before any. */
  lastSeq: number
}
