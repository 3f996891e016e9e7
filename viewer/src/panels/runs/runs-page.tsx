import { lazy, Suspense, useEffect } from 'react'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { FirstRun } from '../first-run/first-run.tsx'
import styles from './runs.module.css'

// A link to one run needs nothing of the list.
const RunsViews = lazy(() => import('./runs-views.tsx'))

export function RunsPage() {
  const { actions } = useViewer()
  const runs = useFacts((state) => state.runs)
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label="Runs">
      <PanelBoundary name="runs">
        {runs === undefined ? (
          <p className={styles.waiting}>Waiting for the collector…</p>
        ) : runs.size === 0 ? (
          <FirstRun />
        ) : (
          <Suspense fallback={<p className={styles.waiting}>Reading the runs…</p>}>
            <RunsViews />
          </Suspense>
        )}
      </PanelBoundary>
    </main>
  )
}
