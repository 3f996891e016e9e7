import type { RunInfo } from '@graphmind-ai/schema'
import { type MouseEvent, memo } from 'react'
import { RUN_COLUMNS } from '../../model/run-columns.ts'
import { runState } from '../../model/states.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import type { RunEdit } from '../../ui/workbench.ts'
import { CELLS, costOf, StateCell } from './run-cells.tsx'
import { RunMenu } from './run-menu.tsx'
import { RunName } from './run-name.tsx'
import styles from './runs.module.css'

export interface RunRowProps {
  readonly run: RunInfo
  readonly index: number
  /** px */
  readonly height: number
  readonly nowMs: number
  readonly isNarrow: boolean
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly isRenamed: boolean
  readonly onFocus: (runId: string) => void
  readonly onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
  /** `range` also takes the rows from the one selected before. */
  readonly onSelect: (run: RunInfo, range: boolean) => void
  readonly edit: (run: RunInfo, what: RunEdit) => void
  readonly endRename: () => void
}

/** Drawn again only when something of it changed: while a list scrolls, that is the rows that come in. */
export const RunRow = memo(function RunRow(row: RunRowProps) {
  const { run, index, nowMs, isNarrow, isSelected } = row
  const mode = useFacts((facts) => facts.mode)
  const state = runState(run, undefined, mode)
  const name = (
    <RunName
      run={run}
      isCurrent={row.isCurrent}
      isRenamed={row.isRenamed}
      onFocus={() => row.onFocus(run.id)}
      onOpen={row.onOpen}
      endRename={row.endRename}
    />
  )
  const menu = (
    <td className={styles.more}>
      <RunMenu run={run} edit={(what) => row.edit(run, what)} />
    </td>
  )
  return (
    <tr
      style={{ height: row.height }}
      aria-rowindex={index + 2}
      data-run={run.id}
      data-state={state}
      data-selected={isSelected}
      data-current={row.isCurrent}
    >
      <td className={styles.check}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${run.name}`}
          checked={isSelected}
          onClick={(event: MouseEvent) => row.onSelect(run, event.shiftKey)}
          readOnly
        />
      </td>
      {isNarrow ? (
        <td>
          {name}
          <span className={styles.second}>
            <StateCell run={run} />
            <span>{CELLS.started(run, nowMs)}</span>
            <span>{CELLS.duration(run, nowMs)}</span>
            {run.errorCount > 0 && <span className={styles.errors}>{run.errorCount} ✕</span>}
            <span>{CELLS.tokens(run, nowMs)} tok</span>
            {costOf(run) !== undefined && <span>{CELLS.cost(run, nowMs)}</span>}
          </span>
        </td>
      ) : (
        RUN_COLUMNS.map(({ id, numeric, spare }) => (
          <td key={id} data-numeric={numeric} data-spare={spare}>
            {id === 'name' ? name : CELLS[id](run, nowMs)}
          </td>
        ))
      )}
      {menu}
    </tr>
  )
})
