import { type RefObject, useEffect, useRef } from 'react'
import type { TimeView } from './use-time-view.ts'

/** Zooms at the pointer with Ctrl and the wheel (a pinch on a touchpad), and pans with a sideways wheel. */
export function useWheelZoom(element: RefObject<HTMLElement | null>, view: TimeView): void {
  const latest = useRef(view)
  latest.current = view
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const turn = (event: WheelEvent) => {
      const { from, span, zoom, pan } = latest.current
      if (event.ctrlKey) {
        event.preventDefault()
        const track = target.querySelector('[data-track]')?.getBoundingClientRect() ?? target.getBoundingClientRect()
        const share = Math.max(0, Math.min(1, (event.clientX - track.left) / Math.max(1, track.width)))
        zoom(1.0015 ** Math.max(-400, Math.min(400, event.deltaY)), from + share * span)
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault()
        pan(event.deltaX / 800)
      }
    }
    target.addEventListener('wheel', turn, { passive: false })
    return () => target.removeEventListener('wheel', turn)
  }, [element])
}
