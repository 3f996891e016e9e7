import { lazy, Suspense, useEffect } from 'react'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { FirstRun } from '../first-run/first-run.tsx'
import styles from './runs.module.css'

// A link to one run needs nothing of the list.
const RunsViews = lazy(() => import('./runs-views.tsx'))

export function RunsPage() {
  const { actions } = useViewer()
  const isKnown = useFacts((state) => state.runs !== undefined)
  const hasHadRuns = useFacts(({ runs, removedRuns }) => (runs?.size ?? 0) + removedRuns.size > 0)
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label="Runs">
      <PanelBoundary name="runs">
        {!isKnown ? (
          <p className={styles.waiting}>Waiting for the collector…</p>
        ) : hasHadRuns ? (
          <Suspense fallback={<p className={styles.waiting}>Reading the runs…</p>}>
            <RunsViews />
          </Suspense>
        ) : (
          <FirstRun />
        )}
      </PanelBoundary>
    </main>
  )
}
