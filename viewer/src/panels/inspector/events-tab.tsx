import type { Envelope, InstancePicture } from '@graphmind-ai/schema'
import { eventWords } from '../../model/event-words.ts'
import { clock, duration } from '../../model/format.ts'
import { prettyJson } from '../../model/values.ts'
import { Fold } from '../../ui/fold.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './inspector.module.css'

/** What was told about this instance, in order: its life, and who held it and let it go. */
export function EventsTab({ instance }: { instance: InstancePicture }) {
  const events = useFacts((state) => state.run?.log.get(instance.id))
  const startedAt = useFacts((state) => state.run?.picture.startedAt) ?? instance.startedAt
  // The log grows in place; the instance is replaced whenever something was told about it.
  const shown: readonly Envelope[] = events === undefined ? [] : [...events]
  return (
    <>
      <ol className={styles.events} aria-label="Events">
        {shown.map((event) => (
          <li key={event.seq}>
            <Fold
              part={`event ${event.type}`}
              summary={
                <>
                  <span className={styles.when} title={clock(event.ts)}>
                    +{duration(Math.max(0, event.ts - startedAt))}
                  </span>
                  <span>{eventWords(event)}</span>
                  <span className={styles.quiet}>#{event.seq}</span>
                </>
              }
            >
              <pre className={styles.frames}>{prettyJson(event)}</pre>
            </Fold>
          </li>
        ))}
      </ol>
      {instance.stream !== undefined && <p className={styles.quiet}>{instance.stream.chunks} streamed pieces are left out of this list.</p>}
    </>
  )
}
