export const INSPECTOR_TABS = ['messages', 'input', 'output', 'diff', 'events', 'raw'] as const
export type InspectorTab = (typeof INSPECTOR_TABS)[number]

export const RUN_VIEWS = ['graph', 'timeline', 'both'] as const
export type RunView = (typeof RUN_VIEWS)[number]

/** What a workbench address says; a part that is undefined is left to what is remembered. */
export interface Selection {
  readonly instanceId: string | undefined
  readonly tab: InspectorTab | undefined
  readonly view: RunView | undefined
  /** The event up to which the run is shown; undefined means now. */
  readonly asOf: number | undefined
}

/** Reads the query of a workbench address; anything it doesn't know is left out. */
export function readSelection(query: string): Selection {
  const search = new URLSearchParams(query)
  const asOf = search.get('asOf') ?? ''
  return {
    instanceId: search.get('instance') ?? undefined,
    tab: INSPECTOR_TABS.find((known) => known === search.get('tab')),
    view: RUN_VIEWS.find((known) => known === search.get('view')),
    asOf: /^\d{1,15}$/.test(asOf) ? Number(asOf) : undefined,
  }
}

/** The address of a run with this selection. */
export function runAddress(runId: string, selection: Partial<Selection> = {}): string {
  const search = new URLSearchParams()
  if (selection.instanceId !== undefined) search.set('instance', selection.instanceId)
  if (selection.tab !== undefined) search.set('tab', selection.tab)
  if (selection.view !== undefined) search.set('view', selection.view)
  if (selection.asOf !== undefined) search.set('asOf', String(selection.asOf))
  const query = search.toString()
  return `/run/${encodeURIComponent(runId)}${query === '' ? '' : `?${query}`}`
}
