import type { InstancePicture } from '@graphmind-ai/schema'
import { CirclePause } from 'lucide-react'
import { breakpointWords } from '../../model/breakpoints.ts'
import { ticking } from '../../model/format.ts'
import { pauseTitle, whyItWaits } from '../../model/pauses.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'

/** While the call is held: by what, since when, and the evidence. */
export function WhyItWaits({ instance }: { instance: InstancePicture }) {
  const pause = useFacts((state) => {
    const id = instance.pauseIds.findLast((pauseId) => state.run?.picture.pauses.get(pauseId)?.released === undefined)
    return id === undefined ? undefined : state.run?.picture.pauses.get(id)
  })
  const now = useNow(100, pause !== undefined)
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
          <p>
            {pause.matcher === undefined
              ? 'The call failed, and pause on error is set'
              : `The breakpoint “${breakpointWords(pause.matcher)}” was hit`}
            . The agent has not seen the error yet.
          </p>
          <ErrorCard error={pause.error} />
        </>
      )}
    </section>
  )
}
