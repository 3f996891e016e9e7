import { CircleQuestionMark, Info } from 'lucide-react'
import { ago, count } from '../../model/format.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './workbench.module.css'

/** Lines that put the whole run into its light: abandoned, imported, parts lost, nothing there yet. */
export function RunNotes() {
  const run = useFacts((state) => state.run)
  const info = useFacts((state) => (state.run === undefined ? undefined : state.runs?.get(state.run.runId)))
  const abandoned = info?.status === 'abandoned'
  const now = useNow(10_000, abandoned)
  if (run === undefined) return null
  const lost = run.picture.gaps.reduce((sum, gap) => sum + gap.droppedCount, 0)
  return (
    <>
      {abandoned && (
        <p className={styles.note}>
          <CircleQuestionMark size={14} aria-hidden="true" />
          No end was seen, and nothing came for a while. Last heard {ago(info.finishedAt ?? info.startedAt, now)}. If more arrives, the run
          goes on.
        </p>
      )}
      {info?.source === 'import' && (
        <p className={styles.note}>
          <Info size={14} aria-hidden="true" />
          Imported: read and compare. There is no agent behind it, so nothing can be held.
        </p>
      )}
      {lost > 0 && (
        <p className={styles.note} data-tone="warn">
          <Info size={14} aria-hidden="true" />
          {count(lost)} events were lost before they reached the collector ({run.picture.gaps.at(-1)?.reason}). What you see may have holes.
        </p>
      )}
    </>
  )
}
