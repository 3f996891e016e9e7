import type { RunPicture } from '@graphmind-ai/schema'
import { CircleQuestionMark, Info } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import { ago, count } from '../../model/format.ts'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './workbench.module.css'

const DEMO_HINTS = [
  { id: 'pause.jump', words: 'looks at the held call,' },
  { id: 'pause.step', words: 'goes on to the next one,' },
  { id: 'pause.inject', words: 'gives it a value,' },
  { id: 'run.compare', words: 'compares the run with another.' },
] as const

/** Lines that put the whole run into its light: abandoned, imported, parts lost, nothing there yet. */
export function RunNotes() {
  const run = useFacts((state) => state.run)
  const info = useFacts((state) => (state.run === undefined ? undefined : state.runs?.get(state.run.runId)))
  const gone = useFacts((state) => state.run !== undefined && state.removedRuns.has(state.run.runId))
  const keyOf = useKeyOf()
  // A history that still arrives may bring the callers later.
  const flat = useMemo(() => info?.source === 'import' && run?.phase === 'ready' && isFlat(run.picture), [info?.source, run])
  const abandoned = info?.status === 'abandoned'
  const now = useNow(10_000, abandoned)
  if (run === undefined) return null
  const lost = run.picture.gaps.reduce((sum, gap) => sum + gap.droppedCount, 0)
  return (
    <>
      {info?.source === 'demo' && info.held > 0 && (
        <p className={styles.note}>
          <Info size={14} aria-hidden="true" />
          <span>
            This is the demo.{' '}
            <span className={styles.byKey}>
              Try it:
              {DEMO_HINTS.map(({ id, words }) => (
                <Fragment key={id}>
                  {' '}
                  {keyOf(id) !== undefined && <kbd className="key-in-text">{keyOf(id)}</kbd>} {words}
                </Fragment>
              ))}
            </span>
          </span>
        </p>
      )}
      {gone && (
        <p className={styles.note} data-tone="warn">
          <Info size={14} aria-hidden="true" />
          The collector no longer has this run: it was deleted or pruned. What this page has read stays until it is loaded again.
        </p>
      )}
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
          {flat && ' No step names the step that called it, so there is no tree: an export with the ids of parents would have one.'}
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

/** Whether there are several steps and none was called by another. Ends at the first that was. */
function isFlat({ instances }: RunPicture): boolean {
  for (const { parentId, parentInstanceId } of instances.values())
    if (parentId !== undefined || parentInstanceId !== undefined) return false
  return instances.size > 1
}
