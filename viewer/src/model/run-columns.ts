import { type RunSort, type RunSortColumn, readRunSort } from '@graphmind-ai/schema'

export interface RunColumn {
  readonly id: Exclude<RunSortColumn, 'app' | 'nodes' | 'session' | 'pinned'>
  readonly title: string
  readonly numeric: boolean
  /** In px; the one without shares what is left. */
  readonly width?: number
  /** Left out first where there is little room. */
  readonly spare?: boolean
}

/** The columns of the runs list, each of which it can be sorted by. */
export const RUN_COLUMNS: readonly RunColumn[] = [
  { id: 'state', title: 'State', numeric: false, width: 116 },
  { id: 'name', title: 'Name', numeric: false },
  { id: 'link', title: 'Link', numeric: false, width: 100 },
  { id: 'started', title: 'Started', numeric: false, width: 98 },
  { id: 'duration', title: 'Duration', numeric: true, width: 90 },
  { id: 'steps', title: 'Steps', numeric: true, width: 66 },
  { id: 'errors', title: 'Errors', numeric: true, width: 66 },
  { id: 'tokens', title: 'Tokens', numeric: true, width: 74 },
  { id: 'cost', title: 'Cost', numeric: true, width: 76 },
  { id: 'model', title: 'Models', numeric: false, width: 140, spare: true },
  { id: 'source', title: 'Source', numeric: false, width: 76, spare: true },
]

/** What a press on a column's head sorts by: numbers and times with the largest first, texts from A on; a second press turns it round. */
export function nextSort(current: string, { id, numeric }: RunColumn): string {
  const largestFirst = numeric || id === 'started'
  const sort = readRunSort(current)
  const descending = sort?.column === id ? sort.direction === 'ascending' : largestFirst
  return descending ? `-${id}` : id
}

/** How a column stands in the sort that is on. */
export function sortOf(current: string, { id }: RunColumn): RunSort['direction'] | undefined {
  const sort = readRunSort(current)
  return sort?.column === id ? sort.direction : undefined
}
