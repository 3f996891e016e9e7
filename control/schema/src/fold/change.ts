import type { RunPicture } from './picture.ts'
import type { FoldState } from './state.ts'

/** What one envelope changed, so that a view redraws just that. */
export interface FoldChange {
  readonly run: boolean
  /** Instances whose picture was replaced, added or taken out. */
  readonly instanceIds: readonly string[]
  readonly pauseIds: readonly string[]
  /** True when the set of nodes, the links between them or the hints changed: the graph needs a layout. */
  readonly shape: boolean
}

export const NO_CHANGE: FoldChange = Object.freeze({
  run: false,
  instanceIds: Object.freeze([]),
  pauseIds: Object.freeze([]),
  shape: false,
})

/** What the handlers of one envelope share: the picture, its indexes, and the record of what they changed. */
export interface FoldContext {
  readonly run: RunPicture
  readonly state: FoldState
  readonly changed: {
    run: boolean
    readonly instances: Set<string>
    readonly pauses: Set<string>
    shape: boolean
  }
}
