import dagre from '@dagrejs/dagre'

export type Direction = 'right' | 'down'

export interface Point {
  readonly x: number
  readonly y: number
}

export const NODE_WIDTH = 212
export const NODE_HEIGHT = 52
export const BETWEEN_RANKS = { right: 76, down: 56 }
export const BETWEEN_NODES = { right: 18, down: 26 }

/** What is laid out: ids only, so that a status never causes a layout. */
export interface LayoutInput {
  readonly nodes: readonly string[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  readonly direction: Direction
}

/** More leaves than this under one parent stand in several columns. */
const MOST_IN_LINE = 8
/** Width to height of such a block. */
const BLOCK_SHAPE = 1.6
const BLOCK_GAP = { x: 18, y: 14 }

/** Many leaves of one parent, which stand in a block of rows and columns. */
export interface Fan {
  readonly id: string
  readonly parent: string
  readonly leaves: readonly string[]
  readonly columns: number
  readonly rows: number
}

/** Leaves that have one parent, where these are many: in one line they would make a graph that nobody can see whole. */
export function wideFans({ nodes, edges, direction }: LayoutInput): readonly Fan[] {
  const parents = new Map<string, Set<string>>()
  const isParent = new Set<string>()
  for (const { from, to } of edges) {
    if (from === to) continue
    isParent.add(from)
    parents.get(to)?.add(from) ?? parents.set(to, new Set([from]))
  }
  const fans = new Map<string, string[]>()
  for (const id of nodes) {
    const [parent, second] = parents.get(id) ?? []
    if (parent === undefined || second !== undefined || isParent.has(id)) continue
    fans.get(parent)?.push(id) ?? fans.set(parent, [id])
  }
  return [...fans].flatMap(([parent, leaves]): Fan[] => {
    if (leaves.length <= MOST_IN_LINE) return []
    const ideal = Math.sqrt((BLOCK_SHAPE * leaves.length * (NODE_HEIGHT + BLOCK_GAP.y)) / (NODE_WIDTH + BLOCK_GAP.x))
    const columns = direction === 'right' ? Math.max(1, Math.round(ideal)) : Math.max(2, Math.round(ideal))
    return [{ id: `${parent}\u0000block`, parent, leaves, columns, rows: Math.ceil(leaves.length / columns) }]
  })
}

/** What a block takes, px. */
export function sizeOfFan({ columns, rows }: Fan): { readonly width: number; readonly height: number } {
  return { width: columns * (NODE_WIDTH + BLOCK_GAP.x) - BLOCK_GAP.x, height: rows * (NODE_HEIGHT + BLOCK_GAP.y) - BLOCK_GAP.y }
}

/** Layered positions (top left corners) for every node; many leaves of one parent stand in columns. */
export function layOut(input: LayoutInput): ReadonlyMap<string, Point> {
  const blocks = wideFans(input)
  if (blocks.length === 0) return layOutLines(input, new Map())
  const blockOf = new Map(blocks.flatMap((block) => block.leaves.map((leaf) => [leaf, block] as const)))
  const sizes = new Map(blocks.map((block) => [block.id, sizeOfFan(block)]))
  const rolled = (id: string) => {
    const block = blockOf.get(id)
    return block === undefined ? id : block.id
  }
  const outer = layOutLines(
    {
      nodes: [...new Set(input.nodes.map(rolled))],
      edges: input.edges.map(({ from, to }) => ({ from, to: rolled(to) })),
      direction: input.direction,
    },
    sizes,
  )
  const positions = new Map<string, Point>()
  for (const id of input.nodes) {
    const block = blockOf.get(id)
    const corner = outer.get(rolled(id)) ?? { x: 0, y: 0 }
    const at = block?.leaves.indexOf(id) ?? 0
    const columns = block?.columns ?? 1
    positions.set(id, {
      x: corner.x + (at % columns) * (NODE_WIDTH + BLOCK_GAP.x),
      y: corner.y + Math.floor(at / columns) * (NODE_HEIGHT + BLOCK_GAP.y),
    })
  }
  return positions
}

type Sizes = ReadonlyMap<string, { readonly width: number; readonly height: number }>

function layOutLines(input: LayoutInput, sizes: Sizes): ReadonlyMap<string, Point> {
  if (input.edges.length <= MOST_COMPARED) {
    // In the order they came, a tree has no crossing, and its first call stands first at each depth.
    const asTheyCame = layOutByDagre(input, sizes, true)
    if (crossings(input.edges, asTheyCame, input.direction === 'right' ? 'y' : 'x') === 0) return asTheyCame
  }
  const positions = layOutByDagre(input, sizes, false)
  // Blocks are of different sizes, so their places can't be exchanged.
  return sizes.size === 0 ? keepOrder(input, positions) : positions
}

function layOutByDagre({ nodes, edges, direction }: LayoutInput, sizes: Sizes, asTheyCame: boolean): ReadonlyMap<string, Point> {
  const sizeOf = (id: string) => sizes.get(id) ?? { width: NODE_WIDTH, height: NODE_HEIGHT }
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({
    rankdir: direction === 'right' ? 'LR' : 'TB',
    ranksep: BETWEEN_RANKS[direction],
    nodesep: BETWEEN_NODES[direction],
    marginx: 0,
    marginy: 0,
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of nodes) graph.setNode(id, { ...sizeOf(id) })
  for (const { from, to } of edges) if (from !== to) graph.setEdge(from, to)
  dagre.layout(graph, { disableOptimalOrderHeuristic: asTheyCame })
  const positions = new Map<string, Point>()
  for (const id of nodes) {
    const placed = graph.node(id)
    positions.set(id, { x: placed.x - sizeOf(id).width / 2, y: placed.y - sizeOf(id).height / 2 })
  }
  return positions
}

/** Above this many edges counting crossings costs more than the order is worth. */
const MOST_COMPARED = 400

/**
 * Lets the nodes of each rank stand in the order they were given, wherever that crosses no more edges than dagre's own order: then the
 * first call stands first, and a node that comes later leaves the others where they are.
 */
function keepOrder({ nodes, edges, direction }: LayoutInput, laidOut: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  if (edges.length > MOST_COMPARED) return laidOut
  const across = direction === 'right' ? 'y' : 'x'
  const ranks = new Map<number, string[]>()
  for (const id of nodes) {
    const point = laidOut.get(id)
    if (point === undefined) continue
    const rank = Math.round(direction === 'right' ? point.x : point.y)
    ranks.get(rank)?.push(id) ?? ranks.set(rank, [id])
  }
  let best = laidOut
  let fewest = crossings(edges, best, across)
  for (const ids of ranks.values()) {
    const slots = ids.map((id) => best.get(id)?.[across] ?? 0).sort((one, other) => one - other)
    const ordered = new Map(best)
    ids.forEach((id, index) => {
      const point = best.get(id)
      if (point !== undefined) ordered.set(id, { ...point, [across]: slots[index] ?? point[across] })
    })
    const count = crossings(edges, ordered, across)
    if (count > fewest) continue
    best = ordered
    fewest = count
  }
  return best
}

/** How many pairs of edges run over each other between the same two ranks. */
function crossings(edges: LayoutInput['edges'], at: ReadonlyMap<string, Point>, across: 'x' | 'y'): number {
  const along = across === 'y' ? 'x' : 'y'
  let count = 0
  edges.forEach((one, index) => {
    const [oneFrom, oneTo] = [at.get(one.from), at.get(one.to)]
    if (oneFrom === undefined || oneTo === undefined) return
    for (const other of edges.slice(index + 1)) {
      const [otherFrom, otherTo] = [at.get(other.from), at.get(other.to)]
      if (otherFrom === undefined || otherTo === undefined) continue
      if (oneFrom[along] !== otherFrom[along] || oneTo[along] !== otherTo[along]) continue
      if ((oneFrom[across] - otherFrom[across]) * (oneTo[across] - otherTo[across]) < 0) count += 1
    }
  })
  return count
}

/** Where to put nodes that no layout has placed yet: next to their parent, below what is already there. Known nodes keep their place. */
export function placeMeanwhile({ nodes, edges, direction }: LayoutInput, known: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>()
  for (const id of nodes) {
    const point = known.get(id)
    if (point !== undefined) places.set(id, point)
  }
  for (const id of callersFirst(nodes, edges)) {
    if (places.has(id)) continue
    const parent = edges.find((edge) => edge.to === id && edge.from !== id && places.has(edge.from))?.from
    const origin = parent === undefined ? undefined : places.get(parent)
    const depth =
      origin === undefined ? 0 : (direction === 'right' ? origin.x + NODE_WIDTH : origin.y + NODE_HEIGHT) + BETWEEN_RANKS[direction]
    const beside = [...places.values()]
      .filter((point) => Math.abs((direction === 'right' ? point.x : point.y) - depth) < 1)
      .map((point) => (direction === 'right' ? point.y + NODE_HEIGHT : point.x + NODE_WIDTH) + BETWEEN_NODES[direction])
    const across = Math.max(origin === undefined ? 0 : direction === 'right' ? origin.y : origin.x, ...beside)
    places.set(id, direction === 'right' ? { x: depth, y: across } : { x: across, y: depth })
  }
  return places
}

/** The nodes with each caller before what it calls, however they came; within a circle as they came. */
function callersFirst(nodes: readonly string[], edges: LayoutInput['edges']): Iterable<string> {
  const known = new Set(nodes)
  const callers = new Map<string, string[]>()
  for (const { from, to } of edges) {
    if (from !== to && known.has(from)) callers.get(to)?.push(from) ?? callers.set(to, [from])
  }
  const ordered = new Set<string>()
  const entered = new Set<string>()
  for (const node of nodes) {
    const left = [node]
    for (let id = left.at(-1); id !== undefined; id = left.at(-1)) {
      const next = entered.has(id) ? undefined : (callers.get(id) ?? []).filter((caller) => !entered.has(caller))
      entered.add(id)
      if (next !== undefined && next.length > 0) left.push(...next)
      else ordered.add(left.pop() ?? id)
    }
  }
  return ordered
}
