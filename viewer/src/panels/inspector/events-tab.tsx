import type { Envelope, InstancePicture } from '@graphmind-ai/schema'
import { type SpanEvent, spanEventsOf } from '../../link/read-sent-span.ts'
import { eventWords } from '../../model/event-words.ts'
import { clock, count, duration, plural } from '../../model/format.ts'
import { valueWithoutBase64 } from '../../model/media.ts'
import { type CallEvent, withSpanEvents } from '../../model/span-events.ts'
import { prettyJson } from '../../model/values.ts'
import { Fold } from '../../ui/fold.tsx'
import { useSentSpan } from '../../ui/use-sent-span.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './inspector.module.css'

/** How many events of its own a call may have in the list; Raw has them all. */
const MOST_OWN = 200
const NONE: readonly SpanEvent[] = []

/** What happened in this call, in order: its life, who held it and let it go, and what its program noted. */
export function EventsTab({ instance }: { instance: InstancePicture }) {
  const { recorded } = useViewer()
  const runId = useFacts((state) => state.run?.runId)
  // A recording has no server to ask.
  if (recorded !== undefined || runId === undefined) return <EventList instance={instance} own={NONE} />
  return <WithSpanEvents runId={runId} instance={instance} />
}

function WithSpanEvents({ runId, instance }: { runId: string; instance: InstancePicture }) {
  const fetched = useSentSpan(runId, instance)
  const { events, dropped } = spanEventsOf(fetched.state === 'ready' ? fetched.value.span : undefined)
  const more = Math.max(0, events.length - MOST_OWN)
  return (
    <>
      <EventList instance={instance} own={events.slice(0, MOST_OWN)} />
      {fetched.state === 'failed' && (
        <p className={styles.quiet}>What the program noted during this call could not be read. {fetched.problem}</p>
      )}
      {more > 0 && (
        <p className={styles.quiet}>
          {count(more)} more that the program noted {more === 1 ? 'is' : 'are'} under Raw.
        </p>
      )}
      {dropped > 0 && <p className={styles.quiet}>The program noted {count(dropped)} more that did not arrive.</p>}
    </>
  )
}

function EventList({ instance, own }: { instance: InstancePicture; own: readonly SpanEvent[] }) {
  const log = useFacts((state) => state.run?.log.get(instance.id))
  const startedAt = useFacts((state) => state.run?.picture.startedAt) ?? instance.startedAt
  return (
    <>
      <ol className={styles.events} aria-label="Events">
        {withSpanEvents(log ?? [], own).map((event) => (
          <li key={event.key}>
            <EventFold event={event} startedAt={startedAt} />
          </li>
        ))}
      </ol>
      {instance.stream !== undefined && (
        <p className={styles.quiet}>{plural(instance.stream.chunks, 'streamed piece')} left out of this list.</p>
      )}
    </>
  )
}

function EventFold({ event, startedAt }: { event: CallEvent; startedAt: number }) {
  const told = event.type === 'told' ? toldWords(event.envelope) : ownWords(event.noted)
  return (
    <Fold
      part={`event ${told.name}`}
      summary={
        <>
          <span className={styles.when} title={clock(event.at)}>
            +{duration(Math.max(0, event.at - startedAt))}
          </span>
          <span>{told.words}</span>
          <span className={styles.quiet}>{told.mark}</span>
        </>
      }
    >
      <pre className={styles.frames}>{prettyJson(told.body)}</pre>
    </Fold>
  )
}

function toldWords(envelope: Envelope) {
  return { name: envelope.type, words: eventWords(envelope), mark: `#${envelope.seq}`, body: envelope }
}

function ownWords({ name, attributes }: SpanEvent) {
  return {
    name: `noted ${name}`,
    words: name === '' ? 'An event without a name' : name,
    mark: 'noted',
    body: valueWithoutBase64(attributes),
  }
}
