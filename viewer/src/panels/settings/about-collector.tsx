import { asList, asNumber, asObject, asText } from '../../link/guards.ts'
import { type Retention, readServerFacts, SERVER_PATH, type ServerFacts } from '../../link/server-api.ts'
import { bytes, count, MISSING, plural } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import { useFetched } from '../../ui/use-fetched.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { IngestCounters } from '../first-run/ingest-counters.tsx'
import styles from './settings.module.css'

/** What the server behind this page is and holds. */
export function AboutCollector() {
  const server = useFetched(SERVER_PATH, readServerFacts)
  const session = useFetched('/api/session', readSession)
  const stats = useFetched('/api/ingest/stats', readWaiting)
  const live = useFacts((state) => state.link.phase === 'live')
  const { fetched } = server
  const facts = fetched.state === 'ready' ? fetched.value : undefined
  const may = session.fetched.state === 'ready' ? session.fetched.value : undefined
  const waiting = stats.fetched.state === 'ready' ? stats.fetched.value : undefined
  const refresh = () => {
    server.again()
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
          <dd>{facts === undefined ? MISSING : versionWords(facts)}</dd>
          <dt>Listens on</dt>
          <dd>{facts?.bound.join(', ') || MISSING}</dd>
          <dt>Who may talk to it</dt>
          <dd>{facts === undefined ? MISSING : callersWords(facts)}</dd>
          <dt>You are</dt>
          <dd>{may?.principal ?? MISSING}</dd>
          <dt>It can</dt>
          <dd>{may === undefined ? MISSING : may.capabilities.join(', ') || 'only show runs'}</dd>
          <dt>Agents and commands may</dt>
          <dd>{may?.agents ?? MISSING}</dd>
        </dl>
      )}
      <h3>Store</h3>
      <dl className={styles.facts}>
        <dt>Database</dt>
        <dd>{facts === undefined ? MISSING : <code>{facts.store.path}</code>}</dd>
        <dt>Size</dt>
        <dd>{facts === undefined ? MISSING : sizeWords(facts)}</dd>
        <dt>State</dt>
        <dd>{facts === undefined ? MISSING : (facts.store.problem ?? facts.store.warning?.message ?? 'takes what comes')}</dd>
        <dt>Kept</dt>
        <dd>{facts === undefined ? MISSING : keptWords(facts.retention)}</dd>
        <dt>Not stored yet</dt>
        <dd>{bytes(waiting?.bytes)}</dd>
        <dt>Stored, not read yet</dt>
        <dd>{waiting === undefined ? MISSING : plural(waiting.spans, 'record')}</dd>
      </dl>
      <h3>Received since it started</h3>
      <IngestCounters />
      <p className={styles.note}>
        These are set where the collector is started: <code>graphmind serve --db</code>, <code>GRAPHMIND_KEEP_RUNS</code>,{' '}
        <code>GRAPHMIND_KEEP_DAYS</code>, <code>GRAPHMIND_KEEP_BYTES</code>, <code>GRAPHMIND_TOKEN</code>. <code>graphmind doctor</code>{' '}
        checks them.
      </p>
    </section>
  )
}

function versionWords({ version, node }: ServerFacts): string {
  return node === undefined ? version : `${version}, on Node ${node}`
}

function callersWords({ asksForToken, allowedHosts, allowedOrigins }: ServerFacts): string {
  const more = [...allowedHosts, ...allowedOrigins]
  const who = asksForToken ? 'who shows its token' : 'every program of this machine'
  return more.length === 0 ? who : `${who}; also under ${more.join(', ')}`
}

function sizeWords({ store, retention }: ServerFacts): string {
  const most = retention?.maxBytes === undefined ? '' : ` of ${bytes(retention.maxBytes)}`
  const free = store.diskFreeBytes === undefined ? '' : `; ${bytes(store.diskFreeBytes)} free on its disk`
  return `${bytes(store.bytes)}${most}${free}`
}

const DAY_MS = 86_400_000

/** What stays by itself. */
function keptWords(retention: Retention | undefined): string {
  if (retention === undefined) return 'everything'
  const { runs, otherRuns, maxAgeMs, maxBytes } = retention
  const limits = [
    runs === undefined ? undefined : `the newest ${plural(runs, otherRuns === undefined ? 'run' : 'agent run')}`,
    otherRuns === undefined ? undefined : `${count(otherRuns)} of plain web traffic`,
    maxAgeMs === undefined ? undefined : `${plural(maxAgeMs / DAY_MS, 'day')} at most`,
    maxBytes === undefined ? undefined : `within ${bytes(maxBytes)}`,
  ].filter((limit) => limit !== undefined)
  return limits.length === 0 ? 'everything' : `${limits.join(', ')}; pinned runs always`
}

function readSession(value: unknown) {
  const session = asObject(value)
  if (session === undefined) return undefined
  const capabilities = (asList(session['hubCapabilities']) ?? []).filter((item): item is string => typeof item === 'string')
  return { principal: principalOf(session['principal']), capabilities, agents: agentsMay(session['agentLevel']) }
}

function agentsMay(level: unknown): string {
  switch (level) {
    case 'off':
      return 'look, not release held calls'
    case 'resume':
      return 'release held calls'
    case 'inject':
      return 'release held calls and give outputs'
    case 'edit':
      return 'release held calls, give outputs and edit inputs'
    default:
      return MISSING
  }
}

function principalOf(value: unknown): string {
  return asText(value) ?? asText(asObject(value)?.['name']) ?? asText(asObject(value)?.['id']) ?? MISSING
}

function readWaiting(value: unknown) {
  const stats = asObject(value)
  return stats === undefined ? undefined : { bytes: asNumber(stats['waitingBytes']) ?? 0, spans: asNumber(stats['waitingSpans']) ?? 0 }
}
