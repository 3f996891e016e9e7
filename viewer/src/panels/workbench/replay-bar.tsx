import { History } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { eventWords } from '../../model/event-words.ts'
import { duration } from '../../model/format.ts'
import { Button, withKey } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './workbench.module.css'

/** The slider through the run's events: graph, timeline and inspector show the run as it was after the chosen one. */
export function ReplayBar() {
  const keyOf = useKeyOf()
  const stepKeys = [keyOf('replay.back'), keyOf('replay.on')].filter(Boolean).join(' and ') || undefined
  const { actions } = useViewer()
  const { asOf, showAsOf } = useSelection()
  const run = useFacts((state) => state.run)
  const waitsNow = useFacts((state) => (state.run === undefined ? 0 : (state.runs?.get(state.run.runId)?.held ?? 0)))
  const ready = run?.phase === 'ready'
  useEffect(() => {
    if (ready) actions.replayTo(asOf)
  }, [actions, asOf, ready])
  const events = run?.events
  const known = events?.length ?? 0
  const at = useMemo(
    () =>
      asOf === undefined || events === undefined ? known - 1 : events.findLastIndex((event, index) => index < known && event.seq <= asOf),
    [events, known, asOf],
  )
  if (events === undefined || known === 0) return null
  const event = events[at]
  const words = asOf === undefined || event === undefined ? 'Now' : momentWords(event)
  const past = asOf !== undefined
  return (
    <div className={styles.replay} data-past={past}>
      {past && (
        <span className={styles.moment} title={words}>
          {waitsNow > 0 && <strong title="A call waits now. Esc leads back to it.">Held now · </strong>}
          {event === undefined ? 'Before the first event' : `+${duration(Math.max(0, event.ts - (events[0]?.ts ?? event.ts)))} · ${words}`}
        </span>
      )}
      {!past && <History size={14} aria-hidden="true" />}
      <input
        type="range"
        aria-label="Replay"
        aria-valuetext={`${words}, event ${at + 1} of ${known}`}
        title={withKey('Show the run as it was', stepKeys)}
        min={0}
        max={known - 1}
        value={Math.max(0, at)}
        onChange={({ target }) => {
          const chosen = Number(target.value)
          showAsOf(chosen >= known - 1 ? undefined : events[chosen]?.seq)
        }}
      />
      {past && (
        <Button look="primary" title={withKey('Back to now', 'Esc')} onClick={() => showAsOf(undefined)}>
          Now
        </Button>
      )}
    </div>
  )
}

function momentWords(event: Parameters<typeof eventWords>[0]): string {
  const { payload } = event
  const name = typeof payload === 'object' && payload !== null && 'name' in payload && typeof payload.name === 'string' ? payload.name : ''
  return `${eventWords(event)}${name === '' ? '' : ` ${name}`}`
}
