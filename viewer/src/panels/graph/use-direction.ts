import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Direction } from '../../model/layout.ts'
import { type CanvasSize, type GraphShape, suitingDirection } from '../../model/suiting-direction.ts'

/** Canvases that differ by less are taken for the same, px. */
const STEP = 40

/** The direction that was chosen, else the one in which this graph is seen largest in its canvas. */
export function useDirection(chosen: Direction | undefined, shape: GraphShape, canvas: RefObject<HTMLElement | null>): Direction {
  const size = useSize(canvas)
  const current = useRef<Direction>('right')
  const suiting = useMemo(() => {
    current.current = suitingDirection(shape, size, current.current)
    return current.current
  }, [shape, size])
  return chosen ?? suiting
}

function useSize(element: RefObject<HTMLElement | null>): CanvasSize {
  const [size, setSize] = useState<CanvasSize>({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const width = Math.round(entry.contentRect.width / STEP) * STEP
      const height = Math.round(entry.contentRect.height / STEP) * STEP
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
