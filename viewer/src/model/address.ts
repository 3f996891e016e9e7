import { type GraphLook, lookWords, readLook } from './graph-look.ts'

export const INSPECTOR_TABS = ['messages', 'input', 'output', 'diff', 'events', 'raw'] as const
export type InspectorTab = (typeof INSPECTOR_TABS)[number]

export const RUN_VIEWS = ['graph', 'timeline', 'both'] as const
export type RunView = (typeof RUN_VIEWS)[number]

/** The panels of a run that an address can show alone. */
export const RUN_PANELS = ['graph', 'timeline', 'outline', 'inspector'] as const
export type RunPanel = (typeof RUN_PANELS)[number]

/** What a workbench address says; a part that is undefined is left to what is remembered. */
export interface Selection {
  readonly instanceId: string | undefined
  readonly tab: InspectorTab | undefined
  readonly view: RunView | undefined
  /** The one panel that is shown; undefined means all of them. */
  readonly panel: RunPanel | undefined
  /** The event up to which the run is shown; undefined means now. */
  readonly asOf: number | undefined
  /** How the graph is shown, as far as it was chosen. */
  readonly look: Partial<GraphLook>
  /** The stretch of the timeline that is shown, ms since the run began; undefined means all of it. */
  readonly range: readonly [from: number, to: number] | undefined
  /** What the timeline is searched for. */
  readonly find: string
  /** Only what it finds. */
  readonly onlyFound: boolean
}

/** Reads the query of a workbench address; anything it doesn't know is left out. */
export function readSelection(query: string): Selection {
  const search = new URLSearchParams(query)
  const asOf = search.get('asOf') ?? ''
  return {
    instanceId: search.get('instance') ?? undefined,
    tab: INSPECTOR_TABS.find((known) => known === search.get('tab')),
    view: RUN_VIEWS.find((known) => known === search.get('view')),
    panel: RUN_PANELS.find((known) => known === search.get('panel')),
    asOf: /^\d{1,15}$/.test(asOf) ? Number(asOf) : undefined,
    look: readLook(search.get('look') ?? ''),
    range: readRange(search.get('range') ?? ''),
    find: (search.get('find') ?? '').slice(0, LONGEST_FIND),
    onlyFound: search.get('only') === '1',
  }
}

/** Longest text to find that an address takes along. */
const LONGEST_FIND = 200

function readRange(text: string): Selection['range'] {
  const [, from, to] = /^(-?\d{1,15}(?:\.\d{1,3})?)~(-?\d{1,15}(?:\.\d{1,3})?)$/.exec(text) ?? []
  const range = [Number(from), Number(to)] as const
  return range[1] > range[0] ? range : undefined
}

/** Ms with as much precision as an address needs. */
function rounded(ms: number): string {
  return String(Math.round(ms * 1000) / 1000)
}

/** The address of a run with this selection. */
export function runAddress(runId: string, selection: Partial<Selection> = {}): string {
  const search = new URLSearchParams()
  if (selection.instanceId !== undefined) search.set('instance', selection.instanceId)
  if (selection.tab !== undefined) search.set('tab', selection.tab)
  if (selection.view !== undefined) search.set('view', selection.view)
  if (selection.panel !== undefined) search.set('panel', selection.panel)
  if (selection.asOf !== undefined) search.set('asOf', String(selection.asOf))
  const look = lookWords(selection.look ?? {})
  if (look !== undefined) search.set('look', look)
  if (selection.range !== undefined) search.set('range', selection.range.map(rounded).join('~'))
  if (selection.find !== undefined && selection.find !== '') search.set('find', selection.find)
  if (selection.onlyFound === true) search.set('only', '1')
  const query = search.toString()
  return `/run/${encodeURIComponent(runId)}${query === '' ? '' : `?${query}`}`
}
