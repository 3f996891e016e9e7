import { useEffect, useRef, useState } from 'react'
import type { Point } from '../../model/layout.ts'
import { isMotionReduced } from '../../ui/motion.ts'

const GLIDE_MS = 200
/** Above this many nodes a glide would cost frames and explain nothing. */
const MOST_GLIDING = 120

/** Moves nodes from where they were to where they belong in 200 ms; new ones stand in place at once. None with reduced motion. */
export function useGlide(target: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  const [shown, setShown] = useState(target)
  const current = useRef(target)
  useEffect(() => {
    const show = (positions: ReadonlyMap<string, Point>) => {
      current.current = positions
      setShown(positions)
    }
    const from = current.current
    const moved = [...target].some(([id, point]) => {
      const before = from.get(id)
      return before !== undefined && (before.x !== point.x || before.y !== point.y)
    })
    if (!moved || target.size > MOST_GLIDING || isMotionReduced()) {
      show(target)
      return
    }
    const startedAt = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, Math.max(0, (now - startedAt) / GLIDE_MS))
      const eased = 1 - (1 - part) ** 3
      show(part >= 1 ? target : between(from, target, eased))
      if (part < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
  // A node that is not in the glide yet is shown where it belongs, in the same frame.
  return [...target.keys()].every((id) => shown.has(id)) ? shown : between(shown, target, 0)
}

function between(from: ReadonlyMap<string, Point>, to: ReadonlyMap<string, Point>, part: number): ReadonlyMap<string, Point> {
  const positions = new Map<string, Point>()
  for (const [id, point] of to) {
    const before = from.get(id) ?? point
    positions.set(id, { x: before.x + (point.x - before.x) * part, y: before.y + (point.y - before.y) * part })
  }
  return positions
}
