import { useCallback, useMemo } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { type InspectorTab, readSelection, runAddress, type Selection } from '../model/address.ts'

/** The selected instance and tab, which live in the address, and the ways to change them. */
export function useSelection(): Selection & {
  select: (instanceId: string | undefined) => void
  showTab: (tab: InspectorTab) => void
} {
  const query = useSearch()
  const { runId = '' } = useParams<{ runId: string }>()
  const [, navigate] = useLocation()
  const selection = useMemo(() => readSelection(query), [query])
  const select = useCallback(
    (instanceId: string | undefined) => navigate(runAddress(runId, { instanceId }), { replace: true }),
    [navigate, runId],
  )
  const showTab = useCallback(
    (tab: InspectorTab) => navigate(runAddress(runId, { instanceId: selection.instanceId, tab }), { replace: true }),
    [navigate, runId, selection.instanceId],
  )
  return { ...selection, select, showTab }
}
