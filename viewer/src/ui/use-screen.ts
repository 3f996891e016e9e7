import { useSyncExternalStore } from 'react'

export type Screen = 'wide' | 'middle' | 'narrow'

const WIDE = '(min-width: 1280px)'
const MIDDLE = '(min-width: 900px)'

/** How much room there is: three columns, two, or one. */
export function useScreen(): Screen {
  return useSyncExternalStore(subscribe, read)
}

function subscribe(changed: () => void): () => void {
  const queries = [window.matchMedia(WIDE), window.matchMedia(MIDDLE)]
  for (const query of queries) query.addEventListener('change', changed)
  return () => {
    for (const query of queries) query.removeEventListener('change', changed)
  }
}

function read(): Screen {
  if (window.matchMedia(WIDE).matches) return 'wide'
  return window.matchMedia(MIDDLE).matches ? 'middle' : 'narrow'
}
