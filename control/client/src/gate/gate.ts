import type { NodeKind, ResumeAction, TokenUsage } from '@graphmind-ai/schema'
import type { Validate } from './edit.ts'

/** The call that reached a gate. */
export interface GateNode {
  /** Stable per place in the code, like `tool:searchFlights`. */
  readonly nodeId: string
  readonly kind: NodeKind
  readonly name: string
  /** Unique per execution: a tool call id, a span id. */
  readonly instanceId?: string | undefined
  readonly parentInstanceId?: string | undefined
  /** Nobody knows what this call is: only a breakpoint that names its kind or its name may hold it, no general one and no step. */
  readonly explicitOnly?: true | undefined
}

/** What a model's answer says about how it ended. */
export interface ModelEnd {
  /** In the AI SDK's words: `length`, `content-filter`, `stop` … */
  readonly finishReason: string | undefined
  /** Tool calls that the model asked for, or began to ask for. */
  readonly toolCalls: number
  /** Those whose arguments are no whole JSON. */
  readonly brokenCalls: number
}

export interface GateOptions {
  /** The run, when it is not the one that `session.run` is in: a trace id. */
  readonly runId?: string | undefined
  readonly input?: unknown
  /** The result that an `after` gate holds back. */
  readonly output?: unknown
  /** What was thrown, at an `error` gate. */
  readonly error?: unknown
  /** Tokens and time that the call took, at `after` and `error`: conditions of breakpoints may ask for them. */
  readonly usage?: TokenUsage | undefined
  readonly durationMs?: number | undefined
  /** How a model's answer ended, where the caller knows: asked only of an `after` gate while somebody is attached. */
  readonly modelEnd?: (() => ModelEnd | undefined) | undefined
  /** What the caller can honour; all four when absent. */
  readonly actions?: readonly ResumeAction[] | undefined
  /** The caller uses `decision.input` in place of its input. */
  readonly editable?: boolean | undefined
  readonly validate?: Validate | undefined
  /** Aborted when nobody waits for the call any more: it is let go with `continue`, or never held. */
  readonly signal?: AbortSignal | undefined
  /** Called when this gate starts to hold, in place of the session's own line about it. */
  readonly onHold?: (() => void) | undefined
}

/** What the caller has to do. `input` is there only when a person edited it; `reason` is what to throw. */
export type GateDecision =
  | { readonly action: 'continue' | 'retry'; readonly input?: unknown }
  | { readonly action: 'inject'; readonly output: unknown }
  | { readonly action: 'abort'; readonly reason: unknown }
