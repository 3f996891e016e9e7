import type { InstancePicture } from '@graphmind-ai/schema'
import { useMemo } from 'react'
import { plural } from '../../model/format.ts'
import { useSentSpan } from '../../ui/use-sent-span.ts'
import { ValueView } from '../../ui/value-view.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './inspector.module.css'

/** All that is known of the instance, as it is, with fields this version has no place for; then the span it was read from. */
export function RawTab({ instance }: { instance: InstancePicture }) {
  const { recorded } = useViewer()
  const picture = useFacts((state) => state.run?.picture)
  const runId = useFacts((state) => state.run?.runId)
  const raw = useMemo(() => {
    const { extra, ...known } = instance
    const pauses = instance.pauseIds.map((id) => picture?.pauses.get(id)).filter((pause) => pause !== undefined)
    return { ...known, ...(pauses.length > 0 ? { pauses } : {}), attributes: extra }
  }, [instance, picture])
  return (
    <>
      <ValueView label="Everything known" value={raw} missing="nothing" />
      {recorded === undefined && runId !== undefined && <SpanAsSent runId={runId} instance={instance} />}
    </>
  )
}

/** The span with its attributes, events, links, resource and scope, as its program sent it. */
function SpanAsSent({ runId, instance }: { runId: string; instance: InstancePicture }) {
  const fetched = useSentSpan(runId, instance)
  if (fetched.state === 'loading') return <p className={styles.quiet}>Loading the span…</p>
  if (fetched.state === 'failed') return <p className={styles.quiet}>The span could not be read. {fetched.problem}</p>
  const { span, reading } = fetched.value
  return (
    <>
      {reading !== undefined && (
        <section aria-labelledby="raw-reading">
          <h3 id="raw-reading">Mapping</h3>
          <p>
            Read as <code>{reading.dialect}</code>.{' '}
            {reading.unread.length === 0
              ? 'It looked at every attribute of the span.'
              : `It did not look at ${plural(reading.unread.length, 'attribute')} of the span:`}
          </p>
          {reading.unread.length > 0 && (
            <ul className={styles.unread}>
              {reading.unread.map((key) => (
                <li key={key}>
                  <code>{key}</code>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      <ValueView
        label="Span as it was sent"
        value={span}
        missing="This call came over the control link alone; no span of it was received."
      />
    </>
  )
}
