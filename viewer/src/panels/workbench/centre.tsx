import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { RUN_VIEWS, type RunView } from '../../model/address.ts'
import { withKey } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { GraphPart, TimelinePart } from './parts.tsx'
import { ReplayBar } from './replay-bar.tsx'
import styles from './workbench.module.css'

const TITLES: Record<RunView, string> = { graph: 'Graph', timeline: 'Timeline', both: 'Both' }

/** The middle of the workbench: graph, timeline or both, as it is or as it was. */
export function Centre() {
  const keyOf = useKeyOf()
  const { view, showView } = useSelection()
  return (
    <div className={styles.centre}>
      <div className={styles.centreBar}>
        <Choice
          legend="View"
          options={RUN_VIEWS.map((value) => ({ value, label: TITLES[value], title: withKey(TITLES[value], keyOf(`view.${value}`)) }))}
          chosen={view}
          choose={showView}
        />
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
