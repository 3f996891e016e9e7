import { asList, asNumber, asObject, asText } from '../../link/guards.ts'
import { count, exactly, MISSING, plural } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import { useFetched } from '../../ui/use-fetched.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { IngestCounters } from '../first-run/ingest-counters.tsx'
import styles from './settings.module.css'

/** What the server behind this page is and holds. */
export function AboutCollector() {
  const session = useFetched('/api/session', readSession)
  const stats = useFetched('/api/ingest/stats', readWaiting)
  const runs = useFacts((state) => state.runs)
  const live = useFacts((state) => state.link.phase === 'live')
  const { fetched } = session
  const waiting = stats.fetched.state === 'ready' ? stats.fetched.value : undefined
  const refresh = () => {
    session.again()
    stats.again()
  }
  return (
    <section aria-labelledby="settings-collector">
      <h2 id="settings-collector">Collector</h2>
      {fetched.state === 'failed' ? (
        <p role="alert">
          {fetched.problem} <Button onClick={refresh}>Try again</Button>
        </p>
      ) : (
        <dl className={styles.facts}>
          <dt>Address</dt>
          <dd>
            <code>{window.location.origin}</code>, {live ? 'connected' : 'not connected'}
          </dd>
          <dt>Version</dt>
          <dd>{fetched.state === 'ready' ? fetched.value.version : MISSING}</dd>
          <dt>You are</dt>
          <dd>{fetched.state === 'ready' ? fetched.value.principal : MISSING}</dd>
          <dt>It can</dt>
          <dd>{fetched.state === 'ready' ? fetched.value.capabilities.join(', ') || 'only show runs' : MISSING}</dd>
          <dt>Runs in the list</dt>
          <dd>{runs === undefined ? MISSING : exactly(runs.size)}</dd>
          <dt>Not stored yet</dt>
          <dd>{waiting === undefined ? MISSING : `${count(waiting.bytes)} bytes`}</dd>
          <dt>Stored, not read yet</dt>
          <dd>{waiting === undefined ? MISSING : plural(waiting.spans, 'span')}</dd>
        </dl>
      )}
      <h3>Received since it started</h3>
      <IngestCounters />
      <p className={styles.note}>
        Where runs are kept and for how long is set where the collector is started: <code>graphmind serve --db</code>,{' '}
        <code>GRAPHMIND_KEEP_RUNS</code>, <code>GRAPHMIND_KEEP_DAYS</code> and <code>GRAPHMIND_KEEP_BYTES</code>.{' '}
        <code>graphmind doctor</code> shows them all.
      </p>
    </section>
  )
}

function readSession(value: unknown) {
  const session = asObject(value)
  const version = asText(session?.['version'])
  if (session === undefined || version === undefined) return undefined
  const capabilities = (asList(session['hubCapabilities']) ?? []).filter((item): item is string => typeof item === 'string')
  return { version, principal: principalOf(session['principal']), capabilities }
}

function principalOf(value: unknown): string {
  return asText(value) ?? asText(asObject(value)?.['name']) ?? asText(asObject(value)?.['id']) ?? MISSING
}

function readWaiting(value: unknown) {
  const stats = asObject(value)
  return stats === undefined ? undefined : { bytes: asNumber(stats['waitingBytes']) ?? 0, spans: asNumber(stats['waitingSpans']) ?? 0 }
}
