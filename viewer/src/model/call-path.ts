import { childrenOf, edgesOf, type NodeKind, nodePictureOf, nodesOf, type RunPicture, rootInstances } from '@graphmind-ai/schema'
import { type GraphEdge, type GraphModel, type GraphNode, nodeState } from './graph.ts'
import type { Outlook } from './states.ts'

interface Path {
  readonly id: string
  readonly nodeId: string
  /** The paths from the root to this one by node id: a node that calls itself goes round instead of on. */
  readonly above: ReadonlyMap<string, Path>
  readonly instanceIds: string[]
}

/**
 * The graph with a node once for each way it is called, so that the same tool under two agents stands under each. The first way keeps
 * the node's own id, and so its place when one switches over.
 */
export function graphByCallPath(picture: RunPicture, outlook: Outlook): GraphModel {
  const paths = new Map<string, Path>()
  const taken = new Map<string, GraphEdge>()
  const first = new Set<string>()
  const pathOf = (nodeId: string, parent: Path | undefined): Path => {
    const round = parent?.above.get(nodeId)
    if (round !== undefined) return round
    const key = `${parent?.id ?? ''}\u0001${nodeId}`
    const known = paths.get(key)
    if (known !== undefined) return known
    const path: Path = { id: first.has(nodeId) ? key : nodeId, nodeId, above: new Map(parent?.above), instanceIds: [] }
    first.add(nodeId)
    ;(path.above as Map<string, Path>).set(nodeId, path)
    paths.set(key, path)
    return path
  }
  const left: { readonly id: string; readonly parent: Path | undefined }[] = []
  const enter = (ids: readonly string[], parent: Path | undefined) => {
    for (let at = ids.length - 1; at >= 0; at -= 1) left.push({ id: ids[at] ?? '', parent })
  }
  enter(rootInstances(picture), undefined)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const instance = picture.instances.get(next.id)
    if (instance === undefined) continue
    const path = pathOf(instance.nodeId, next.parent)
    path.instanceIds.push(instance.id)
    if (next.parent !== undefined) take(taken, next.parent.id, path.id)
    enter(childrenOf(picture, instance.id), path)
  }
  const nodes: GraphNode[] = []
  const nodeOfInstance = new Map<string, string>()
  for (const { id, nodeId, instanceIds } of paths.values()) {
    const node = nodePictureOf(picture, nodeId, instanceIds)
    if (node === undefined) continue
    for (const instanceId of instanceIds) nodeOfInstance.set(instanceId, id)
    nodes.push({ id, kind: node.kind, name: node.name, state: nodeState(picture, node, outlook), node })
  }
  addHints(picture, nodes, taken, first)
  return { nodes, edges: [...taken.values()], nodeOf: (instanceId) => nodeOfInstance.get(instanceId) }
}

function take(taken: Map<string, GraphEdge>, from: string, to: string): void {
  const id = `${from}\u0000${to}`
  const known = taken.get(id)
  taken.set(id, { id, from, to, count: (known?.count ?? 0) + 1 })
}

function addHints(picture: RunPicture, nodes: GraphNode[], edges: Map<string, GraphEdge>, reached: ReadonlySet<string>): void {
  for (const { nodeId, kind, name, parentId } of picture.hints.values()) {
    if (reached.has(nodeId)) continue
    nodes.push({ id: nodeId, kind, name, state: 'hint', node: undefined })
    if (parentId === undefined || !(reached.has(parentId) || picture.hints.has(parentId))) continue
    edges.set(`${parentId}\u0000${nodeId}`, { id: `${parentId}\u0000${nodeId}`, from: parentId, to: nodeId, count: 0 })
  }
}

/** Whether a run is easier to read by call path: several agents, and something that more than one caller uses. */
export function hasManyCallers(picture: RunPicture): boolean {
  if (nodesOf(picture).filter(({ kind }) => kind === ('agent' satisfies NodeKind)).length < 2) return false
  const called = new Set<string>()
  return edgesOf(picture).some(({ to }) => called.size === called.add(to).size)
}
