import { type Edge, MarkerType, type Node, Position } from '@xyflow/react'
import { edgeWidth, type GraphEdge, type GraphNode } from '../../model/graph.ts'
import { type Direction, type Fan, NODE_HEIGHT, NODE_WIDTH, type Point } from '../../model/layout.ts'
import type { OrderEdge } from '../../model/order.ts'

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
  /** Others lead to the same box, so near it labels would stand on each other. */
  readonly crowded: boolean
}

export type LineEdge = Edge<LineData, 'line'>

export const HANDLES = {
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
  /** The boxes of the selected instance and its ancestors, nearest first. */
  readonly path: readonly string[]
  readonly selectedInstance: string | undefined
  readonly previous: CardNode[]
  /** The nodes of the error path, while only these are asked for. */
  readonly onlyLit: ReadonlySet<string> | undefined
}

/** React Flow's nodes. Sizes and handles are given, so the first frame needs no measuring; an unchanged node keeps its object, so it isn't drawn again, and a list without changes stays the same list. */
export function toFlowNodes({ nodes, positions, direction, path, selectedInstance: chosen, previous, onlyLit }: FlowInput): CardNode[] {
  const onPath = new Set(path)
  const [selected] = path
  const known = new Map(previous.map((node) => [node.id, node]))
  const next = nodes.map((graphNode): CardNode => {
    const position = positions.get(graphNode.id) ?? { x: 0, y: 0 }
    const mark = selected === graphNode.id ? 'selected' : onPath.has(graphNode.id) ? 'path' : 'none'
    const selectedInstance = mark === 'selected' ? chosen : undefined
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

/** React Flow's edges; those to the leaves of a fan become one to the box around them. */
export function toFlowEdges(
  edges: readonly GraphEdge[],
  path: readonly string[],
  direction: Direction,
  onlyLit: ReadonlySet<string> | undefined,
  fans: readonly Fan[],
): LineEdge[] {
  const onPath = new Set<string>()
  for (let index = 0; index + 1 < path.length; index += 1) onPath.add(`${path[index + 1]}\u0000${path[index]}`)
  const fanOf = new Map(fans.flatMap((fan) => fan.leaves.map((leaf) => [leaf, fan] as const)))
  const callers = new Map<string, number>()
  for (const { from, to } of edges) if (from !== to) callers.set(to, (callers.get(to) ?? 0) + 1)
  const drawn = new Map<string, LineEdge>()
  for (const { id, from, to, count } of edges) {
    const fan = from === to ? undefined : fanOf.get(to)
    const key = fan === undefined ? id : fan.id
    const known = drawn.get(key)
    const lit = onPath.has(id) || known?.data?.onPath === true
    const bright = onlyLit === undefined || (onlyLit.has(from) && onlyLit.has(to)) || (known !== undefined && known.style?.opacity === 1)
    const { count: taken, ...line } = lineOf({ id: key, from, to: fan?.id ?? to, count: count + (known?.data?.count ?? 0) }, lit, bright)
    drawn.set(key, {
      ...line,
      ...(fan === undefined ? {} : { targetHandle: direction === 'right' ? 'left' : 'top' }),
      data: { count: taken, direction, onPath: lit, crowded: (callers.get(to) ?? 0) > 1 },
    })
  }
  return [...drawn.values()]
}

function lineOf({ id, from, to, count }: GraphEdge, lit: boolean, bright: boolean) {
  return {
    id,
    type: 'line' as const,
    source: from,
    target: to,
    focusable: false,
    count,
    ariaLabel: `${from} to ${to}${count > 1 ? `, ${count} times` : count === 0 ? ', not taken' : ''}`,
    markerEnd: { ...ARROW, color: lit ? 'var(--accent)' : 'var(--edge)' },
    style: { strokeWidth: edgeWidth(count), opacity: bright ? 1 : 0.25 },
  }
}

const ARROW = { type: MarkerType.ArrowClosed, width: 14, height: 14, markerUnits: 'userSpaceOnUse' } as const

export type OrderEdgeLine = Edge<{ readonly count: number; readonly direction: Direction }, 'order'>

/** More arrows than this at once hide the graph instead of explaining it. */
const MOST_ARROWS = 40

/**
 * Thin arrows over the graph for what followed what, between boxes that are drawn: those of the selected box, or the most frequent while
 * none is selected.
 */
export function toOrderArrows(
  order: readonly OrderEdge[],
  positions: ReadonlyMap<string, Point>,
  direction: Direction,
  selected: string | undefined,
): OrderEdgeLine[] {
  const wanted =
    selected === undefined
      ? [...order].sort((one, other) => other.count - one.count).slice(0, MOST_ARROWS)
      : order.filter(({ from, to }) => from === selected || to === selected)
  return wanted.flatMap(({ from, to, count }): OrderEdgeLine[] =>
    positions.has(from) && positions.has(to)
      ? [
          {
            id: `order ${from}\u0000${to}`,
            type: 'order',
            source: from,
            target: to,
            focusable: false,
            zIndex: 1,
            ariaLabel: `${to} followed ${from}${count > 1 ? `, ${count} times` : ''}`,
            markerEnd: { ...ARROW, color: 'var(--order)' },
            data: { count, direction },
          },
        ]
      : [],
  )
}
