import { useSyncExternalStore } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'

/** Where a recorded page is: always at its run, with a selection of its own. A file has no addresses for more. */
export function recordedLocation(runPath: string): { readonly hook: BaseLocationHook; readonly searchHook: BaseSearchHook } {
  let search = ''
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const navigate = (to: string) => {
    const [path, query = ''] = to.split('?', 2)
    if (path !== runPath) return
    search = query
    for (const listener of listeners) listener()
  }
  return {
    hook: () => [useSyncExternalStore(subscribe, () => runPath), navigate],
    searchHook: () => useSyncExternalStore(subscribe, () => search),
  }
}
