import { Panel } from '@xyflow/react'
import { ArrowDown, ArrowRight, CircleX, EyeOff, List, Maximize, Minus, Plus, Spline, Split } from 'lucide-react'
import type { ReactNode } from 'react'
import type { GraphLook } from '../../model/graph-look.ts'
import { IconButton } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './graph.module.css'

interface GraphControlsProps {
  readonly look: GraphLook
  readonly change: (part: Partial<GraphLook>) => void
}

export function GraphControls({ look, change }: GraphControlsProps) {
  const keyOf = useKeyOf()
  const graph = useWorkbench((state) => state.graph)
  const other = look.direction === 'right' ? 'down' : 'right'
  const part = (key: 'paths' | 'order' | 'errors' | 'reached', label: string, icon: ReactNode) => (
    <IconButton label={label} keyHint={keyOf(`view.${key}`)} aria-pressed={look[key]} onClick={() => change({ [key]: !look[key] })}>
      {icon}
    </IconButton>
  )
  return (
    <Panel position="bottom-left" className={styles.controls ?? ''}>
      <IconButton label="Zoom in" keyHint={keyOf('view.zoom-in')} onClick={() => graph?.zoomIn()}>
        <Plus size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Zoom out" keyHint={keyOf('view.zoom-out')} onClick={() => graph?.zoomOut()}>
        <Minus size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Fit the graph" keyHint={keyOf('view.fit')} onClick={() => graph?.fit()}>
        <Maximize size={14} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={other === 'down' ? 'Lay out from top to bottom' : 'Lay out from left to right'}
        onClick={() => change({ direction: other })}
      >
        {other === 'down' ? <ArrowDown size={14} aria-hidden="true" /> : <ArrowRight size={14} aria-hidden="true" />}
      </IconButton>
      <span className={styles.between} />
      {part('paths', 'By call path: a box for each way a node is called', <Split size={14} aria-hidden="true" />)}
      {part('order', 'Order: what followed what, of a selected box only its own', <Spline size={14} aria-hidden="true" />)}
      {part('errors', 'Error path: only what failed and its callers', <CircleX size={14} aria-hidden="true" />)}
      {part('reached', 'Hide what was not reached', <EyeOff size={14} aria-hidden="true" />)}
      <IconButton label="As list" keyHint={keyOf('view.list')} onClick={() => change({ list: true })}>
        <List size={14} aria-hidden="true" />
      </IconButton>
    </Panel>
  )
}
