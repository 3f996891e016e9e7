import { lazy, type ReactNode, Suspense } from 'react'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Inspector } from '../inspector/inspector.tsx'
import { Outline } from '../outline/outline.tsx'
import styles from './workbench.module.css'

const Graph = lazy(() => import('../graph/graph.tsx'))
const Timeline = lazy(() => import('../timeline/timeline.tsx'))

// The panels of a run, each of which crashes alone.

export function GraphPart(): ReactNode {
  return (
    <PanelBoundary name="graph">
      <Suspense fallback={<p className={styles.loading}>Loading the graph…</p>}>
        <Graph />
      </Suspense>
    </PanelBoundary>
  )
}

export function TimelinePart(): ReactNode {
  return (
    <PanelBoundary name="timeline">
      <Suspense fallback={<p className={styles.loading}>Loading the timeline…</p>}>
        <Timeline />
      </Suspense>
    </PanelBoundary>
  )
}

export function OutlinePart(): ReactNode {
  return (
    <PanelBoundary name="outline">
      <Outline />
    </PanelBoundary>
  )
}

export function InspectorPart(): ReactNode {
  return (
    <PanelBoundary name="inspector">
      <Inspector />
    </PanelBoundary>
  )
}
