import { asList, asNumber, asObject, asText } from '../../link/guards.ts'
import { count, exactly } from '../../model/format.ts'
import { usePolled } from '../../ui/use-polled.ts'
import styles from './first-run.module.css'

const EVERY_MS = 2000

interface IngestStats {
  readonly requests: number
  readonly accepted: number
  readonly refused: number
  readonly lastRefusal: string | undefined
}

/** What the collector has heard so far, so that "nothing arrives" and "it is refused" can be told apart. */
export function IngestCounters() {
  const stats = usePolled('/api/ingest/stats', EVERY_MS, readStats)
  if (stats === undefined) return <p>Listening.</p>
  return (
    <div role="status" aria-label="Requests so far">
      <p className={styles.counters}>
        <span>
          <strong title={exactly(stats.requests)}>{count(stats.requests)}</strong> {stats.requests === 1 ? 'request' : 'requests'}
        </span>
        <span>
          <strong title={exactly(stats.accepted)}>{count(stats.accepted)}</strong> records accepted
        </span>
        <span className={stats.refused > 0 ? styles.refused : undefined}>
          <strong title={exactly(stats.refused)}>{count(stats.refused)}</strong> refused
        </span>
      </p>
      {stats.lastRefusal !== undefined && <p className={styles.refused}>Last refusal: {stats.lastRefusal}</p>}
    </div>
  )
}

/** Sums the collector's counters over traces, logs and metrics. */
function readStats(value: unknown): IngestStats | undefined {
  const signals = asObject(asObject(value)?.['signals'])
  if (signals === undefined) return undefined
  const sum = { requests: 0, accepted: 0, refused: 0 }
  const statuses = new Set<string>()
  let lastReason: string | undefined
  for (const signal of Object.values(signals)) {
    const counters = asObject(signal)
    const refused = asObject(counters?.['refused']) ?? {}
    sum.requests += asNumber(counters?.['requests']) ?? 0
    sum.accepted += asNumber(counters?.['accepted']) ?? 0
    sum.refused += asNumber(counters?.['rejected']) ?? 0
    for (const [status, times] of Object.entries(refused)) {
      sum.refused += asNumber(times) ?? 0
      statuses.add(status)
    }
    lastReason = asText(asList(counters?.['lastReasons'])?.at(-1)) ?? lastReason
  }
  const answers = statuses.size === 0 ? undefined : `whole requests were answered with ${[...statuses].join(', ')}`
  return { ...sum, lastRefusal: lastReason ?? answers }
}
