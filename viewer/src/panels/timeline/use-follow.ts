import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const NEAR_PX = 30

/**
 * Keeps the newest line of a live list in sight until the reader scrolls up. `missed` counts the lines that came since; it is undefined
 * while following or when nothing more will come.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, rows: number, live: boolean) {
  const [leftAt, setLeftAt] = useState<number>()
  const following = useRef(true)
  const latest = useRef(rows)
  latest.current = rows
  const leave = useCallback(() => {
    if (!following.current) return
    following.current = false
    setLeftAt(latest.current)
  }, [])
  const resume = useCallback(() => {
    following.current = true
    setLeftAt(undefined)
    const element = scroller.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [scroller])
  useEffect(() => {
    const element = scroller.current
    if (element === null || !live) return
    const look = () => {
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
      if (atEnd && !following.current) {
        following.current = true
        setLeftAt(undefined)
      }
    }
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollTop > 0) leave()
    }
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: true })
    element.addEventListener('pointerdown', leave)
    return () => {
      element.removeEventListener('scroll', look)
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('pointerdown', leave)
    }
  }, [scroller, live, leave])
  useLayoutEffect(() => {
    const element = scroller.current
    if (rows > 0 && live && following.current && element !== null) element.scrollTop = element.scrollHeight
  }, [scroller, rows, live])
  return { missed: live && leftAt !== undefined ? Math.max(0, rows - leftAt) : undefined, leave, resume }
}
