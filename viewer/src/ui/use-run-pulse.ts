import { useEffect, useRef, useState } from 'react'
import type { OpenRun } from '../link/viewer-state.ts'
import { useFacts } from './viewer-context.tsx'

/** From how many calls on what looks at all of them does so how often while more come, ms; the largest first. */
const PULSES = [
  { calls: 20_000, everyMs: 1000 },
  { calls: 2000, everyMs: 500 },
] as const

/** Undefined for a run of which all calls can be looked at with every commit, and for one that is shown as it was. */
export function pulseMs(run: OpenRun | undefined): number | undefined {
  if (run === undefined || run.asOf !== undefined) return undefined
  const { size } = run.picture.instances
  return PULSES.find(({ calls }) => size > calls)?.everyMs
}

/**
 * A number that changes whenever what looks at all calls of the run on the screen is to do so again: with every commit, and of a large run
 * once or twice a second while commits come.
 */
export function useRunPulse(): number {
  const commit = useFacts(({ run }) => run?.commit ?? 0)
  const everyMs = useFacts(({ run }) => pulseMs(run))
  const [pulse, setPulse] = useState(() => Date.now())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (commit < 0 || everyMs === undefined || timer.current !== undefined) return
    const waitMs = Math.max(0, last.current + everyMs - performance.now())
    timer.current = setTimeout(() => {
      timer.current = undefined
      last.current = performance.now()
      setPulse(Date.now())
    }, waitMs)
  }, [commit, everyMs])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return everyMs === undefined ? commit : pulse
}
