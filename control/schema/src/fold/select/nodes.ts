import type { NodeKind, TokenUsage } from '../../primitives.ts'
import type { InstancePicture, RunPicture } from '../picture.ts'
import { stateOf } from '../state.ts'
import { byStart } from './start-order.ts'
import { sumUsage } from './usage.ts'

/** One node of the graph: all executions of one place in the program. */
export interface NodePicture {
  readonly nodeId: string
  /** As the newest instance says. */
  readonly kind: NodeKind
  readonly name: string
  /** In the order they started. */
  readonly instanceIds: readonly string[]
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
    node.picture ??= nodePictureOf(run, nodeId, node.shown)
    if (node.picture !== undefined) nodes.push(node.picture)
  }
  return nodes
}

/** The node as only these of its instances make it, such as those with one caller; undefined when none of them is shown. */
export function nodePictureOf(run: RunPicture, nodeId: string, instanceIds: Iterable<string>): NodePicture | undefined {
  const instances: InstancePicture[] = []
  for (const id of instanceIds) {
    const instance = run.instances.get(id)
    if (instance !== undefined) instances.push(instance)
  }
  instances.sort(byStart)
  const newest = instances.at(-1)
  if (newest === undefined) return undefined
  const counts = { running: 0, paused: 0, ok: 0, error: 0, aborted: 0 }
  let durationMs = 0
  let lastDurationMs: number | undefined
  for (const instance of instances) {
    counts[instance.status] += 1
    if (instance.durationMs === undefined) continue
    durationMs += instance.durationMs
    lastDurationMs = instance.durationMs
  }
  const usage = sumUsage(instances)
  return {
    nodeId,
    kind: newest.kind,
    name: newest.name,
    instanceIds: instances.map((instance) => instance.id),
    running: counts.running,
    paused: counts.paused,
    errors: counts.error,
    aborted: counts.aborted,
    durationMs,
    ...(lastDurationMs !== undefined && { lastDurationMs }),
    ...(usage !== undefined && { usage }),
    ...(newest.ungated !== undefined && { ungated: newest.ungated }),
  }
}
