import { edgesOf, type NodeKind, type NodePicture, nodesOf, type RunPicture } from '@graphmind-ai/schema'
import { count, duration, plural } from './format.ts'
import { instanceState, type Outlook, type ShownState, STATE_WORDS } from './states.ts'

/** One box of the graph: a node that ran, or one only known from a hint. */
export interface GraphNode {
  /** The node's id, or in a graph by call path that of one way it is called. */
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly state: ShownState
  /** As the instances of this box make it; absent for a node that was not reached. */
  readonly node: NodePicture | undefined
}

export interface GraphEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  /** How often it was taken; 0 for a hinted one. */
  readonly count: number
}

/** What the graph draws. */
export interface GraphModel {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** The box an instance belongs to. */
  readonly nodeOf: (instanceId: string) => string | undefined
}

/** The graph with one box per node id. */
export function graphByNode(picture: RunPicture, outlook: Outlook): GraphModel {
  return {
    nodes: graphNodes(picture, outlook),
    edges: graphEdges(picture),
    nodeOf: (instanceId) => picture.instances.get(instanceId)?.nodeId,
  }
}

/** The graph without what only hints tell of. */
export function reachedOnly({ nodes, edges, nodeOf }: GraphModel): GraphModel {
  return { nodes: nodes.filter(({ node }) => node !== undefined), edges: edges.filter(({ count }) => count > 0), nodeOf }
}

/** The boxes of the graph in the order they were first reached: one per node id, hints that were not reached last. */
export function graphNodes(picture: RunPicture, outlook: Outlook): readonly GraphNode[] {
  const reached = [...nodesOf(picture)].sort((one, other) => one.firstSeq - other.firstSeq)
  const known = new Set(reached.map((node) => node.nodeId))
  const nodes: GraphNode[] = reached.map((node) => ({
    id: node.nodeId,
    kind: node.kind,
    name: node.name,
    state: nodeState(picture, node, outlook),
    node,
  }))
  for (const hint of picture.hints.values()) {
    if (known.has(hint.nodeId)) continue
    nodes.push({ id: hint.nodeId, kind: hint.kind, name: hint.name, state: 'hint', node: undefined })
  }
  return nodes
}

/** A waiter beats a running instance beats how the last one ended. */
export function nodeState(picture: RunPicture, node: NodePicture, outlook: Outlook): ShownState {
  if (outlook === 'abandoned' && node.paused + node.running > 0) return 'abandoned'
  if (node.paused > 0) return 'paused'
  if (node.running > 0) return outlook === 'stepping' && steps(picture, node) ? 'step' : 'running'
  const last = node.instanceIds.at(-1)
  const status = last === undefined ? undefined : picture.instances.get(last)?.status
  return status ?? 'ok'
}

/** Whether one of those that run was let go for a step. They are most often the newest, so few are looked at. */
function steps(picture: RunPicture, { instanceIds, running }: NodePicture): boolean {
  let left = running
  for (let at = instanceIds.length - 1; at >= 0 && left > 0; at -= 1) {
    const instance = picture.instances.get(instanceIds[at] ?? '')
    if (instance?.status !== 'running') continue
    if (instanceState(picture, instance, 'stepping') === 'step') return true
    left -= 1
  }
  return false
}

/** Links that instances took, and those that hints announce and nobody took yet. */
export function graphEdges(picture: RunPicture): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>()
  for (const { from, to, count: taken } of edgesOf(picture)) {
    const id = edgeId(from, to)
    edges.set(id, { id, from, to, count: taken })
  }
  const reached = new Set(nodesOf(picture).map((node) => node.nodeId))
  for (const hint of picture.hints.values()) {
    const from = hint.parentId
    if (from === undefined || reached.has(hint.nodeId) || (!reached.has(from) && !picture.hints.has(from))) continue
    const id = edgeId(from, hint.nodeId)
    if (!edges.has(id)) edges.set(id, { id, from, to: hint.nodeId, count: 0 })
  }
  return [...edges.values()]
}

function edgeId(from: string, to: string): string {
  return `${from}\u0000${to}`
}

/** Stroke width in px by how often an edge was taken, growing with the logarithm. */
export function edgeWidth(taken: number): number {
  return Math.min(5, 1.25 + Math.log2(Math.max(1, taken)) * 0.45)
}

/** What a screen reader says of a box: "tool search, 7 runs, 1 running, paused, breakpoint before". */
export function graphNodeName({ kind, name, state, node }: GraphNode, breakpoint: boolean): string {
  const parts = [`${kind} ${name}`, STATE_WORDS[state].toLowerCase()]
  if (node !== undefined && node.instanceIds.length > 1) parts.push(plural(node.instanceIds.length, 'run'))
  if (node !== undefined && node.running > 0 && ((state !== 'running' && state !== 'step') || node.instanceIds.length > 1))
    parts.push(`${count(node.running)} running`)
  if (node !== undefined && node.errors > 0) parts.push(plural(node.errors, 'error'))
  if (breakpoint) parts.push('breakpoint before')
  return parts.join(', ')
}

/** The sums of a node, for its tooltip. */
export function graphNodeSums({ name, node }: GraphNode): string {
  if (node === undefined) return `${name}: announced by the agent, not reached in this run`
  const parts = [plural(node.instanceIds.length, 'run'), `${duration(node.durationMs)} in all`]
  if (node.usage !== undefined) parts.push(`${count(node.usage.inputTokens)} tokens in, ${count(node.usage.outputTokens)} out`)
  if (node.errors > 0) parts.push(plural(node.errors, 'error'))
  if (node.aborted > 0) parts.push(`${count(node.aborted)} aborted`)
  return `${name}: ${parts.join(' · ')}`
}
