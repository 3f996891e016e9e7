import { useEffect, useRef } from 'react'
import type { Selection } from '../../model/address.ts'
import type { TimeAxis } from '../../model/time-axis.ts'
import { rangeOf, type TimeView } from './use-time-view.ts'

/** A wheel makes many small steps, and a browser takes only so many addresses a second. */
const SETTLED_MS = 300

/** Writes the stretch that the reader chose into the address once it stands still. */
export function useRangeInAddress(
  view: TimeView,
  axis: TimeAxis | undefined,
  told: Selection['range'],
  go: (change: Partial<Selection>) => void,
): void {
  const latest = useRef({ axis, told })
  latest.current = { axis, told }
  const { from, span, zoomed } = view
  const shown = useRef(view)
  shown.current = view
  const first = useRef(true)
  useEffect(() => {
    // What is shown at first came from the address; that it grows with a running run is nobody's choice.
    if (first.current) {
      first.current = false
      return
    }
    const timer = setTimeout(() => {
      const { axis: now, told: before } = latest.current
      const range = now === undefined || !zoomed ? undefined : rangeOf({ ...shown.current, from, span, zoomed }, now)
      if (range !== undefined || before !== undefined) go({ range })
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [from, span, zoomed, go])
}
