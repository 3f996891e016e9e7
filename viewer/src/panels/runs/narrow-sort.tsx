import { nextSort, RUN_COLUMNS, sortOf } from '../../model/run-columns.ts'
import styles from './runs.module.css'

/** The order where there is no room for column heads. */
export function NarrowSort({ sort, onSort }: { sort: string; onSort: (sort: string) => void }) {
  const sorted = RUN_COLUMNS.find((column) => sortOf(sort, column) !== undefined)
  return (
    <div className={styles.narrowSort}>
      <label>
        <span className="visually-hidden">Sort by</span>
        <select
          value={sorted?.id}
          onChange={({ target }) => {
            const column = RUN_COLUMNS.find(({ id }) => id === target.value)
            if (column !== undefined) onSort(nextSort('', column))
          }}
        >
          {RUN_COLUMNS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className={styles.turn}
        aria-label={sort.startsWith('-') ? 'Largest or newest first; turn round' : 'Smallest or oldest first; turn round'}
        onClick={() => sorted !== undefined && onSort(nextSort(sort, sorted))}
      >
        {sort.startsWith('-') ? '↓' : '↑'}
      </button>
    </div>
  )
}
