import { type RefObject, useEffect } from 'react'
import type { OpenRun } from '../../link/viewer-state.ts'

/** Marks when an instance that began live was first drawn, so that the time from its start can be measured. */
export function usePaintMarks(run: OpenRun | undefined, begun: RefObject<string[]>): void {
  useEffect(() => {
    if (run === undefined || begun.current.length === 0) return
    const drawn = begun.current.splice(0)
    requestAnimationFrame(() => {
      for (const instanceId of drawn) performance.mark(`gm:node-lit:${instanceId}`)
    })
  }, [run, begun])
}
