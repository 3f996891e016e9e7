import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { ComparedPair, Comparison } from '../../link/read-comparison.ts'
import { readContents } from '../../link/read-contents.ts'
import { runAddress } from '../../model/address.ts'
import { pairComparisons } from '../../model/comparisons.ts'
import { IconButton } from '../../ui/button.tsx'
import { ComparisonView } from '../../ui/code/comparison-view.tsx'
import { SideBySideBox, useSideBySide } from '../../ui/code/side-by-side.tsx'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { useFetched } from '../../ui/use-fetched.ts'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useScreen } from '../../ui/use-screen.ts'
import styles from './compare.module.css'

interface PairDiffProps {
  readonly comparison: Comparison
  readonly row: ComparedPair
  readonly close: () => void
}

/** What went through both calls of a row, with what differs marked. */
export function PairDiff({ comparison, row, close }: PairDiffProps) {
  const keyOf = useKeyOf()
  const { left, right } = row
  const named = left ?? right
  return (
    <section className={styles.pair} aria-label="Difference">
      <header className={styles.pairHead}>
        {named !== undefined && (
          <h2>
            <KindIcon kind={named.kind} size={14} /> {named.name}
          </h2>
        )}
        {left !== undefined && <Link href={runAddress(comparison.left.run.id, { instanceId: left.id })}>Open in the left run</Link>}
        {right !== undefined && <Link href={runAddress(comparison.right.run.id, { instanceId: right.id })}>Open in the right run</Link>}
        <IconButton label="Close the difference" keyHint={keyOf('view.back')} onClick={close}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.pairBody}>
        {left === undefined || right === undefined ? (
          <p className={styles.quiet}>
            Only the {left === undefined ? 'right' : 'left'} run has this step, so there is nothing beside it. Open it there to see what
            went through it.
          </p>
        ) : (
          <Contents
            key={`${left.id} ${right.id}`}
            left={contentsPath(comparison.left.run.id, left.id)}
            right={contentsPath(comparison.right.run.id, right.id)}
          />
        )}
      </div>
    </section>
  )
}

function contentsPath(runId: string, instanceId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}/instances/${encodeURIComponent(instanceId)}`
}

function Contents({ left, right }: { left: string; right: string }) {
  const one = useFetched(left, readContents).fetched
  const other = useFetched(right, readContents).fetched
  // Two texts beside each other need more room.
  const narrow = useScreen() === 'narrow'
  const [chosen, setChosen] = useState<string>()
  const [sideBySide, setSideBySide] = useSideBySide('compare-diff', true)
  const comparisons = useMemo(
    () =>
      one.state === 'ready' && other.state === 'ready'
        ? pairComparisons(one.value, other.value, { before: 'Left run', after: 'Right run' })
        : [],
    [one, other],
  )
  if (one.state === 'failed' || other.state === 'failed') {
    return <p role="alert">{one.state === 'failed' ? one.problem : other.state === 'failed' ? other.problem : ''}</p>
  }
  if (one.state === 'loading' || other.state === 'loading') return <p className={styles.quiet}>Loading both steps…</p>
  // What differs is what one came for.
  const shown =
    comparisons.find(({ id }) => id === chosen) ?? comparisons.find(({ before, after }) => before.text !== after.text) ?? comparisons[0]
  if (shown === undefined)
    return <p className={styles.quiet}>Neither step has an input, an output or an error: their content was not captured.</p>
  return (
    <>
      <div className={styles.pairTools}>
        <label>
          Compare
          <select value={shown.id} onChange={({ target }) => setChosen(target.value)}>
            {comparisons.map(({ id, title, before, after }) => (
              <option key={id} value={id}>
                {title}
                {before.text === after.text ? ' (same)' : ''}
              </option>
            ))}
          </select>
        </label>
        {!narrow && <SideBySideBox sideBySide={sideBySide} choose={setSideBySide} />}
      </div>
      <ComparisonView comparison={shown} sideBySide={sideBySide && !narrow} />
    </>
  )
}
