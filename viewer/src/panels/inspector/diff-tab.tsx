import type { InstancePicture } from '@graphmind-ai/schema'
import { useMemo, useState } from 'react'
import { comparisonsOf, previousOf } from '../../model/comparisons.ts'
import { nodeOf } from '../../model/rows.ts'
import { ComparisonView } from '../../ui/code/comparison-view.tsx'
import { SideBySideBox, useSideBySide } from '../../ui/code/side-by-side.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './inspector.module.css'

/** What changed: against the run of this node before, any other one, or what a person put in its place. */
export function DiffTab({ instance }: { instance: InstancePicture }) {
  const picture = useFacts((state) => state.run?.picture)
  const [otherId, setOtherId] = useState(() => (picture === undefined ? undefined : previousOf(picture, instance)))
  const [chosen, setChosen] = useState<string>()
  const [sideBySide, setSideBySide] = useSideBySide('diff', false)
  const ids = picture === undefined ? [] : (nodeOf(picture, instance.nodeId)?.instanceIds ?? [])
  const comparisons = useMemo(() => (picture === undefined ? [] : comparisonsOf(picture, instance, otherId)), [picture, instance, otherId])
  const shown = comparisons.find(({ id }) => id === chosen) ?? comparisons[0]
  const againstOther = shown?.id !== 'edited' && shown?.id !== 'injected'
  return (
    <>
      <div className={styles.diffTools}>
        {comparisons.length > 1 && (
          <label>
            Compare
            <select value={shown?.id} onChange={({ target }) => setChosen(target.value)}>
              {comparisons.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {ids.length > 1 && (againstOther || shown === undefined) && (
          <label>
            with
            <select value={otherId ?? ''} onChange={({ target }) => setOtherId(target.value)}>
              {otherId === undefined && <option value="">choose a run of this node</option>}
              {ids.map((id, at) =>
                id === instance.id ? null : (
                  <option key={id} value={id}>
                    run {at + 1} of {ids.length}
                    {ids[ids.indexOf(instance.id) - 1] === id ? ', the one before' : ''}
                  </option>
                ),
              )}
            </select>
          </label>
        )}
        {shown !== undefined && <SideBySideBox sideBySide={sideBySide} choose={setSideBySide} />}
      </div>
      {shown === undefined ? (
        <p className={styles.quiet}>
          {ids.length > 1
            ? 'This is the first run of its node. Choose another one to compare it with.'
            : 'This node ran only once, and nobody changed its input or output, so there is nothing to compare.'}
        </p>
      ) : (
        <ComparisonView comparison={shown} sideBySide={sideBySide} />
      )}
    </>
  )
}
