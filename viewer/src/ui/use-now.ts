import { useCallback, useRef, useSyncExternalStore } from 'react'
import { useFacts } from './viewer-context.tsx'

/** One clock for everything on the screen that ticks at the same pace, so that all of it is drawn together. */
interface Ticker {
  now: number
  timer: ReturnType<typeof setInterval>
  readonly listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()

function listen(everyMs: number, listener: () => void): () => void {
  const ticker = tickers.get(everyMs) ?? start(everyMs)
  ticker.listeners.add(listener)
  return () => {
    ticker.listeners.delete(listener)
    if (ticker.listeners.size > 0) return
    clearInterval(ticker.timer)
    tickers.delete(everyMs)
  }
}

function start(everyMs: number): Ticker {
  const timer = setInterval(() => {
    ticker.now = Date.now()
    for (const listener of ticker.listeners) listener()
  }, everyMs)
  const ticker: Ticker = { now: Date.now(), timer, listeners: new Set() }
  tickers.set(everyMs, ticker)
  return ticker
}

const never = () => () => undefined

/** The present, epoch ms, coming again every `everyMs` while `ticking`; else it stands still, so that nothing is worked out anew for it. */
export function useNow(everyMs: number, ticking = true): number {
  const subscribe = useCallback((listener: () => void) => listen(everyMs, listener), [everyMs])
  // Where nothing ticks at this pace the time is read to a tenth of a second, so that two reads in one drawing agree.
  const read = () => tickers.get(everyMs)?.now ?? Math.ceil(Date.now() / 100) * 100
  const last = useRef<number>(undefined)
  const now = useSyncExternalStore(ticking ? subscribe : never, () => (ticking ? read() : (last.current ?? read())))
  last.current = now
  return now
}

/** The present of the run on the screen: the clock, or the moment up to which it is replayed or its history is told, or when an abandoned one was last heard. */
export function useRunNow(everyMs: number, ticking = true): number {
  const stoppedAt = useFacts(({ run, runs }) =>
    run?.asOf !== undefined || run?.toldUntil !== undefined
      ? (run.asOf?.at ?? run.toldUntil)
      : run !== undefined && runs?.get(run.runId)?.status === 'abandoned'
        ? run.events.at(-1)?.ts
        : undefined,
  )
  const now = useNow(everyMs, ticking && stoppedAt === undefined)
  return stoppedAt ?? now
}
