import { Link } from 'wouter'
import { count } from '../../model/format.ts'
import { Button } from '../../ui/button.tsx'
import styles from './runs.module.css'

interface RunsEmptyProps {
  readonly isReading: boolean
  /** Whether the filter can be read: its line says what is wrong. */
  readonly isUnderstood: boolean
  readonly problem: string | undefined
  readonly filter: string
  readonly hidden: number
  readonly hiddenOther: number
  readonly readAgain: () => void
  readonly clearFilter: () => void
  readonly showOther: () => void
}

/** Why there is no row, and what would bring one. */
export function RunsEmpty(list: RunsEmptyProps) {
  const { hiddenOther } = list
  if (list.isReading) return <p className={styles.waiting}>Reading the runs…</p>
  if (list.problem !== undefined) {
    return (
      <div className={styles.waiting} role="alert">
        <p>The runs could not be read. {list.problem}</p>
        <Button onClick={list.readAgain}>Read again</Button>
      </div>
    )
  }
  if (!list.isUnderstood) {
    return (
      <div className={styles.waiting}>
        <p>This filter can’t be read, so no run is listed. Correct what is marked in it, or begin anew.</p>
        <Button onClick={list.clearFilter}>Clear filter</Button>
      </div>
    )
  }
  const other = hiddenOther > 0 && <Button onClick={list.showOther}>Show other traffic · {count(hiddenOther)} hidden</Button>
  if (list.filter === '' && hiddenOther === 0) {
    return (
      <p className={styles.waiting}>
        No run is left here. The next one shows up by itself. <Link href="/welcome">How to connect an agent</Link>
      </p>
    )
  }
  if (list.filter === '') {
    return (
      <div className={styles.waiting}>
        <p>Only plain web traffic so far, which is hidden at first: no agent, model call, tool, chain or retriever.</p>
        {other}
      </div>
    )
  }
  return (
    <div className={styles.waiting}>
      <p>
        No run meets <code>{list.filter}</code>.
      </p>
      <Button onClick={list.clearFilter}>{list.hidden > 0 ? `Clear filter · ${count(list.hidden)} hidden` : 'Clear filter'}</Button>
      {other}
    </div>
  )
}
