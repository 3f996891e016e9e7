import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

export interface RowInWindow {
  readonly index: number
  /** px from the first row. */
  readonly start: number
}

interface RowWindow {
  /** The rows in sight and `overscan` more on either side; none before the scroller has a size. */
  readonly items: readonly RowInWindow[]
  /** px of all rows. */
  readonly total: number
  /** Whether the row is drawn. */
  has(index: number): boolean
  /** Scrolls no further than needed to have the whole row in sight. */
  scrollTo(index: number): void
}

interface RowWindowOptions {
  readonly scroller: RefObject<HTMLElement | null>
  readonly count: number
  /** px of each row. */
  readonly height: number
  readonly overscan: number
  /** px at the top of the scroller that something else covers and that moves the rows down. */
  readonly head?: number
}

/**
 * Which of many rows of one height to draw. What measures each row for itself lists all of them anew whenever one more comes, and a live
 * run of many calls never stops doing so.
 */
export function useRowWindow({ scroller, count, height, overscan, head = 0 }: RowWindowOptions): RowWindow {
  const [seen, setSeen] = useState({ from: 0, to: 0 })
  const look = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const from = Math.floor(element.scrollTop / height)
    const to = element.clientHeight === 0 ? from : Math.ceil((element.scrollTop + element.clientHeight) / height)
    setSeen((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [scroller, height])

  const watched = useRef<{ readonly element: HTMLElement; readonly look: () => void; readonly stop: () => void }>(undefined)
  // After each drawing, for the scroller may come later than this hook, or be another.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === watched.current?.element && look === watched.current.look) return
    watched.current?.stop()
    watched.current = element === null ? undefined : { element, look, stop: watch(element, look) }
    look()
  })
  useEffect(
    () => () => {
      watched.current?.stop()
      watched.current = undefined
    },
    [],
  )

  const isSized = seen.to > seen.from
  const first = Math.max(0, Math.min(seen.from, count) - overscan)
  const end = isSized ? Math.min(count, seen.to + overscan) : first
  const items: RowInWindow[] = []
  for (let index = first; index < end; index += 1) items.push({ index, start: index * height })
  return {
    items,
    total: count * height,
    has: (index) => index >= first && index < end,
    scrollTo(index) {
      const element = scroller.current
      if (element === null) return
      const lowest = (index + 1) * height + head - element.clientHeight
      element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, index * height))
      look()
    },
  }
}

/** Calls back whenever the element was scrolled or has another size; gives the way to stop. */
function watch(element: HTMLElement, look: () => void): () => void {
  const sizes = new ResizeObserver(look)
  sizes.observe(element)
  element.addEventListener('scroll', look, { passive: true })
  return () => {
    sizes.disconnect()
    element.removeEventListener('scroll', look)
  }
}
