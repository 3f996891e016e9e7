import { type PointerEvent, useRef, useState } from 'react'

/** A stretch of an element's width, 0 to 1. */
export interface Brushed {
  readonly from: number
  readonly to: number
}

/** A press that moves less than this is a click, px. */
const CLICK_PX = 3

interface BrushActions {
  readonly onRange: (range: Brushed) => void
  readonly onClick?: (at: number) => void
  readonly onDoubleClick: () => void
}

/** Lets a stretch be drawn over an element by dragging; a click tells where it was instead. */
export function useBrush({ onRange, onClick, onDoubleClick }: BrushActions) {
  const [range, setRange] = useState<Brushed>()
  const start = useRef<number | undefined>(undefined)
  const partOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)))
  }
  return {
    range,
    handlers: {
      onDoubleClick,
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = partOf(event)
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start.current === undefined) return
        const at = partOf(event)
        const far = Math.abs(at - start.current) * event.currentTarget.clientWidth > CLICK_PX
        if (far || range !== undefined) setRange({ from: Math.min(start.current, at), to: Math.max(start.current, at) })
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (start.current === undefined) return
        if (range === undefined) onClick?.(partOf(event))
        else onRange(range)
        start.current = undefined
        setRange(undefined)
      },
      onPointerCancel() {
        start.current = undefined
        setRange(undefined)
      },
    },
  }
}
