import { CloudOff, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './link-banner.module.css'

/** Says when the collector can't be reached or is another than this page came from, and what it last complained about. What is on the screen stays readable. */
export function LinkBanner() {
  const { actions } = useViewer()
  const link = useFacts((state) => state.link)
  const welcomed = useFacts((state) => state.welcomed)
  const problem = useFacts((state) => state.problem)
  const server = useFacts((state) => state.serverVersion)
  const page = useFacts((state) => state.pageVersion)
  const now = useNow(1000, link.phase === 'offline')
  // One failed attempt is a blip; the freshness light already says it.
  const unreachable = link.phase !== 'live' && link.attempt > 1
  return (
    <>
      {unreachable && (
        <div className={styles.banner} role="alert" data-kind="offline">
          <CloudOff size={15} aria-hidden="true" />
          <p>
            <strong>The collector at {window.location.host} can’t be reached.</strong>{' '}
            {welcomed ? 'What you see stays readable but is not fresh.' : 'Start it with npm start or graphmind serve.'}{' '}
            {link.phase === 'offline' ? `Next try in ${Math.max(0, Math.ceil((link.retryAt - now) / 1000))} s.` : 'Trying now…'}
          </p>
          <Button onClick={actions.retryNow}>Try now</Button>
        </div>
      )}
      {server !== page && (
        <div className={styles.banner} role="alert" data-kind="problem">
          <p>
            <strong>
              The collector is now version {server}; this page is of version {page}.
            </strong>{' '}
            Reload it, so that both speak of the same.
          </p>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
      )}
      {problem !== undefined && (
        <div className={styles.banner} role="alert" data-kind="problem">
          <p>{problem}</p>
          <IconButton label="Dismiss" onClick={actions.dismissProblem}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </>
  )
}
