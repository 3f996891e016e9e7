import * as z from 'zod/mini'
import { NODE_KINDS } from './node-kinds.ts'

const RUN_STATUSES = ['ok', 'error', 'aborted'] as const
export const PAUSE_POINTS = ['before', 'after', 'error'] as const
export const RESUME_ACTIONS = ['continue', 'retry', 'inject', 'abort'] as const
export const RUN_MODES = ['run', 'step'] as const
const PAUSE_REASONS = ['breakpoint', 'error', 'step', 'loop'] as const
const REFUSAL_CODES = ['schema', 'shape', 'placeholder', 'truncated', 'disabled', 'unsupported'] as const
const TOKEN_CHANNELS = ['text', 'reasoning', 'tool-args'] as const

export const nodeKind = z.enum(NODE_KINDS)
export const runStatus = z.enum(RUN_STATUSES)
export const pausePoint = z.enum(PAUSE_POINTS)
export const resumeAction = z.enum(RESUME_ACTIONS)
export const runMode = z.enum(RUN_MODES)
export const pauseReason = z.enum(PAUSE_REASONS)
export const refusalCode = z.enum(REFUSAL_CODES)

export type NodeKind = z.infer<typeof nodeKind>
export type RunStatus = z.infer<typeof runStatus>
export type PausePoint = z.infer<typeof pausePoint>
export type ResumeAction = z.infer<typeof resumeAction>
export type RunMode = z.infer<typeof runMode>
export type PauseReason = z.infer<typeof pauseReason>
export type RefusalCode = z.infer<typeof refusalCode>

export const errorInfo = z.looseObject({
  name: z.string(),
  message: z.string(),
  stack: z.optional(z.string()),
})
export type ErrorInfo = z.infer<typeof errorInfo>

/** Input includes cached tokens, output includes reasoning tokens; `inclusive` says that the sender keeps to that. */
export const tokenUsage = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  inclusive: z.optional(z.boolean()),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  costUsd: z.optional(z.number()),
})
export type TokenUsage = z.infer<typeof tokenUsage>

export const tokenDelta = z.looseObject({ t: z.enum(TOKEN_CHANNELS), v: z.string() })
export type TokenDelta = z.infer<typeof tokenDelta>

export const sdkInfo = z.looseObject({ name: z.string(), version: z.string() })
export type SdkInfo = z.infer<typeof sdkInfo>

export const graphNodeHint = z.looseObject({
  nodeId: z.string(),
  kind: nodeKind,
  name: z.string(),
  parentId: z.optional(z.string()),
})
export type GraphNodeHint = z.infer<typeof graphNodeHint>

export const breakpointMatcher = z.looseObject({
  kind: z.optional(nodeKind),
  name: z.optional(z.string()),
  point: z.optional(pausePoint),
  id: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  /** A glob, or a regular expression between slashes. */
  namePattern: z.optional(z.string()),
  kinds: z.optional(z.array(nodeKind)),
  /** A condition in the small safe language over input, output, attributes and usage. */
  where: z.optional(z.string()),
  /** A hit count: `3`, `>= 3` or `% 5`. */
  hits: z.optional(z.string()),
  /** Only this run. */
  runId: z.optional(z.string()),
  /** Gone after its first hit. */
  once: z.optional(z.boolean()),
  /** Only mark the hit, never wait. */
  log: z.optional(z.boolean()),
})
/** Every present field must match; an absent `point` means `before`; `{}` means before every node (contract, "Primitives"). */
export type BreakpointMatcher = z.infer<typeof breakpointMatcher>

/**
 * Names of fields that earlier events said of the instance and that hold no longer; taken back before this event's own fields count.
 * `error` takes back the failure, `status` the whole end, `*` everything but identity and place.
 */
export const clearedFields = z.array(z.string())

/** What was hidden from a value before it left the instrumented process. */
export const redaction = z.looseObject({ count: z.number(), keys: z.array(z.string()), failed: z.optional(z.boolean()) })
export type Redaction = z.infer<typeof redaction>
