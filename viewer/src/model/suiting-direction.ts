import { BETWEEN_NODES, BETWEEN_RANKS, type Direction, type LayoutInput, NODE_HEIGHT, NODE_WIDTH, sizeOfFan, wideFans } from './layout.ts'

/** Which boxes and links there are. */
export type GraphShape = Omit<LayoutInput, 'direction'>

/** px */
export interface CanvasSize {
  readonly width: number
  readonly height: number
}

/** A smaller canvas is one that an editor leaves for a while: no reason to turn the graph, px. */
const LEAST = 200
/** The part of a canvas that a fitted graph takes: there is room around it. */
const TAKEN = 0.84
/** The other direction has to show the graph this much larger, so that one that grows doesn't turn to and fro. */
const WORTH_TURNING = 1.2

/** The direction in which the graph is seen larger, whole, in a canvas; the one it has wherever that gains little. */
export function suitingDirection(graph: GraphShape, canvas: CanvasSize, current: Direction): Direction {
  if (canvas.width < LEAST || canvas.height < LEAST) return current
  const other = current === 'right' ? 'down' : 'right'
  return zoomOf({ ...graph, direction: other }, canvas) > zoomOf({ ...graph, direction: current }, canvas) * WORTH_TURNING ? other : current
}

/** About the zoom at which the laid out graph fills the canvas, 1 at most. */
function zoomOf(input: LayoutInput, canvas: CanvasSize): number {
  const across = input.direction === 'right' ? 'height' : 'width'
  const along = input.direction === 'right' ? 'width' : 'height'
  const sum: Record<typeof across | typeof along, number> = { width: 0, height: 0 }
  for (const rank of ranksOf(input)) {
    sum[along] += Math.max(...rank.map((box) => box[along])) + BETWEEN_RANKS[input.direction]
    sum[across] = Math.max(
      sum[across],
      rank.reduce((whole, box) => whole + box[across] + BETWEEN_NODES[input.direction], 0),
    )
  }
  return Math.min(1, (canvas.width * TAKEN) / Math.max(1, sum.width), (canvas.height * TAKEN) / Math.max(1, sum.height))
}

/** The sizes of what stands side by side, by how many calls it is from the root. */
function ranksOf(input: LayoutInput): readonly (readonly CanvasSize[])[] {
  const fans = wideFans(input)
  const fanOf = new Map(fans.flatMap((fan) => fan.leaves.map((leaf) => [leaf, fan] as const)))
  const callees = new Map<string, string[]>()
  const called = new Set<string>()
  for (const { from, to } of input.edges) {
    if (from === to) continue
    callees.get(from)?.push(to) ?? callees.set(from, [to])
    called.add(to)
  }
  const ranks: CanvasSize[][] = []
  const seen = new Set<string>()
  let rank: readonly string[] = input.nodes.filter((id) => !called.has(id))
  for (;;) {
    // What is only called in a circle hangs on no root, so it is taken as one.
    if (rank.length === 0) rank = input.nodes.filter((id) => !seen.has(id)).slice(0, 1)
    if (rank.length === 0) return ranks
    const fresh = [...new Set(rank)].filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    const blocks = new Set(fresh.flatMap((id) => fanOf.get(id) ?? []))
    const boxes = fresh.filter((id) => !fanOf.has(id)).map(() => ({ width: NODE_WIDTH, height: NODE_HEIGHT }))
    if (fresh.length > 0) ranks.push([...boxes, ...[...blocks].map(sizeOfFan)])
    rank = fresh.flatMap((id) => callees.get(id) ?? [])
  }
}
