import { count, wholeSeconds } from '../../model/format.ts'
import { detachedReason } from '../../model/states.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './top-bar.module.css'

/** The one light that says how fresh the screen is. */
export function Freshness() {
  const link = useFacts((state) => state.link)
  const history = useFacts((state) => state.history)
  const past = useFacts((state) => state.run?.asOf !== undefined)
  const unreadable = useFacts((state) => state.unreadable)
  const late = useFacts((state) => state.behind)
  // An agent that once could be controlled and is gone: what is on the screen may be all that comes.
  const detached = useFacts(({ run, runs }) => {
    const info = run === undefined || run.asOf !== undefined ? undefined : runs?.get(run.runId)
    return info?.status === 'running' && !info.live && info.detachedSince !== undefined ? detachedReason(info) : undefined
  })
  const now = useNow(1000, link.phase === 'offline' || late !== undefined)
  const behind = late !== undefined && now < late.until ? late : undefined
  const [light, words] =
    link.phase === 'offline'
      ? ['offline', `Offline, next try in ${Math.max(0, Math.ceil((link.retryAt - now) / 1000))} s`]
      : link.phase === 'connecting'
        ? ['connecting', 'Connecting']
        : history !== undefined && history.total > 0
          ? ['catching', `Catching up ${count(history.done)}/${count(history.total)}`]
          : past
            ? ['past', 'Replaying']
            : behind !== undefined
              ? ['behind', `Behind ${wholeSeconds(behind.ms)}`]
              : detached !== undefined
                ? ['detached', 'Detached']
                : ['live', 'Live']
  const lost = unreadable === 0 ? '' : ` ${count(unreadable)} messages of the collector could not be read.`
  const why = behind === undefined ? '' : ' The last events of this run came that much later than its quickest ones.'
  const gone = detached === undefined ? '' : ` ${detached}`
  return (
    <span className={styles.fresh} data-light={light} title={`The link to the collector.${why}${gone}${lost}`}>
      <span className={styles.dot} aria-hidden="true" />
      {words}
      {unreadable > 0 && <span className={styles.warn}>· {count(unreadable)} unreadable</span>}
    </span>
  )
}
