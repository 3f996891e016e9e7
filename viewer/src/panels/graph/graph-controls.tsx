import { Panel } from '@xyflow/react'
import { ArrowDown, ArrowRight, CircleX, List, Maximize, Minus, Plus } from 'lucide-react'
import { keyOf } from '../../commands.ts'
import { IconButton } from '../../ui/button.tsx'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { setDirection } from '../../ui/workbench.ts'
import styles from './graph.module.css'

export function GraphControls() {
  const { workbench } = useViewer()
  const graph = useWorkbench((state) => state.graph)
  const direction = useWorkbench((state) => state.direction)
  const errorsOnly = useWorkbench((state) => state.errorPath)
  const other = direction === 'right' ? 'down' : 'right'
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
        onClick={() => setDirection(workbench, other)}
      >
        {other === 'down' ? <ArrowDown size={14} aria-hidden="true" /> : <ArrowRight size={14} aria-hidden="true" />}
      </IconButton>
      <IconButton
        label="Error path: only what failed and its callers"
        keyHint={keyOf('view.error-path')}
        aria-pressed={errorsOnly}
        onClick={() => workbench.setState({ errorPath: !errorsOnly })}
      >
        <CircleX size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="As list" onClick={() => workbench.setState({ graphAsList: true })}>
        <List size={14} aria-hidden="true" />
      </IconButton>
    </Panel>
  )
}
