import { Link } from 'wouter'
import type { ComparedSide, Comparison } from '../../link/read-comparison.ts'
import { runAddress } from '../../model/address.ts'
import { deltaWords, type Measure, VERDICT_WORDS, type Verdict } from '../../model/compare-view.ts'
import { cost, count, dateTime, duration, exactly } from '../../model/format.ts'
import { runState } from '../../model/states.ts'
import { StateChip } from '../../ui/state-mark.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './compare.module.css'

const MEASURES: readonly { readonly measure: Measure; readonly title: string; readonly format: (value: number | undefined) => string }[] = [
  { measure: 'durationMs', title: 'Duration', format: duration },
  { measure: 'inputTokens', title: 'Tokens in', format: count },
  { measure: 'outputTokens', title: 'Tokens out', format: count },
  { measure: 'costUsd', title: 'Cost', format: cost },
  { measure: 'errors', title: 'Errors', format: count },
]

/** What both runs come to, and by how much the right one differs. */
export function CompareTotals({ comparison }: { comparison: Comparison }) {
  const { left, right, delta, rows, isSame } = comparison
  const counts: Record<Verdict, number> = { same: 0, changed: 0, 'left-only': 0, 'right-only': 0 }
  for (const { verdict } of rows) counts[verdict] += 1
  return (
    <header className={styles.totals}>
      <div className={styles.runs}>
        <RunCard side="Left" compared={left} />
        <RunCard side="Right" compared={right} />
      </div>
      <table className={styles.sums} aria-label="Totals">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Run</span>
            </th>
            {MEASURES.map(({ measure, title }) => (
              <th key={measure} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(
            [
              ['Left', left],
              ['Right', right],
            ] as const
          ).map(([title, { totals }]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {MEASURES.map(({ measure, format }) => (
                <td key={measure} title={exactly(totals[measure])}>
                  {format(totals[measure])}
                </td>
              ))}
            </tr>
          ))}
          <tr className={styles.difference}>
            <th scope="row">Difference</th>
            {MEASURES.map(({ measure }) => {
              const { text, words, tone } = deltaWords(
                measure,
                delta[measure],
                Math.max(left.totals[measure] ?? 0, right.totals[measure] ?? 0),
              )
              return (
                <td key={measure} title={words}>
                  <span data-tone={tone}>{text}</span>
                  {tone !== 'none' && <small>{tone === 'worse' ? MORE[measure] : LESS[measure]}</small>}
                </td>
              )
            })}
          </tr>
        </tbody>
      </table>
      <p className={styles.counts} role="status">
        {isSame ? (
          <strong>Both runs did the same.</strong>
        ) : (
          (Object.keys(counts) as Verdict[]).map((verdict) => (
            <span key={verdict} data-verdict={verdict}>
              <strong>{count(counts[verdict])}</strong> {VERDICT_WORDS[verdict].toLowerCase()}
            </span>
          ))
        )}
      </p>
    </header>
  )
}

const MORE: Record<Measure, string> = { durationMs: 'slower', inputTokens: 'more', outputTokens: 'more', costUsd: 'dearer', errors: 'more' }
const LESS: Record<Measure, string> = {
  durationMs: 'faster',
  inputTokens: 'fewer',
  outputTokens: 'fewer',
  costUsd: 'cheaper',
  errors: 'fewer',
}

function RunCard({ side, compared: { run, totals } }: { side: string; compared: ComparedSide }) {
  const mode = useFacts((facts) => facts.mode)
  return (
    <div className={styles.run}>
      <span className={styles.side}>{side}</span>
      <Link href={runAddress(run.id)} title={`${run.name} · ${run.id}`}>
        {run.name}
      </Link>
      <StateChip state={runState(run, undefined, mode)} />
      <span className={styles.when}>
        {dateTime(run.startedAt)} · {count(totals.instances)} {totals.instances === 1 ? 'step' : 'steps'}
      </span>
    </div>
  )
}
