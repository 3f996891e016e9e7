import type { RunPicture } from '../picture.ts'
import { stateOf } from '../state.ts'

/** From a parent's node to a child's node; `count` instances took it. */
export interface EdgePicture {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** The links between nodes that instances took. One whose parent node is neither reached nor hinted is left out. */
export function edgesOf(run: RunPicture): readonly EdgePicture[] {
  const { edges, nodes } = stateOf(run)
  const found: EdgePicture[] = []
  for (const [from, outgoing] of edges) {
    if ((nodes.get(from)?.shown.size ?? 0) === 0 && !run.hints.has(from)) continue
    for (const { to, count } of outgoing.values()) found.push({ from, to, count })
  }
  return found
}
