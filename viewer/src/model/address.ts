export const INSPECTOR_TABS = ['messages', 'input', 'output', 'events', 'raw'] as const
export type InspectorTab = (typeof INSPECTOR_TABS)[number]

/** What a workbench address says: which instance is selected and which tab shows it. */
export interface Selection {
  readonly instanceId: string | undefined
  readonly tab: InspectorTab | undefined
}

/** Reads the query of a workbench address; anything it doesn't know is left out. */
export function readSelection(query: string): Selection {
  const search = new URLSearchParams(query)
  const tab = INSPECTOR_TABS.find((known) => known === search.get('tab'))
  return { instanceId: search.get('instance') ?? undefined, tab }
}

/** The address of a run with this selection. */
export function runAddress(runId: string, selection: Partial<Selection> = {}): string {
  const search = new URLSearchParams()
  if (selection.instanceId !== undefined) search.set('instance', selection.instanceId)
  if (selection.tab !== undefined) search.set('tab', selection.tab)
  const query = search.toString()
  return `/run/${encodeURIComponent(runId)}${query === '' ? '' : `?${query}`}`
}
