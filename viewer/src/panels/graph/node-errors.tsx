import type { NodePicture } from '@graphmind-ai/schema'
import { CircleX } from 'lucide-react'
import { count } from '../../model/format.ts'
import styles from './graph.module.css'

/** How many calls of a node failed; nothing where none did. */
export function NodeErrors({ node }: { node: NodePicture | undefined }) {
  if (node === undefined || node.errors === 0) return null
  return (
    <span className={styles.errors}>
      <CircleX size={11} aria-hidden="true" />
      {count(node.errors)}
    </span>
  )
}
