import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { TimeView } from './use-time-view.ts'

/**
 * Zooms at the pointer with Ctrl and the wheel (a pinch on a touchpad), and pans with a sideways wheel. Gives the way for keys to zoom at
 * the pointer too; without one over the element they zoom at the middle.
 */
export function useZoomAtPointer(element: RefObject<HTMLElement | null>, view: TimeView): (factor: number) => void {
  const latest = useRef(view)
  latest.current = view
  /** Where the pointer is, px of the page. */
  const pointer = useRef<number>(undefined)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const turn = (event: WheelEvent) => {
      const { from, span, zoom, pan } = latest.current
      if (event.ctrlKey) {
        event.preventDefault()
        zoom(1.0015 ** Math.max(-400, Math.min(400, event.deltaY)), from + shareAt(target, event.clientX) * span)
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault()
        pan(event.deltaX / 800)
      }
    }
    const move = (event: PointerEvent) => {
      pointer.current = event.clientX
    }
    const leave = () => {
      pointer.current = undefined
    }
    target.addEventListener('wheel', turn, { passive: false })
    target.addEventListener('pointermove', move, { passive: true })
    target.addEventListener('pointerleave', leave)
    return () => {
      target.removeEventListener('wheel', turn)
      target.removeEventListener('pointermove', move)
      target.removeEventListener('pointerleave', leave)
    }
  }, [element])
  return useCallback(
    (factor: number) => {
      const target = element.current
      const { from, span, zoom } = latest.current
      zoom(factor, target === null || pointer.current === undefined ? undefined : from + shareAt(target, pointer.current) * span)
    },
    [element],
  )
}

/** Where on the shown part of the axis this is, from 0 to 1. */
function shareAt(target: HTMLElement, clientX: number): number {
  const track = target.querySelector('[data-track]')?.getBoundingClientRect() ?? target.getBoundingClientRect()
  return Math.max(0, Math.min(1, (clientX - track.left) / Math.max(1, track.width)))
}
