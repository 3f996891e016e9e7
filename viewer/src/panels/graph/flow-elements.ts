import type { InstancePicture } from '@graphmind-ai/schema'
import { type Edge, MarkerType, type Node, Position } from '@xyflow/react'
import { edgeWidth, type GraphEdge, type GraphNode } from '../../model/graph.ts'
import { type Direction, NODE_HEIGHT, NODE_WIDTH, type Point } from '../../model/layout.ts'

export interface CardData extends Record<string, unknown> {
  readonly graphNode: GraphNode
  /** How the node stands to the selection. */
  readonly mark: 'selected' | 'path' | 'none'
  /** The selected instance when it is one of this node's. */
  readonly selectedInstance: string | undefined
  readonly direction: Direction
  /** Not on the error path while that is asked for. */
  readonly dim: boolean
}

export type CardNode = Node<CardData, 'card'>

export interface LineData extends Record<string, unknown> {
  readonly count: number
  readonly direction: Direction
  readonly onPath: boolean
}

export type LineEdge = Edge<LineData, 'line'>

const HANDLES = {
  right: [
    { type: 'target', position: Position.Left, x: 0, y: NODE_HEIGHT / 2, width: 1, height: 1 },
    { type: 'source', position: Position.Right, x: NODE_WIDTH, y: NODE_HEIGHT / 2, width: 1, height: 1 },
  ],
  down: [
    { type: 'target', position: Position.Top, x: NODE_WIDTH / 2, y: 0, width: 1, height: 1 },
    { type: 'source', position: Position.Bottom, x: NODE_WIDTH / 2, y: NODE_HEIGHT, width: 1, height: 1 },
  ],
} satisfies Record<Direction, Node['handles']>

interface FlowInput {
  readonly nodes: readonly GraphNode[]
  readonly positions: ReadonlyMap<string, Point>
  readonly direction: Direction
  /** The selected instance and its ancestors, nearest first. */
  readonly path: readonly InstancePicture[]
  readonly previous: CardNode[]
  /** The nodes of the error path, while only these are asked for. */
  readonly onlyLit: ReadonlySet<string> | undefined
}

/** React Flow's nodes. Sizes and handles are given, so the first frame needs no measuring; an unchanged node keeps its object, so it isn't drawn again, and a list without changes stays the same list. */
export function toFlowNodes({ nodes, positions, direction, path, previous, onlyLit }: FlowInput): CardNode[] {
  const onPath = new Set(path.map((instance) => instance.nodeId))
  const selected = path[0]
  const known = new Map(previous.map((node) => [node.id, node]))
  const next = nodes.map((graphNode): CardNode => {
    const position = positions.get(graphNode.id) ?? { x: 0, y: 0 }
    const mark = selected?.nodeId === graphNode.id ? 'selected' : onPath.has(graphNode.id) ? 'path' : 'none'
    const selectedInstance = mark === 'selected' ? selected?.id : undefined
    const dim = onlyLit !== undefined && !onlyLit.has(graphNode.id)
    const before = known.get(graphNode.id)
    if (
      before !== undefined &&
      before.data.graphNode.node === graphNode.node &&
      before.data.graphNode.state === graphNode.state &&
      before.data.mark === mark &&
      before.data.dim === dim &&
      before.data.selectedInstance === selectedInstance &&
      before.handles === HANDLES[direction] &&
      before.position.x === position.x &&
      before.position.y === position.y
    ) {
      return before
    }
    return {
      id: graphNode.id,
      type: 'card',
      position: { x: position.x, y: position.y },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
      handles: HANDLES[direction],
      data: { graphNode, mark, selectedInstance, direction, dim },
    }
  })
  return next.length === previous.length && next.every((node, at) => node === previous[at]) ? previous : next
}

export function toFlowEdges(
  edges: readonly GraphEdge[],
  path: readonly InstancePicture[],
  direction: Direction,
  onlyLit: ReadonlySet<string> | undefined,
): LineEdge[] {
  const onPath = new Set<string>()
  for (let index = 0; index + 1 < path.length; index += 1) onPath.add(`${path[index + 1]?.nodeId}\u0000${path[index]?.nodeId}`)
  return edges.map(({ id, from, to, count }) => {
    const lit = onPath.has(id)
    return {
      id,
      type: 'line',
      source: from,
      target: to,
      focusable: false,
      ariaLabel: `${from} to ${to}${count > 1 ? `, ${count} times` : count === 0 ? ', not taken' : ''}`,
      markerEnd: {
        type: MarkerType.ArrowClosed,
        width: 14,
        height: 14,
        markerUnits: 'userSpaceOnUse',
        color: lit ? 'var(--accent)' : 'var(--edge)',
      },
      style: { strokeWidth: edgeWidth(count), opacity: onlyLit === undefined || (onlyLit.has(from) && onlyLit.has(to)) ? 1 : 0.25 },
      data: { count, direction, onPath: lit },
    }
  })
}
