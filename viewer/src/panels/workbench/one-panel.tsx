import type { ComponentType } from 'react'
import { Link, useParams } from 'wouter'
import { type RunPanel, runAddress } from '../../model/address.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { GraphPart, InspectorPart, OutlinePart, TimelinePart } from './parts.tsx'
import { ReplayBar } from './replay-bar.tsx'
import styles from './workbench.module.css'

const PARTS: Record<RunPanel, ComponentType> = {
  graph: GraphPart,
  timeline: TimelinePart,
  outline: OutlinePart,
  inspector: InspectorPart,
}

/** One panel of a run alone, for a tab or a screen of its own: its selection and the moment it shows are in its address as everywhere. */
export function OnePanel({ panel }: { panel: RunPanel }) {
  const selection = useSelection()
  const { runId = '' } = useParams<{ runId: string }>()
  const Part = PARTS[panel]
  return (
    <div className={styles.alone}>
      <div className={styles.centreBar}>
        <Link href={runAddress(runId, { ...selection, panel: undefined })}>Show the whole run</Link>
        <ReplayBar />
      </div>
      <Part />
    </div>
  )
}
