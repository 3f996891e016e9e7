import type { Envelope } from '../envelope.ts'
import type { RunPicture } from './picture.ts'

export function emptyRun(runId: string): RunPicture {
  return {
    runId,
    meta: {},
    status: 'running',
    instances: new Map(),
    aliases: new Map(),
    hints: new Map(),
    pauses: new Map(),
    gaps: [],
    unknown: [],
    lastSeq: -1,
  }
}

/** What one envelope changed, so that a view redraws just that. */
export interface FoldChange {
  readonly run: boolean
  readonly instanceIds: readonly string[]
  readonly pauseIds: readonly string[]
  /** True when the set of nodes, hints or parent links changed: the graph needs a layout. */
  readonly shape: boolean
}

/** Applies one envelope of the run, in stored order. */
export function foldEnvelope(_run: RunPicture, _envelope: Envelope): FoldChange {
  return { run: false, instanceIds: [], pauseIds: [], shape: false }
}
