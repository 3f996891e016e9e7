import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { ComparedPair, Comparison } from '../../link/read-comparison.ts'
import type { CompareAddress } from '../../model/compare-address.ts'
import { placesOf } from '../../model/compare-view.ts'
import { useRowHeight } from '../../ui/density.ts'
import { GRID_HEAD, GRID_ROW } from '../../ui/grid-roles.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { useScreen } from '../../ui/use-screen.ts'
import styles from './compare.module.css'
import { COMPARE_COLUMNS, ComparedRowView, rowId } from './compare-row.tsx'

interface TableProps {
  readonly comparison: Comparison
  readonly rows: readonly ComparedPair[]
  readonly scale: CompareAddress['scale']
  /** The row whose difference is open. */
  readonly looked: ComparedPair | undefined
  readonly open: (row: ComparedPair) => void
}

const ROW_HEIGHT = 28
/** Px of the line with the titles, which lies over the rows. */
const HEAD_HEIGHT = 30
const PAGE = 15
const HEADS = { ...GRID_ROW, 'aria-rowindex': 1 } as const

/** Both runs in one list, so that they can't scroll apart: what belongs together stands in one row. */
export function CompareTable({ comparison, rows, scale, looked, open }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<ComparedPair>()
  const narrow = useScreen() === 'narrow'
  const oneLine = useRowHeight(ROW_HEIGHT)
  // On a narrow screen the sides stand one above the other.
  const height = narrow ? oneLine * 2 : oneLine
  const place = useMemo(() => placesOf(comparison, scale), [comparison, scale])
  const inPage = useRowWindow({ scroller, count: rows.length, height, overscan: 6, head: HEAD_HEIGHT })
  const picked = active ?? looked
  const at = picked === undefined ? -1 : rows.indexOf(picked)
  const current = Math.max(0, at)
  const goTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined) return
    setActive(row)
    inPage.scrollTo(rows.indexOf(row))
    // What is open follows the eye.
    if (looked !== undefined) open(row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const row = rows[current]
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at < 0 ? 0 : current + 1,
      ArrowUp: current - 1,
      PageDown: current + PAGE,
      PageUp: current - PAGE,
      Home: 0,
      End: rows.length - 1,
    }
    const next = steps[event.key]
    if (next !== undefined) goTo(next)
    else if (event.key === 'Enter' && row !== undefined) open(row)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Steps of both runs"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={inPage.has(current) ? rowId(current) : undefined}
      tabIndex={0}
      className={styles.table}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
        const row = rows[Number(line?.dataset['row'] ?? -1)]
        if (row === undefined) return
        setActive(row)
        open(row)
      }}
    >
      <div {...HEADS} className={styles.heads}>
        {COMPARE_COLUMNS.map(({ title, numeric }) => (
          <div key={title} {...GRID_HEAD} data-numeric={numeric}>
            <span>{title}</span>
          </div>
        ))}
      </div>
      <div role="presentation" className={styles.rows} style={{ height: inPage.total }}>
        {inPage.items.map((item) => {
          const row = rows[item.index]
          return row === undefined ? null : (
            <ComparedRowView
              key={item.index}
              row={row}
              index={item.index}
              top={item.start}
              height={height}
              active={item.index === at}
              looked={row === looked}
              place={place}
            />
          )
        })}
      </div>
    </div>
  )
}
