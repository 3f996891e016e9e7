import { useCallback, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type RunsAddress, readRunsAddress, runsAddress } from '../../model/runs-address.ts'

/** What the address of the runs screen says, and the way to change a part of it. */
export function useRunsAddress(): RunsAddress & { readonly go: (change: Partial<RunsAddress>) => void } {
  const query = useSearch()
  const [, navigate] = useLocation()
  const address = useMemo(() => readRunsAddress(query), [query])
  const latest = useRef(address)
  latest.current = address
  const go = useCallback(
    (change: Partial<RunsAddress>) => navigate(runsAddress({ ...latest.current, ...change }), { replace: true }),
    [navigate],
  )
  return { ...address, go }
}
