import { CirclePause } from 'lucide-react'
import { duration } from '../model/format.ts'
import styles from './held-time.module.css'

/** How long a call was held, beside the time it ran: "+ 1.8 s" with the mark of a hold. Nothing when it never was. */
export function HeldTime({ ms, word = false, icon = !word }: { ms: number; word?: boolean; icon?: boolean }) {
  if (ms < 1) return null
  return (
    <span className={styles.held} data-held="" title={`Held for ${duration(ms)}, not counted as duration`}>
      + {duration(ms)}
      {word && ' held'}
      {icon && <CirclePause size={10} strokeWidth={2} aria-hidden="true" />}
    </span>
  )
}
