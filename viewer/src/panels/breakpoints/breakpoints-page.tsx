import { useEffect } from 'react'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useViewer } from '../../ui/viewer-context.tsx'
import styles from './breakpoints.module.css'
import { BreakpointsPanel } from './breakpoints-panel.tsx'

/** The breakpoints on a page of their own, so that they can be set before anything runs. */
export function BreakpointsPage() {
  const { actions, workbench } = useViewer()
  useEffect(() => {
    actions.openRun(undefined)
    return () => workbench.setState({ breakpointEditor: undefined })
  }, [actions, workbench])
  return (
    <main id="main" className={styles.page}>
      <h1>Breakpoints</h1>
      <p>
        They hold every agent that is attached, in this run and the next, and are the same for every viewer. They live as long as the
        collector runs. A dot at a node or an outline row sets one for just that node.
      </p>
      <PanelBoundary name="breakpoints">
        <BreakpointsPanel titled={false} />
      </PanelBoundary>
    </main>
  )
}
