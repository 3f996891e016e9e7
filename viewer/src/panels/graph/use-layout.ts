import { useEffect, useMemo, useRef, useState } from 'react'
import { type LayoutInput, type Point, placeMeanwhile } from '../../model/layout.ts'
import { startLayoutThread } from './layout-thread.ts'
import type { LayoutAnswer, LayoutRequest } from './layout-worker.ts'

const DEBOUNCE_MS = 150

/**
 * Positions for the graph. A worker lays out only when the set of nodes or edges changes; until it answers, known nodes keep their
 * place and new ones stand next to their parent, so that nothing waits for a layout to be shown.
 */
export function useLayout(input: LayoutInput): { readonly positions: ReadonlyMap<string, Point>; readonly failed: boolean } {
  const [laidOut, setLaidOut] = useState<ReadonlyMap<string, Point>>(new Map())
  const [failed, setFailed] = useState(false)
  const worker = useRef<Worker | undefined>(undefined)
  const latest = useRef(0)

  useEffect(() => {
    const current = startLayoutThread()
    worker.current = current
    current.addEventListener('message', (event: MessageEvent<LayoutAnswer>) => {
      if (event.data.id === latest.current) setLaidOut(event.data.positions)
    })
    current.addEventListener('error', (event) => {
      console.error('The layout worker failed:', event.message)
      setFailed(true)
    })
    return () => {
      worker.current = undefined
      current.terminate()
    }
  }, [])

  useEffect(() => {
    latest.current += 1
    const request: LayoutRequest = { id: latest.current, input }
    const timer = setTimeout(() => worker.current?.postMessage(request), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [input])

  const positions = useMemo(() => placeMeanwhile(input, laidOut), [input, laidOut])
  return { positions, failed }
}
