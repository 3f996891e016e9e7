import { Handle, type Node, Position } from '@xyflow/react'
import { type Fan, NODE_HEIGHT, NODE_WIDTH, type Point } from '../../model/layout.ts'
import styles from './graph.module.css'

export type FanBox = Node<Record<string, unknown>, 'box'>

/** Room between the frame and the leaves, px. */
const MARGIN = 10

/** A frame around the leaves of each fan, so that one line leads to all of them instead of many that cross. */
export function toFanBoxes(fans: readonly Fan[], positions: ReadonlyMap<string, Point>): FanBox[] {
  return fans.flatMap(({ id, leaves }): FanBox[] => {
    const points = leaves.flatMap((leaf) => positions.get(leaf) ?? [])
    if (points.length === 0) return []
    const x = Math.min(...points.map((point) => point.x)) - MARGIN
    const y = Math.min(...points.map((point) => point.y)) - MARGIN
    const width = Math.max(...points.map((point) => point.x)) + NODE_WIDTH + MARGIN - x
    const height = Math.max(...points.map((point) => point.y)) + NODE_HEIGHT + MARGIN - y
    return [
      {
        id,
        type: 'box',
        position: { x, y },
        width,
        height,
        measured: { width, height },
        handles: [
          { type: 'target', id: 'left', position: Position.Left, x: 0, y: height / 2, width: 1, height: 1 },
          { type: 'target', id: 'top', position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
        ],
        zIndex: -1,
        selectable: false,
        focusable: false,
        data: {},
      },
    ]
  })
}

export function FanBoxNode() {
  return (
    <div className={styles.fan} aria-hidden="true">
      <Handle id="left" type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      <Handle id="top" type="target" position={Position.Top} isConnectable={false} className={styles.handle} />
    </div>
  )
}
