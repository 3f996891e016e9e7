import type { NodeKind, TokenUsage } from '../../primitives.ts'
import type { InstancePicture, RunPicture } from '../picture.ts'
import { stateOf } from '../state.ts'
import { NodeTally } from './node-tally.ts'
import { byStart } from './start-order.ts'

/** One node of the graph: all executions of one place in the program. */
export interface NodePicture {
  readonly nodeId: string
  /** As the newest instance says. */
  readonly kind: NodeKind
  readonly name: string
  /** In the order they started. */
  readonly instanceIds: readonly string[]
  /** The lowest seq that spoke of one of them. */
  readonly firstSeq: number
  readonly running: number
  readonly paused: number
  /** Instances that ended in an error. */
  readonly errors: number
  readonly aborted: number
  /** Sum over the instances that have ended, ms. */
  readonly durationMs: number
  /** Of the last instance that has ended, ms. */
  readonly lastDurationMs?: number
  /** Sum over the instances that reported any. */
  readonly usage?: TokenUsage
  /** Why a breakpoint here can't hold, when the newest instance says so. */
  readonly ungated?: string
}

/** One entry per node id that has instances, in no particular order; an unchanged node keeps its identity between calls. */
export function nodesOf(run: RunPicture): readonly NodePicture[] {
  const nodes: NodePicture[] = []
  for (const [nodeId, node] of stateOf(run).nodes) {
    node.tally ??= tallyOf(run, node.shown)
    node.picture ??= node.tally.picture(nodeId)
    if (node.picture !== undefined) nodes.push(node.picture)
  }
  return nodes
}

/** The node as only these of its instances make it, such as those with one caller; undefined when none of them is shown. */
export function nodePictureOf(run: RunPicture, nodeId: string, instanceIds: Iterable<string>): NodePicture | undefined {
  return tallyOf(run, instanceIds).picture(nodeId)
}

function tallyOf(run: RunPicture, instanceIds: Iterable<string>): NodeTally {
  const instances: InstancePicture[] = []
  for (const id of instanceIds) {
    const instance = run.instances.get(id)
    if (instance !== undefined) instances.push(instance)
  }
  const tally = new NodeTally()
  for (const instance of instances.sort(byStart)) tally.add(instance)
  return tally
}
