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
  /** True when an instance came, went, or has another parent than before. */
  readonly places: boolean
}

/** The change of an event that tells nothing new. */
export const NO_CHANGE: FoldChange = Object.freeze({
  run: false,
  instanceIds: Object.freeze([]),
  pauseIds: Object.freeze([]),
  shape: false,
  places: false,
})

/** What the handlers of one envelope share: the picture, its indexes, and the record of what they changed. */
export interface FoldContext {
  readonly run: RunPicture
  readonly state: FoldState
  readonly changed: {
    run: boolean
    readonly instances: Ids
    readonly pauses: Ids
    shape: boolean
    places: boolean
  }
}

const NO_IDS: readonly string[] = Object.freeze([])

/** Ids, each once. Nearly every event changes one instance: a Set for each of them is most of what reading a long history throws away. */
export class Ids {
  #first: string | undefined
  #others: Set<string> | undefined

  add(id: string): void {
    if (this.#first === undefined) this.#first = id
    else if (id !== this.#first) {
      this.#others ??= new Set()
      this.#others.add(id)
    }
  }

  list(): readonly string[] {
    if (this.#first === undefined) return NO_IDS
    return this.#others === undefined ? [this.#first] : [this.#first, ...this.#others]
  }
}
