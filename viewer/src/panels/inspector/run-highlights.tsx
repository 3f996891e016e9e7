import type { InstancePicture, RunPicture } from '@graphmind-ai/schema'
import { memo, useMemo } from 'react'
import { count, duration, exactDuration } from '../../model/format.ts'
import { highlights } from '../../model/highlights.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import { StepLabel } from '../../ui/step-label.tsx'
import { useSelection } from '../../ui/use-selection.ts'
import styles from './inspector.module.css'

const MOST = 5

/** The calls of a run one looks at first: what failed, and what took longest. */
export const RunHighlights = memo(function RunHighlights({ picture, pulse }: { picture: RunPicture; pulse: number }) {
  // The picture changes in place; the pulse says that it did.
  const { failed, failures, slowest } = useMemo(() => (pulse < 0 ? highlights(picture, 0) : highlights(picture, MOST)), [picture, pulse])
  return (
    <>
      <Steps title={failures > MOST ? `Failed, the last ${MOST} of ${count(failures)}` : 'Failed'} steps={failed} detail={failure} />
      <Steps title="Took longest" steps={slowest} detail={() => undefined} />
    </>
  )
})

function failure({ errors }: InstancePicture): string | undefined {
  return errors.at(-1)?.message
}

interface StepsProps {
  readonly title: string
  readonly steps: readonly InstancePicture[]
  readonly detail: (instance: InstancePicture) => string | undefined
}

function Steps({ title, steps, detail }: StepsProps) {
  const { select } = useSelection()
  if (steps.length === 0) return null
  return (
    <section className={styles.highlights}>
      <h3>{title}</h3>
      <ul>
        {steps.map((instance) => (
          <li key={instance.id}>
            <button type="button" onClick={() => select(instance.id)}>
              <StateMark state={instance.status} size={13} />
              <StepLabel instance={instance} />
              <span className={styles.highlightTime} title={exactDuration(instance.durationMs)}>
                {duration(instance.durationMs)}
              </span>
            </button>
            {detail(instance) !== undefined && <p title={detail(instance)}>{detail(instance)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
