import { lazy, Suspense } from 'react'
import type { Comparison } from '../../model/comparisons.ts'
import styles from './comparison-view.module.css'

const DiffView = lazy(() => import('./diff-view.tsx'))

/** Comparing more than this takes long and helps nobody, characters of both sides. */
const MOST_COMPARED = 2_000_000

/** Two texts with what differs marked, or why they are not compared. */
export function ComparisonView({ comparison, sideBySide }: { comparison: Comparison; sideBySide: boolean }) {
  const { title, before, after } = comparison
  if (before.text.length + after.text.length > MOST_COMPARED) {
    return <p className={styles.quiet}>These texts are too large to compare here. Copy them from Input and Output instead.</p>
  }
  return (
    <section aria-label={title}>
      <p className={styles.sides}>
        <span data-side="before">− {before.title}</span>
        <span data-side="after">+ {after.title}</span>
      </p>
      {before.text === after.text ? (
        <p className={styles.quiet}>Both are the same.</p>
      ) : (
        <div className={styles.diff}>
          <Suspense fallback={<p className={styles.quiet}>Loading the comparison…</p>}>
            <DiffView before={before.text} after={after.text} label={title} sideBySide={sideBySide} />
          </Suspense>
        </div>
      )}
    </section>
  )
}
