import { childrenOf, type InstancePicture, type NodePicture, nodesOf, type RunPicture, rootInstances } from '@graphmind-ai/schema'

/** One line of the run outline. */
export interface OutlineRow {
  readonly instanceId: string
  /** From 1. */
  readonly level: number
  readonly children: number
  readonly expanded: boolean
  /** Names a parent that has not arrived. */
  readonly orphan: boolean
  /** Place among its siblings, from 1, for screen readers. */
  readonly position: number
  readonly siblings: number
}

/** The run as a tree by instances, in order of start, without the children of folded rows. */
export function outlineRows(picture: RunPicture, folded: ReadonlySet<string>): readonly OutlineRow[] {
  const rows: OutlineRow[] = []
  // A list of what is left, not recursion: a tree may be deeper than the stack.
  const left: { readonly ids: readonly string[]; next: number }[] = [{ ids: rootInstances(picture), next: 0 }]
  for (let line = left.at(-1); line !== undefined; line = left.at(-1)) {
    const instanceId = line.ids[line.next]
    if (instanceId === undefined) {
      left.pop()
      continue
    }
    line.next += 1
    const level = left.length
    const children = childrenOf(picture, instanceId)
    const expanded = !folded.has(instanceId)
    const parent = picture.instances.get(instanceId)?.parentInstanceId
    const orphan = level === 1 && parent !== undefined && !picture.instances.has(parent)
    rows.push({ instanceId, level, children: children.length, expanded, orphan, position: line.next, siblings: line.ids.length })
    if (expanded && children.length > 0) left.push({ ids: children, next: 0 })
  }
  return rows
}

/** The node an instance belongs to, with its instances in order of start. */
export function nodeOf(picture: RunPicture, nodeId: string): NodePicture | undefined {
  return nodesOf(picture).find((node) => node.nodeId === nodeId)
}

/** The instance and its shown ancestors, nearest first. */
export function pathToRoot(picture: RunPicture, instanceId: string): readonly InstancePicture[] {
  const path: InstancePicture[] = []
  const seen = new Set<string>()
  for (let id: string | undefined = instanceId; id !== undefined && !seen.has(id); ) {
    seen.add(id)
    const instance: InstancePicture | undefined = picture.instances.get(id)
    if (instance === undefined) break
    path.push(instance)
    id = instance.parentInstanceId
  }
  return path
}

/** Of a node's instances the one to look at first: a waiting one, else a running one, else the last. */
export function instanceToShow(picture: RunPicture, node: NodePicture): string | undefined {
  const withStatus = (status: InstancePicture['status']) => (id: string) => picture.instances.get(id)?.status === status
  return node.instanceIds.find(withStatus('paused')) ?? node.instanceIds.findLast(withStatus('running')) ?? node.instanceIds.at(-1)
}
