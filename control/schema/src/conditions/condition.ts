import type { ErrorInfo, TokenUsage } from '../primitives.ts'

/** What a condition may ask about a call. A field that is hidden or not known is absent. */
export interface ConditionFacts {
  readonly name: string
  readonly kind: string
  readonly input?: unknown
  readonly output?: unknown
  readonly usage?: TokenUsage
  readonly error?: ErrorInfo
  /** How long the call took, ms; known at `after` and `error`. */
  readonly duration?: number
}

/** Whether a condition holds for a call, or why that can't be said. */
export type Verdict = { readonly holds: boolean } | { readonly error: string }
export type Condition = (facts: ConditionFacts) => Verdict

/** A condition that was read, or what is wrong with its text. */
export type Compiled<Test> = { readonly ok: true; readonly test: Test } | { readonly ok: false; readonly problem: string }
