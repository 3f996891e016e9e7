import { useCallback, useMemo, useRef } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { type InspectorTab, type RunView, readSelection, runAddress, type Selection } from '../model/address.ts'
import { recallView, rememberView } from './workbench.ts'

/** What the address of a run says is selected and shown, and the ways to change it. */
export function useSelection(): Omit<Selection, 'view'> & {
  readonly view: RunView
  /** Changes any part of the address, and leaves the rest as it is. */
  readonly go: (change: Partial<Selection>) => void
  readonly select: (instanceId: string | undefined) => void
  readonly showTab: (tab: InspectorTab) => void
  readonly showView: (view: RunView) => void
  readonly showAsOf: (asOf: number | undefined) => void
} {
  const query = useSearch()
  const { runId = '' } = useParams<{ runId: string }>()
  const [, navigate] = useLocation()
  const selection = useMemo(() => readSelection(query), [query])
  const latest = useRef(selection)
  latest.current = selection
  const go = useCallback(
    (change: Partial<Selection>) => navigate(runAddress(runId, { ...latest.current, ...change }), { replace: true }),
    [navigate, runId],
  )
  const select = useCallback((instanceId: string | undefined) => go({ instanceId, tab: undefined }), [go])
  const showTab = useCallback((tab: InspectorTab) => go({ tab }), [go])
  const showAsOf = useCallback((asOf: number | undefined) => go({ asOf }), [go])
  const showView = useCallback(
    (view: RunView) => {
      rememberView(view)
      go({ view, panel: undefined })
    },
    [go],
  )
  return { ...selection, view: selection.view ?? recallView(), go, select, showTab, showView, showAsOf }
}
