import { useSyncExternalStore } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'
import { browserClock, type FrameClock } from '../link/frame-scheduler.ts'

/**
 * Safari takes 100 addresses in 30 s and throws at the next one; an arrow key that is held down makes 30 a second. One each 400 ms is
 * always fine, and 20 may come early: what a person does is in the bar at once, so that a reload right after it shows the same.
 */
const REST_MS = 400
const EARLY_MS = 19 * REST_MS

export interface PageAddress {
  /** For wouter’s Router. */
  readonly hook: BaseLocationHook
  readonly searchHook: BaseSearchHook
  stop(): void
}

/**
 * The address that the screens show: known to them at once, written to the browser’s bar as often as a browser takes it. The last one
 * is always written; a browser that refuses is asked again later, and nothing is thrown.
 */
export function createPageAddress(page: Window, clock: Pick<FrameClock, 'now' | 'after'> = browserClock()): PageAddress {
  let url = new URL(page.location.href)
  let unwritten: { readonly replace: boolean } | undefined
  /** When the next one would be due, had each come at its time. */
  let dueAt = 0
  let cancel: (() => void) | undefined
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const write = () => {
    cancel?.()
    cancel = undefined
    if (unwritten === undefined) return
    dueAt = Math.max(dueAt, clock.now()) + REST_MS
    const to = url.pathname + url.search
    try {
      if (unwritten.replace) page.history.replaceState(null, '', to)
      else page.history.pushState(null, '', to)
      unwritten = undefined
    } catch (error) {
      console.info('The browser takes no more addresses for now; this one is written later:', error)
      cancel = clock.after(REST_MS, write)
    }
  }
  const navigate = (to: string, { replace = false }: { readonly replace?: boolean } = {}) => {
    // The way back leads to what was shown last.
    if (!replace && unwritten?.replace) write()
    url = new URL(to, url)
    unwritten = { replace: replace && unwritten?.replace !== false }
    const restMs = dueAt - EARLY_MS - clock.now()
    if (!replace || restMs <= 0) write()
    else cancel ??= clock.after(restMs, write)
    tell()
  }
  /** Back, forward, or an address typed by hand: what waited to be written belongs to the page that was left. */
  const moved = () => {
    cancel?.()
    cancel = undefined
    unwritten = undefined
    url = new URL(page.location.href)
    tell()
  }
  page.addEventListener('popstate', moved)
  page.addEventListener('pagehide', write)

  return {
    hook: () => [useSyncExternalStore(subscribe, () => url.pathname), navigate],
    searchHook: () => useSyncExternalStore(subscribe, () => url.search),
    stop() {
      cancel?.()
      page.removeEventListener('popstate', moved)
      page.removeEventListener('pagehide', write)
    },
  }
}
