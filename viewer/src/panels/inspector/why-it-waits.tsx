import type { InstancePicture, LoopEvidence, PausePicture } from '@graphmind-ai/schema'
import { CirclePause } from 'lucide-react'
import { breakpointWords } from '../../model/breakpoints.ts'
import { loopCalls, loopWords } from '../../model/loops.ts'
import { whyItWaits } from '../../model/pauses.ts'
import { prettyJson } from '../../model/values.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'

/** While the call is held: by what, and the evidence. */
export function WhyItWaits({ instance }: { instance: InstancePicture }) {
  const pause = useFacts((state) => {
    const id = instance.pauseIds.findLast((pauseId) => state.run?.picture.pauses.get(pauseId)?.released === undefined)
    return id === undefined ? undefined : state.run?.picture.pauses.get(id)
  })
  if (pause === undefined) return null
  return (
    <section className={styles.why} aria-label="Why it waits">
      {/* What waits and since when stands above, and in the bar; here is what neither says. */}
      <p className={styles.whyHead}>
        <CirclePause size={15} aria-hidden="true" />
        <span>
          <strong>{pause.error === undefined ? whyItWaits(pause) : failureWords(pause)}</strong>
          {pause.error !== undefined && ' The agent has not seen the error yet.'}
        </span>
      </p>
      {pause.error !== undefined && <ErrorCard error={pause.error} node={instance} held={pause} />}
      {pause.loop !== undefined && <LoopCalls loop={pause.loop} />}
    </section>
  )
}

function failureWords(pause: PausePicture): string {
  if (pause.smart !== undefined) return whyItWaits(pause)
  if (pause.matcher === undefined) return 'The call failed, and pause on error is set.'
  return `The breakpoint “${breakpointWords(pause.matcher)}” was hit.`
}

/** The calls that make it a loop, so that one can see what is the same about them. */
function LoopCalls({ loop }: { loop: LoopEvidence }) {
  const { select } = useSelection()
  const picture = useFacts((state) => state.run?.picture)
  return (
    <>
      <p>{loopWords(loop)}</p>
      <div className={styles.evidence}>
        {loopCalls(loop).map(({ title, instanceId }) => {
          const call = instanceId === undefined ? undefined : picture?.instances.get(instanceId)
          if (call === undefined) return null
          return (
            <div key={title}>
              <h3>
                <button type="button" className={styles.link} onClick={() => select(call.id)}>
                  {title}
                </button>{' '}
                {loop.kind === 'cycle' && call.name}
              </h3>
              <pre className={styles.evidenceValue}>{prettyJson(call.input)}</pre>
              <pre className={styles.evidenceValue}>{outcomeWords(call)}</pre>
            </div>
          )
        })}
      </div>
    </>
  )
}

function outcomeWords({ errors, output }: InstancePicture): string {
  const error = errors.at(-1)
  if (error !== undefined) return `${error.name}: ${error.message}`
  return output === undefined ? 'no result yet' : prettyJson(output)
}
