import type { Node, NodeProps } from '@xyflow/react'
import { Layers } from 'lucide-react'
import { memo } from 'react'
import { count } from '../../model/format.ts'
import { type GraphGroup, groupName } from '../../model/graph-groups.ts'
import { type Direction, NODE_HEIGHT, NODE_WIDTH, type Point } from '../../model/layout.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import { CardHandles } from './card-handles.tsx'
import { HANDLES } from './flow-elements.ts'
import styles from './graph.module.css'

export type GroupNode = Node<{ readonly group: GraphGroup; readonly direction: Direction; readonly dim: boolean }, 'group'>

/** React Flow's nodes for what is gathered. `dim` is for those without a failure while only failures are asked for. */
export function toGroupNodes(
  groups: readonly GraphGroup[],
  positions: ReadonlyMap<string, Point>,
  direction: Direction,
  onlyFailures: boolean,
): GroupNode[] {
  return groups.map((group) => {
    const { x, y } = positions.get(group.id) ?? { x: 0, y: 0 }
    const size = { width: NODE_WIDTH, height: NODE_HEIGHT }
    const dim = onlyFailures && !group.hasFailed
    return {
      ...{ id: group.id, type: 'group', position: { x, y }, ...size, measured: size, handles: HANDLES[direction] },
      data: { group, direction, dim },
    }
  })
}

/** Nodes that are not drawn, as a pile that opens when it is pressed. */
export const GroupCard = memo(function GroupCard({ data: { group, direction, dim } }: NodeProps<GroupNode>) {
  return (
    <div className={styles.card} data-gathered={true} data-state={group.state} data-dim={dim} title={groupName(group)}>
      <CardHandles direction={direction} />
      <button type="button" className={styles.button} aria-label={groupName(group)} aria-expanded={false} disabled={group.isFull} />
      <div className={styles.face} aria-hidden="true">
        <span className={styles.icon}>
          <Layers size={16} />
        </span>
        <span className={styles.text}>
          <span className={styles.name}>{count(group.count)} more</span>
          <span className={styles.line}>
            {group.isFull ? 'more than can be drawn' : group.words === '' ? 'press to open' : group.words}
          </span>
        </span>
        <StateMark state={group.state} flawed={group.hasFailed} size={16} />
      </div>
    </div>
  )
})
