import { useCallback, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type CompareAddress, compareAddress, readCompareAddress } from '../model/compare-address.ts'

/** What the address says of the two compared runs, and the way to change a part of it; undefined anywhere else. */
export function useCompareAddress(): {
  readonly address: CompareAddress | undefined
  readonly go: (change: Partial<CompareAddress>) => void
} {
  const [path, navigate] = useLocation()
  const query = useSearch()
  const address = useMemo(() => readCompareAddress(path, query), [path, query])
  const latest = useRef(address)
  latest.current = address
  const go = useCallback(
    (change: Partial<CompareAddress>) => {
      if (latest.current !== undefined) navigate(compareAddress({ ...latest.current, ...change }), { replace: true })
    },
    [navigate],
  )
  return { address, go }
}
