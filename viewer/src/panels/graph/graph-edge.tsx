import { type EdgeProps, getBezierPath } from '@xyflow/react'
import { NODE_HEIGHT, NODE_WIDTH } from '../../model/layout.ts'
import type { LineEdge } from './flow-elements.ts'
import styles from './graph.module.css'

/** A link between nodes: a curve forward, a bow on the outer side back, or a loop at the node that calls itself. */
export function GraphEdgeLine(props: EdgeProps<LineEdge>) {
  const { source, target, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props
  const across = data?.direction !== 'down'
  const back = across ? targetX < sourceX : targetY < sourceY
  const [path, labelX, labelY] =
    source === target
      ? loop(sourceX, sourceY, across)
      : back
        ? bow(sourceX, sourceY, targetX, targetY, across)
        : getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, curvature: 0.3 })
  const count = data?.count ?? 0
  return (
    <g className={styles.edge} data-taken={count > 0} data-lit={data?.onPath === true}>
      <path d={path} markerEnd={props.markerEnd} style={props.style} />
      {count > 1 && (
        <text x={labelX} y={labelY} className={styles.times}>
          ×{count}
        </text>
      )}
    </g>
  )
}

type Drawn = readonly [path: string, labelX: number, labelY: number]

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
