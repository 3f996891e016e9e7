import type { InstancePicture } from '../fold/picture.ts'

const COMPARED_VERDICTS = ['same', 'changed', 'left-only', 'right-only'] as const
export type ComparedVerdict = (typeof COMPARED_VERDICTS)[number]

/** What of a pair can differ; how long it took and what it cost are deltas, not changes. */
export type ChangedField = 'node' | 'status' | 'error' | 'model' | 'input' | 'output'

/** What can be counted of an instance or a run. An absent one is not known; it is never zero. */
export interface Measures {
  /** Without the time it was held. */
  readonly durationMs?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  readonly errors: number
}

/** Right minus left, of what both know. */
export type Delta = { readonly [Measure in keyof Measures]?: number }

/** One row of two runs side by side: an instance of either, or one of each that go together. */
export type ComparedInstance = { readonly depth: number } & (
  | {
      readonly verdict: 'same' | 'changed'
      readonly left: InstancePicture
      readonly right: InstancePicture
      readonly changes: readonly ChangedField[]
      readonly delta: Delta
    }
  | { readonly verdict: 'left-only'; readonly left: InstancePicture; readonly right?: never }
  | { readonly verdict: 'right-only'; readonly right: InstancePicture; readonly left?: never }
)

export interface RunTotals extends Measures {
  readonly instances: number
}

export interface RunComparison {
  /** Parents before their children, in the order of both runs. */
  readonly rows: readonly ComparedInstance[]
  readonly counts: { readonly [Verdict in ComparedVerdict]: number }
  readonly left: RunTotals
  readonly right: RunTotals
  readonly delta: Delta
  /** The runs ended alike, and every row is the same. */
  readonly isSame: boolean
}
