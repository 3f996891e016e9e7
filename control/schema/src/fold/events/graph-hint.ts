import type { FoldContext } from '../change.ts'
import type { EventOf } from '../state.ts'

/** Nodes that may be reached; a hint with a gap tells of events that were lost on the way. */
export function foldGraphHint({ run, changed }: FoldContext, { payload }: EventOf<'graph.hint'>): void {
  for (const hint of payload.nodes) {
    const known = run.hints.get(hint.nodeId)
    run.hints.set(hint.nodeId, hint)
    if (known === undefined || known.kind !== hint.kind || known.name !== hint.name || known.parentId !== hint.parentId)
      changed.shape = true
  }
  if (payload.gap === undefined) return
  const { droppedCount, fromSeq, toSeq, reason } = payload.gap
  run.gaps.push({ droppedCount, fromSeq, toSeq, reason })
  changed.run = true
}
