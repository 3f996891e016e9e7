import type { GraphEdge, GraphNode } from './graph.ts'
import { type GraphGroup, gathered, ownersOf } from './graph-groups.ts'

/** Up to this many nodes the graph is shown whole. */
const SHOWN_WHOLE = 300
/** This many of a larger one are shown around what the reader looks at. */
const SHOWN_AROUND = 120
/** The most that can be drawn at all: React Flow's own authors name about a thousand as its limit. */
const MOST_DRAWN = 1000

export interface ShownGraph {
  readonly nodes: readonly GraphNode[]
  /** What is not shown, where it belongs; none while as much as can be drawn is asked for. */
  readonly groups: readonly GraphGroup[]
  readonly edges: readonly GraphEdge[]
  /** Nodes there are that are not shown. */
  readonly hidden: number
}

/** What of a large graph is asked for: as much as can be drawn, or also what is gathered at these nodes. */
export type Wanted = 'all' | ReadonlySet<string>

const URGENCY: Partial<Record<GraphNode['state'], number>> = { paused: 0, step: 1, running: 1, error: 2 }
const urgencyOf = (node: GraphNode) => URGENCY[node.state] ?? (node.state === 'hint' ? 4 : 3)

/**
 * The whole graph when it is small. Of a large one the nodes nearest to `focus`, else to what waits, runs or failed, the most urgent
 * first among those equally near; the others are gathered in groups, and those of opened groups shown, too, as far as can be drawn.
 */
export function shownGraph(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  focus: string | undefined,
  wanted: Wanted,
): ShownGraph {
  const all = wanted === 'all'
  if (nodes.length <= (all ? MOST_DRAWN : SHOWN_WHOLE)) return { nodes, groups: [], edges, hidden: 0 }
  const beside = new Map<string, string[]>()
  for (const { from, to } of edges) {
    beside.get(from)?.push(to) ?? beside.set(from, [to])
    beside.get(to)?.push(from) ?? beside.set(to, [from])
  }
  const urgent = [...nodes].sort((one, other) => urgencyOf(one) - urgencyOf(other))
  const shown = nearest(nodes, urgent, beside, focus, all ? MOST_DRAWN : SHOWN_AROUND)
  if (!all && wanted.size > 0) {
    const owners = ownersOf(nodes, beside, shown)
    for (const { id } of urgent) if (shown.size < MOST_DRAWN && wanted.has(owners.get(id) ?? id)) shown.add(id)
  }
  const drawn = nodes.filter((node) => shown.has(node.id))
  const hidden = nodes.length - shown.size
  if (all) return { nodes: drawn, groups: [], edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)), hidden }
  return { nodes: drawn, ...gathered(nodes, edges, ownersOf(nodes, beside, shown), wanted), hidden }
}

function nearest(
  nodes: readonly GraphNode[],
  urgent: readonly GraphNode[],
  beside: ReadonlyMap<string, readonly string[]>,
  focus: string | undefined,
  most: number,
): Set<string> {
  const known = new Set(nodes.map((node) => node.id))
  const shown = new Set<string>()
  let ring = focus !== undefined && known.has(focus) ? [focus] : [nodes[0]?.id ?? '', urgent[0]?.id ?? '']
  while (ring.length > 0 && shown.size < most) {
    for (const id of ring) if (shown.size < most) shown.add(id)
    const next = new Set(ring.flatMap((id) => beside.get(id) ?? []).filter((id) => known.has(id) && !shown.has(id)))
    ring = urgent.filter((node) => next.has(node.id)).map((node) => node.id)
  }
  for (const node of urgent) if (shown.size < most) shown.add(node.id)
  return shown
}
