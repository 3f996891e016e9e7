import { type PausePicture, type RunPicture, runUsage } from '@graphmind-ai/schema'
import { CircleStop, Unplug } from 'lucide-react'
import { useDeferredValue } from 'react'
import { clock, count, dateTime, exactly, MISSING, ticking } from '../../model/format.ts'
import { heldNow, pauseName, pauseTitle, type Release, releaseWords, whyItWaits } from '../../model/pauses.ts'
import { Button } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useRunPulse } from '../../ui/use-run-pulse.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { ValueView } from '../../ui/value-view.tsx'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { ContextAndCost } from './context-and-cost.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'
import { RunHighlights } from './run-highlights.tsx'

/** Shown while nothing is selected: the run itself, and what waits in it. */
export function RunOverview() {
  const keyOf = useKeyOf()
  const { workbench } = useViewer()
  const waiterId = useWorkbench((state) => state.waiterId)
  const run = useFacts((state) => state.run)
  const info = useFacts((state) => (state.run === undefined ? undefined : state.runs?.get(state.run.runId)))
  const { select } = useSelection()
  const waiting = heldNow(run)
  const current = waiting.find((pause) => pause.pauseId === waiterId) ?? waiting[0]
  const now = useRunNow(100, waiting.length > 0)
  // What looks at all calls comes between the keys.
  const pulse = useDeferredValue(useRunPulse())
  if (run === undefined) return null
  const { picture } = run
  const usage = run.asOf === undefined ? (info?.usage ?? runUsage(picture)) : runUsage(picture)
  // Both are told already: in the title and beside it.
  const { name: _name, source: _source, ...meta } = picture.meta
  return (
    <section className={styles.panel} aria-label="Inspector">
      <div className={styles.body}>
        <h2 className={styles.overviewTitle}>{picture.name ?? info?.name ?? picture.app ?? run.runId}</h2>
        {waiting.map((pause) => (
          <div key={pause.pauseId} className={styles.why}>
            <p className={styles.whyHead}>
              <strong>{pauseTitle(pause)}</strong>
              <span>for {ticking(now - pause.since)}</span>
            </p>
            <p>{whyItWaits(pause)}</p>
            {pause.instanceId !== undefined && (
              <Button
                keyHint={pause === current ? keyOf('pause.jump') : undefined}
                onClick={() => {
                  workbench.setState({ waiterId: pause.pauseId })
                  select(pause.instanceId)
                }}
              >
                Look at it
              </Button>
            )}
          </div>
        ))}
        {notableReleases(picture).map((pause) => (
          <p key={pause.pauseId} className={styles.byItself}>
            {pause.released.cause === 'viewer' ? <CircleStop size={14} aria-hidden="true" /> : <Unplug size={14} aria-hidden="true" />}
            <span>
              <strong>{releaseWords(pause.released)}</strong> · {pauseName(pause)} · {clock(pause.released.at)}
            </span>
          </p>
        ))}
        {picture.error !== undefined && <ErrorCard error={picture.error} />}
        <dl className={styles.overview}>
          <dt>App</dt>
          <dd>{picture.app ?? info?.app ?? MISSING}</dd>
          <dt>SDK</dt>
          <dd>{picture.sdk === undefined ? MISSING : `${picture.sdk.name} ${picture.sdk.version}`}</dd>
          <dt>Started</dt>
          <dd>{picture.startedAt === undefined ? MISSING : dateTime(picture.startedAt)}</dd>
          <dt>Models</dt>
          <dd>{info === undefined || info.models.length === 0 ? MISSING : info.models.join(', ')}</dd>
          <dt>Tokens</dt>
          <dd title={usage === undefined ? undefined : `${exactly(usage.inputTokens)} in, ${exactly(usage.outputTokens)} out`}>
            {usage === undefined ? MISSING : `${count(usage.inputTokens)} in · ${count(usage.outputTokens)} out`}
          </dd>
          <dt>Run id</dt>
          <dd>
            <code>{run.runId}</code>
          </dd>
          {info?.sessionId !== undefined && (
            <>
              <dt>Conversation</dt>
              <dd>
                <code>{info.sessionId}</code>
              </dd>
            </>
          )}
        </dl>
        <ContextAndCost picture={picture} pulse={pulse} />
        <RunHighlights picture={picture} pulse={pulse} />
        {Object.keys(meta).length > 0 && <ValueView label="What the run says of itself" value={meta} missing="nothing" />}
        {picture.unknown.length > 0 && (
          <ValueView label="Events of a newer version, as they came" value={picture.unknown.slice()} missing="nothing" />
        )}
        <p className={styles.quiet}>Select a node or a row to see its messages, input and output.</p>
      </div>
    </section>
  )
}

/** Holds that no person ended, and the one that ended the run; they stay told, also after a reload. */
function notableReleases(picture: RunPicture): readonly (PausePicture & { readonly released: Release })[] {
  const found: (PausePicture & { readonly released: Release })[] = []
  for (const pause of picture.pauses.values()) {
    const { released } = pause
    if (released !== undefined && (released.cause !== 'viewer' || released.action === 'abort')) found.push({ ...pause, released })
  }
  return found
}
