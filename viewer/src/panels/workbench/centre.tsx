import { lazy, Suspense } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { keyOf } from '../../commands.ts'
import { RUN_VIEWS, type RunView } from '../../model/address.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useSelection } from '../../ui/use-selection.ts'
import { ReplayBar } from './replay-bar.tsx'
import styles from './workbench.module.css'

const Graph = lazy(() => import('../graph/graph.tsx'))
const Timeline = lazy(() => import('../timeline/timeline.tsx'))

const TITLES: Record<RunView, string> = { graph: 'Graph', timeline: 'Timeline', both: 'Both' }

/** The middle of the workbench: graph, timeline or both, as it is or as it was. */
export function Centre() {
  const { view, showView } = useSelection()
  return (
    <div className={styles.centre}>
      <div className={styles.centreBar}>
        <fieldset className={styles.switch}>
          <legend className="visually-hidden">View</legend>
          {RUN_VIEWS.map((choice) => (
            <label key={choice} data-chosen={view === choice} title={`${TITLES[choice]} (${keyOf(`view.${choice}`)})`}>
              <input type="radio" name="view" className="visually-hidden" checked={view === choice} onChange={() => showView(choice)} />
              {TITLES[choice]}
            </label>
          ))}
        </fieldset>
        <ReplayBar />
      </div>
      {view === 'both' ? <Stacked /> : view === 'graph' ? <GraphPart /> : <TimelinePart />}
    </div>
  )
}

function Stacked() {
  const saved = useDefaultLayout({ id: 'gm:both', onlySaveAfterUserInteractions: true })
  return (
    <Group orientation="vertical" defaultLayout={saved.defaultLayout} onLayoutChanged={saved.onLayoutChanged}>
      <Panel id="graph" defaultSize="50%" minSize={120} className={styles.column}>
        <GraphPart />
      </Panel>
      <Separator className={styles.handle} aria-label="Resize the timeline" />
      <Panel id="timeline" minSize={140} className={styles.column}>
        <TimelinePart />
      </Panel>
    </Group>
  )
}

function GraphPart() {
  return (
    <PanelBoundary name="graph">
      <Suspense fallback={<p className={styles.loading}>Loading the graph…</p>}>
        <Graph />
      </Suspense>
    </PanelBoundary>
  )
}

function TimelinePart() {
  return (
    <PanelBoundary name="timeline">
      <Suspense fallback={<p className={styles.loading}>Loading the timeline…</p>}>
        <Timeline />
      </Suspense>
    </PanelBoundary>
  )
}
