import { useEffect } from 'react'
import { Link } from 'wouter'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { PauseBar } from '../pause-bar/pause-bar.tsx'
import { OnePanel } from './one-panel.tsx'
import { RunNotes } from './run-notes.tsx'
import styles from './workbench.module.css'
import { WorkbenchLayout } from './workbench-layout.tsx'

/** One run: breakpoints and outline, graph and inspector, or one of them alone, and the pause bar when something waits. */
export function WorkbenchPage({ runId }: { runId: string }) {
  const { actions, workbench, recorded } = useViewer()
  useEffect(() => {
    actions.openRun(runId)
    // With the run, and not when the page begins: an editor stays open over a reload.
    return () => workbench.setState({ waiterId: undefined, editor: undefined, breakpointEditor: undefined, confirmAbort: undefined })
  }, [actions, workbench, runId])
  const { panel } = useSelection()
  const phase = useFacts((state) => (state.run?.runId === runId ? state.run.phase : 'loading'))
  const problem = useFacts((state) => state.run?.problem)
  useEffect(() => {
    if (phase === 'ready') requestAnimationFrame(() => performance.mark('gm:run-shown'))
  }, [phase])
  if (phase === 'missing') return <MissingRun runId={runId} problem={problem} />
  return (
    <main id="main" className={styles.page} aria-label="Run">
      <RunNotes />
      {panel === undefined ? <WorkbenchLayout /> : <OnePanel panel={panel} />}
      {recorded === undefined && <PauseBar />}
    </main>
  )
}

function MissingRun({ runId, problem }: { runId: string; problem: string | undefined }) {
  return (
    <main id="main" className={styles.missing} aria-label="Run">
      <h1>This run is not here</h1>
      <p>
        The collector knows no run <code>{runId}</code>. It may have been deleted or pruned, or it is kept in another database. If it begins
        now, it opens here by itself.
      </p>
      {problem !== undefined && <p className={styles.said}>The collector said: {problem}</p>}
      <p>
        <Link href="/">Go to the runs</Link>
      </p>
    </main>
  )
}
