import { useCallback, useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { type ComparedPair, type Comparison, readComparison } from '../../link/read-comparison.ts'
import { type CompareAddress, swapped } from '../../model/compare-address.ts'
import { shownPairs } from '../../model/compare-view.ts'
import { plural } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useCompareAddress } from '../../ui/use-compare-address.ts'
import { useFetched } from '../../ui/use-fetched.ts'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './compare.module.css'
import { CompareTable } from './compare-table.tsx'
import { CompareTotals } from './compare-totals.tsx'
import { PairDiff } from './pair-diff.tsx'

/** Two runs side by side, as the collector aligned them. */
export default function ComparePage() {
  const { actions } = useViewer()
  const { address } = useCompareAddress()
  useEffect(() => actions.openRun(undefined), [actions])
  return (
    <main id="main" className={styles.page} aria-label="Comparison">
      <PanelBoundary name="comparison">{address !== undefined && <Compared address={address} />}</PanelBoundary>
    </main>
  )
}

function Compared({ address }: { address: CompareAddress }) {
  const { left, right } = address
  const { fetched, again } = useFetched(`/api/compare?${new URLSearchParams({ left, right })}`, readComparison)
  if (fetched.state === 'ready') return <Result address={address} comparison={fetched.value} again={again} />
  return (
    <div className={styles.state} role={fetched.state === 'failed' ? 'alert' : 'status'}>
      {fetched.state === 'loading' ? (
        <p>Aligning the two runs…</p>
      ) : (
        <>
          <h1>These runs can’t be compared</h1>
          <p>{fetched.problem}</p>
          <p className={styles.actions}>
            <Button onClick={again}>Try again</Button>
            <Link href="/">Go to the runs</Link>
          </p>
        </>
      )}
    </div>
  )
}

interface ResultProps {
  readonly address: CompareAddress
  readonly comparison: Comparison
  readonly again: () => void
}

function Result({ address, comparison, again }: ResultProps) {
  const keyOf = useKeyOf()
  const { go } = useCompareAddress()
  const { onlyDifferences, scale, pair } = address
  const shown = useMemo(() => shownPairs(comparison.rows, onlyDifferences), [comparison, onlyDifferences])
  const open = useCallback((row: ComparedPair) => go({ pair: { left: row.left?.id, right: row.right?.id } }), [go])
  const looked = useMemo(
    () => (pair === undefined ? undefined : comparison.rows.find((row) => row.left?.id === pair.left && row.right?.id === pair.right)),
    [comparison, pair],
  )
  const wentOn = useWentOn(comparison)
  return (
    <>
      <h1 className="visually-hidden">
        {comparison.left.run.name} and {comparison.right.run.name} side by side
      </h1>
      <CompareTotals comparison={comparison} />
      <div className={styles.tools}>
        <label>
          <input type="checkbox" checked={onlyDifferences} onChange={({ target }) => go({ onlyDifferences: target.checked })} />
          Only differences
        </label>
        <Choice legend="Time scale" small options={SCALES} chosen={scale} choose={(chosen) => go({ scale: chosen })} />
        <Button keyHint={keyOf('compare.swap')} onClick={() => go(swapped(address))}>
          Swap sides
        </Button>
        <span className={styles.shown} role="status">
          {shown.length === comparison.rows.length
            ? plural(shown.length, 'row')
            : `${plural(shown.length, 'row')} of ${comparison.rows.length}`}
        </span>
        {wentOn && (
          <span className={styles.wentOn}>
            A run has gone on since. <Button onClick={again}>Compare again</Button>
          </span>
        )}
      </div>
      {shown.length === 0 ? (
        <div className={styles.state}>
          {comparison.rows.length === 0 ? (
            <p>Neither run has a step yet. What they do shows up here when you compare again.</p>
          ) : (
            <>
              <p>Every step is the same in both runs.</p>
              <Button onClick={() => go({ onlyDifferences: false })}>Show all {comparison.rows.length} rows</Button>
            </>
          )}
        </div>
      ) : (
        <div className={styles.split} data-open={looked !== undefined}>
          <CompareTable comparison={comparison} rows={shown} scale={scale} looked={looked} open={open} />
          {looked !== undefined && <PairDiff comparison={comparison} row={looked} close={() => go({ pair: undefined })} />}
        </div>
      )}
    </>
  )
}

const SCALES = [
  { value: 'one', label: 'One time scale', title: 'Both runs on one time scale' },
  { value: 'each', label: 'Each its own', title: 'Each run as wide as the other' },
] as const

/** Whether one of the runs has more events than were compared. */
function useWentOn({ left, right }: Comparison): boolean {
  return useFacts(({ runs }) => [left, right].some(({ run }) => (runs?.get(run.id)?.eventCount ?? 0) > run.eventCount))
}
