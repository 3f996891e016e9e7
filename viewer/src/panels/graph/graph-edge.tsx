import type { EdgeProps } from '@xyflow/react'
import { count } from '../../model/format.ts'
import { NODE_HEIGHT, NODE_WIDTH } from '../../model/layout.ts'
import type { LineEdge, OrderEdgeLine } from './flow-elements.ts'
import styles from './graph.module.css'

/** A link between nodes: a curve forward, a bow on the outer side back, or a loop at the node that calls itself. */
export function GraphEdgeLine(props: EdgeProps<LineEdge>) {
  const { source, target, sourceX, sourceY, targetX, targetY, data } = props
  const across = data?.direction !== 'down'
  const back = across ? targetX < sourceX : targetY < sourceY
  const [path, labelX, labelY] =
    source === target
      ? loop(sourceX, sourceY, across)
      : back
        ? bow(sourceX, sourceY, targetX, targetY, across)
        : curve(sourceX, sourceY, targetX, targetY, across, data?.crowded === true)
  const taken = data?.count ?? 0
  return (
    <g className={styles.edge} data-taken={taken > 0} data-lit={data?.onPath === true}>
      <path d={path} markerEnd={props.markerEnd} style={props.style} />
      {taken > 1 && (
        <text x={labelX} y={labelY} className={styles.times}>
          ×{count(taken)}
        </text>
      )}
    </g>
  )
}

type Drawn = readonly [path: string, labelX: number, labelY: number]

/** How far along a line its label stands: at its end lines from one caller lie apart, in the middle those to one callee. */
const LABEL_AT = { alone: 0.72, crowded: 0.45 }

function curve(sourceX: number, sourceY: number, targetX: number, targetY: number, across: boolean, crowded: boolean): Drawn {
  const reach = (across ? targetX - sourceX : targetY - sourceY) * 0.5
  const first = across ? { x: sourceX + reach, y: sourceY } : { x: sourceX, y: sourceY + reach }
  const second = across ? { x: targetX - reach, y: targetY } : { x: targetX, y: targetY - reach }
  const t = crowded ? LABEL_AT.crowded : LABEL_AT.alone
  const on = (from: number, one: number, other: number, to: number) =>
    (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * one + 3 * (1 - t) * t ** 2 * other + t ** 3 * to
  return [
    `M ${sourceX} ${sourceY} C ${first.x} ${first.y}, ${second.x} ${second.y}, ${targetX} ${targetY}`,
    on(sourceX, first.x, second.x, targetX),
    on(sourceY, first.y, second.y, targetY),
  ]
}

/** Px by which an arrow of the order leaves and reaches a box beside its middle, so that there and back are two. */
const BESIDE = { out: 4, in: 13 }

/** Px between the counts of there and back, and between an arrow's bow and its count. */
const APART = { counts: 8, bow: 13 }

/** A thin arrow on the far side of the boxes, from one call to what followed it. */
export function OrderArrow({ source, target, sourceX, sourceY, targetX, targetY, data, markerEnd }: EdgeProps<OrderEdgeLine>) {
  const across = data?.direction !== 'down'
  // Lines of the graph reach a box on its near side; these keep to the far side.
  const end = across ? { x: targetX + NODE_WIDTH, y: targetY } : { x: targetX, y: targetY + NODE_HEIGHT }
  const step = across ? end.y - sourceY : end.x - sourceX
  const turn = source === target ? 1 : Math.sign(step) || 1
  const bulge = 26 + Math.min(90, Math.abs(step) * 0.22) * (turn > 0 ? 1 : 1.5)
  const from = { x: sourceX + (across ? 0 : turn * BESIDE.out), y: sourceY + (across ? turn * BESIDE.out : 0) }
  const to = { x: end.x - (across ? 0 : turn * BESIDE.in), y: end.y - (across ? turn * BESIDE.in : 0) }
  const near = across ? Math.max(from.x, to.x) : Math.max(from.y, to.y)
  const far = near + bulge
  // A curve goes three quarters of the way to its two handles.
  const beyond = near + bulge * 0.75 + APART.bow
  const path = across
    ? `M ${from.x} ${from.y} C ${far} ${from.y}, ${far} ${to.y}, ${to.x} ${to.y}`
    : `M ${from.x} ${from.y} C ${from.x} ${far}, ${to.x} ${far}, ${to.x} ${to.y}`
  const followed = data?.count ?? 0
  return (
    <g>
      <path d={path} markerEnd={markerEnd} className={styles.orderLine} />
      {followed > 1 && (
        <text
          x={across ? beyond : (from.x + to.x) / 2 + turn * APART.counts}
          y={across ? (from.y + to.y) / 2 + turn * APART.counts : beyond}
          className={styles.times}
          data-order=""
        >
          ×{count(followed)}
        </text>
      )}
    </g>
  )
}

function loop(x: number, y: number, across: boolean): Drawn {
  if (across) {
    const top = y - NODE_HEIGHT / 2
    const left = x - 46
    return [
      `M ${x} ${y} C ${x + 34} ${y - 8}, ${x + 18} ${top - 34}, ${left} ${top - 26} Q ${left - 18} ${top - 20}, ${left - 18} ${top - 2}`,
      left + 14,
      top - 30,
    ]
  }
  const right = x + NODE_WIDTH / 2
  const middle = y - NODE_HEIGHT / 2
  return [
    `M ${x} ${y} C ${x + 8} ${y + 34}, ${right + 30} ${y + 26}, ${right + 26} ${middle + 12} Q ${right + 22} ${middle}, ${right + 2} ${middle}`,
    right + 30,
    y + 4,
  ]
}

function bow(sourceX: number, sourceY: number, targetX: number, targetY: number, across: boolean): Drawn {
  if (across) {
    const low = Math.max(sourceY, targetY) + NODE_HEIGHT + 18
    return [
      `M ${sourceX} ${sourceY} C ${sourceX + 60} ${low}, ${targetX - 60} ${low}, ${targetX} ${targetY}`,
      (sourceX + targetX) / 2,
      low - 14,
    ]
  }
  const far = Math.max(sourceX, targetX) + NODE_WIDTH / 2 + 40
  return [
    `M ${sourceX} ${sourceY} C ${far} ${sourceY + 60}, ${far} ${targetY - 60}, ${targetX} ${targetY}`,
    far - 20,
    (sourceY + targetY) / 2,
  ]
}
