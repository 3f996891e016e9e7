import type { InstancePicture, LoopEvidence, PausePicture } from '@graphmind-ai/schema'
import { CirclePause } from 'lucide-react'
import { breakpointWords } from '../../model/breakpoints.ts'
import { plural, ticking } from '../../model/format.ts'
import { pauseTitle, whyItWaits } from '../../model/pauses.ts'
import { prettyJson } from '../../model/values.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'

/** While the call is held: by what, since when, and the evidence. */
export function WhyItWaits({ instance }: { instance: InstancePicture }) {
  const pause = useFacts((state) => {
    const id = instance.pauseIds.findLast((pauseId) => state.run?.picture.pauses.get(pauseId)?.released === undefined)
    return id === undefined ? undefined : state.run?.picture.pauses.get(id)
  })
  const now = useRunNow(100, pause !== undefined)
  if (pause === undefined) return null
  return (
    <section className={styles.why} aria-label="Why it waits">
      <p className={styles.whyHead}>
        <CirclePause size={15} aria-hidden="true" />
        <strong>{pauseTitle(pause)}</strong>
      </p>
      {pause.error === undefined ? (
        <p>
          For {ticking(now - pause.since)}. {whyItWaits(pause)}
        </p>
      ) : (
        <>
          <p>{failureWords(pause)} The agent has not seen the error yet.</p>
          <ErrorCard error={pause.error} node={instance} />
        </>
      )}
      {pause.loop !== undefined && <LoopCalls loop={pause.loop} />}
    </section>
  )
}

function failureWords(pause: PausePicture): string {
  if (pause.smart !== undefined) return whyItWaits(pause)
  if (pause.matcher === undefined) return 'The call failed, and pause on error is set.'
  return `The breakpoint “${breakpointWords(pause.matcher)}” was hit.`
}

/** The first and the last of the calls that are alike, so that one can see that nothing has changed between them. */
function LoopCalls({ loop }: { loop: LoopEvidence }) {
  const { select } = useSelection()
  const picture = useFacts((state) => state.run?.picture)
  const calls = [loop.firstInstanceId, loop.lastInstanceId].map((id) => (id === undefined ? undefined : picture?.instances.get(id)))
  return (
    <>
      <p>
        The same call came <strong>{plural(loop.repeats, 'time')}</strong> with the same input.
      </p>
      <div className={styles.evidence}>
        {calls.map(
          (call, at) =>
            call !== undefined && (
              <div key={call.id}>
                <h3>
                  <button type="button" className={styles.link} onClick={() => select(call.id)}>
                    {at === 0 ? 'The first' : 'The last'}
                  </button>
                </h3>
                <pre className={styles.evidenceValue}>{prettyJson(call.input)}</pre>
                <pre className={styles.evidenceValue}>{call.output === undefined ? 'no result yet' : prettyJson(call.output)}</pre>
              </div>
            ),
        )}
      </div>
    </>
  )
}
