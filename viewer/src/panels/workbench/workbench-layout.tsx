import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useScreen } from '../../ui/use-screen.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { BreakpointsPanel } from '../breakpoints/breakpoints-panel.tsx'
import { Centre } from './centre.tsx'
import { InspectorPart, OutlinePart } from './parts.tsx'
import styles from './workbench.module.css'

/** Three columns on a wide screen, two on a middling one, tabs on a narrow one. */
export function WorkbenchLayout() {
  const screen = useScreen()
  if (screen === 'narrow') return <TabbedLayout />
  return <ColumnLayout key={screen} wide={screen === 'wide'} />
}

function ColumnLayout({ wide }: { wide: boolean }) {
  const outline = useWorkbench((state) => state.outline)
  const inspector = useWorkbench((state) => state.inspector)
  const panelIds = [...(wide && outline ? ['side'] : []), 'centre', ...(inspector ? ['inspector'] : [])]
  const saved = useDefaultLayout({ id: wide ? 'gm:wide' : 'gm:middle', panelIds, ...savedOn })
  return (
    <Group className={styles.columns} defaultLayout={saved.defaultLayout} onLayoutChanged={saved.onLayoutChanged}>
      {wide && outline && (
        <>
          <Panel id="side" defaultSize="20%" minSize={200} className={styles.column}>
            <Side />
          </Panel>
          <Separator className={styles.handle} aria-label="Resize the outline" />
        </>
      )}
      <Panel id="centre" minSize={260} className={styles.column}>
        {wide || !outline ? <Centre /> : <GraphOverSide />}
      </Panel>
      {inspector && (
        <>
          <Separator className={styles.handle} aria-label="Resize the inspector" />
          <Panel id="inspector" defaultSize={wide ? '34%' : '50%'} minSize={300} className={styles.column}>
            <InspectorPart />
          </Panel>
        </>
      )}
    </Group>
  )
}

const savedOn = { onlySaveAfterUserInteractions: true } as const

function GraphOverSide() {
  const both = useSelection().view === 'both'
  // Graph and timeline need more than one of them does.
  const saved = useDefaultLayout({ id: both ? 'gm:stack-both' : 'gm:stack', ...savedOn })
  return (
    <Group key={String(both)} orientation="vertical" defaultLayout={saved.defaultLayout} onLayoutChanged={saved.onLayoutChanged}>
      <Panel id="graph" defaultSize={both ? '70%' : '52%'} minSize={140} className={styles.column}>
        <Centre />
      </Panel>
      <Separator className={styles.handle} aria-label="Resize the graph" />
      <Panel id="side" minSize={120} className={styles.column}>
        <Side beside />
      </Panel>
    </Group>
  )
}

function TabbedLayout() {
  const { instanceId } = useSelection()
  const [tab, setTab] = useState('graph')
  // With one column, selecting something means to look at it.
  useEffect(() => {
    if (instanceId !== undefined) setTab('inspector')
  }, [instanceId])
  return (
    <Tabs.Root className={styles.tabbed} value={tab} onValueChange={setTab}>
      <Tabs.List className={styles.tabs} aria-label="Parts of the run">
        <Tabs.Trigger value="graph">Run</Tabs.Trigger>
        <Tabs.Trigger value="outline">Outline</Tabs.Trigger>
        <Tabs.Trigger value="inspector">Inspector</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="graph" className={styles.tabBody}>
        <Centre />
      </Tabs.Content>
      <Tabs.Content value="outline" className={styles.tabBody}>
        <Side />
      </Tabs.Content>
      <Tabs.Content value="inspector" className={styles.tabBody}>
        <InspectorPart />
      </Tabs.Content>
    </Tabs.Root>
  )
}

/** Breakpoints and outline: one above the other in a column, side by side where there is more width than height. */
function Side({ beside = false }: { beside?: boolean }) {
  const { recorded } = useViewer()
  return (
    <div className={styles.side} data-beside={beside}>
      {recorded === undefined && (
        <PanelBoundary name="breakpoints">
          <BreakpointsPanel />
        </PanelBoundary>
      )}
      <OutlinePart />
    </div>
  )
}
