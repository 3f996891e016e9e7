import { useEffect, useState } from 'react'
import { useFacts } from './viewer-context.tsx'

/** The present, epoch ms, coming again every `everyMs` while `ticking`. */
export function useNow(everyMs: number, ticking = true): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, ticking])
  return now
}

/** The present of the run on the screen: the clock, or the moment up to which it is replayed, or when an abandoned one was last heard. */
export function useRunNow(everyMs: number, ticking = true): number {
  const stoppedAt = useFacts(({ run, runs }) =>
    run?.asOf !== undefined
      ? run.asOf.at
      : run !== undefined && runs?.get(run.runId)?.status === 'abandoned'
        ? run.events.at(-1)?.ts
        : undefined,
  )
  const now = useNow(everyMs, ticking && stoppedAt === undefined)
  return stoppedAt ?? now
}
