import type { GraphEdge, GraphNode } from './graph.ts'

/** Up to this many nodes the graph is shown whole. */
const SHOWN_WHOLE = 300
/** This many of a larger one are shown around what the reader looks at. */
const SHOWN_AROUND = 120
/** The most that can be drawn at all: React Flow's own authors name about a thousand as its limit. */
const MOST_DRAWN = 1000

export interface ShownGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** Nodes there are that are not shown. */
  readonly hidden: number
}

const URGENCY: Partial<Record<GraphNode['state'], number>> = { paused: 0, running: 1, error: 2 }
const urgencyOf = (node: GraphNode) => URGENCY[node.state] ?? (node.state === 'hint' ? 4 : 3)

/**
 * The whole graph when it is small. Of a large one the nodes nearest to `focus`, else to what waits, runs or failed, the most urgent
 * first among those equally near. `all` shows as many as can be drawn.
 */
export function shownGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[], focus: string | undefined, all: boolean): ShownGraph {
  if (nodes.length <= (all ? MOST_DRAWN : SHOWN_WHOLE)) return { nodes, edges, hidden: 0 }
  const most = all ? MOST_DRAWN : SHOWN_AROUND
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const beside = new Map<string, string[]>()
  for (const { from, to } of edges) {
    beside.get(from)?.push(to) ?? beside.set(from, [to])
    beside.get(to)?.push(from) ?? beside.set(to, [from])
  }
  const shown = new Set<string>()
  const urgent = [...nodes].sort((one, other) => urgencyOf(one) - urgencyOf(other))
  let ring = focus !== undefined && byId.has(focus) ? [focus] : [nodes[0]?.id ?? '', urgent[0]?.id ?? '']
  while (ring.length > 0 && shown.size < most) {
    for (const id of ring) if (shown.size < most) shown.add(id)
    const next = new Set(ring.flatMap((id) => beside.get(id) ?? []).filter((id) => byId.has(id) && !shown.has(id)))
    ring = urgent.filter((node) => next.has(node.id)).map((node) => node.id)
  }
  for (const node of urgent) if (shown.size < most) shown.add(node.id)
  return {
    nodes: nodes.filter((node) => shown.has(node.id)),
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
    hidden: nodes.length - shown.size,
  }
}
