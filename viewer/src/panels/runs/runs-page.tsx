import { lazy, Suspense, useEffect, useRef } from 'react'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { FirstRun } from '../first-run/first-run.tsx'
import { useOpenNextRun } from '../first-run/use-open-next-run.ts'
import styles from './runs.module.css'

// A link to one run needs nothing of the list.
const RunsViews = lazy(() => import('./runs-views.tsx'))

/** The runs; before any came, and where that page is asked for, how an agent is connected. */
export function RunsPage({ isWelcome = false }: { isWelcome?: boolean }) {
  const { actions } = useViewer()
  const isKnown = useFacts((state) => state.runs !== undefined)
  const hasHadRuns = useFacts(({ runs, removedRuns }) => (runs?.size ?? 0) + removedRuns.size > 0)
  const wasEmpty = useRef(false)
  if (isKnown && !hasHadRuns) wasEmpty.current = true
  useOpenNextRun(isWelcome || wasEmpty.current)
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label={isWelcome ? 'Welcome' : 'Runs'}>
      <PanelBoundary name="runs">
        {!isKnown ? (
          <p className={styles.waiting}>Waiting for the collector…</p>
        ) : hasHadRuns && !isWelcome ? (
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
