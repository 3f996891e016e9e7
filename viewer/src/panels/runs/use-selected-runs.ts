import type { RunInfo } from '@graphmind-ai/schema'
import { useCallback, useMemo, useRef, useState } from 'react'

/** Which rows are selected. A row that left the list is not acted upon, and is selected again when it is brought back. */
export function useSelectedRuns(rows: readonly RunInfo[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  const chosen = useMemo(() => (selected.size === 0 ? [] : rows.filter(({ id }) => selected.has(id))), [rows, selected])
  const select = useCallback(
    (run: RunInfo, range: boolean) => {
      const from = range ? rows.findIndex(({ id }) => id === anchor.current) : -1
      const to = rows.findIndex(({ id }) => id === run.id)
      anchor.current = run.id
      setSelected((before) => {
        const next = new Set(before)
        if (from >= 0) for (const { id } of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(id)
        else if (!next.delete(run.id)) next.add(run.id)
        return next
      })
    },
    [rows],
  )
  const selectNone = useCallback(() => setSelected(new Set()), [])
  const selectAll = useCallback(
    () => setSelected((before) => (rows.every(({ id }) => before.has(id)) ? new Set() : new Set(rows.map(({ id }) => id)))),
    [rows],
  )
  return { selected, chosen, select, selectAll, selectNone }
}
