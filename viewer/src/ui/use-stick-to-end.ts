import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const NEAR_PX = 40

/** Keeps a scroller at its end while content grows, but only when the reader is there. `grown` changes whenever something was added. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, grown: unknown): void {
  const atEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroller])
  useLayoutEffect(() => {
    const element = scroller.current
    if (grown !== undefined && element !== null && atEnd.current) element.scrollTop = element.scrollHeight
  }, [scroller, grown])
}
