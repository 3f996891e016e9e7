import { Handle, Position } from '@xyflow/react'
import type { Direction } from '../../model/layout.ts'
import styles from './graph.module.css'

/** Where links end at a box. React Flow measures these anew whenever it likes; without them it would forget where that is. */
export function CardHandles({ direction }: { readonly direction: Direction }) {
  const [before, after] = direction === 'right' ? [Position.Left, Position.Right] : [Position.Top, Position.Bottom]
  return (
    <>
      <Handle type="target" position={before} isConnectable={false} className={styles.handle} />
      <Handle type="source" position={after} isConnectable={false} className={styles.handle} />
    </>
  )
}
