import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { runAddress } from '../../model/address.ts'
import { useFacts } from '../../ui/viewer-context.tsx'

/** Opens the first run of an agent that begins while one waits for it. Who imports a file no longer waits: it may hold many runs, and is listed where it was given. */
export function useOpenNextRun(isWaiting: boolean): void {
  const [, navigate] = useLocation()
  const runs = useFacts((state) => state.runs)
  const known = useRef<ReadonlySet<string>>(undefined)
  const isOver = useRef(false)
  useEffect(() => {
    if (!isWaiting || isOver.current || runs === undefined) return
    known.current ??= new Set(runs.keys())
    for (const { id, category, source } of runs.values()) {
      if (category !== 'agent' || known.current.has(id)) continue
      isOver.current = true
      if (source !== 'import') navigate(runAddress(id))
      return
    }
  }, [isWaiting, runs, navigate])
}
