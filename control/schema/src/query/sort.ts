/** Columns of the runs list that it can be sorted by. */
export const RUN_SORT_COLUMNS = [
  'started',
  'duration',
  'name',
  'app',
  'state',
  'link',
  'nodes',
  'steps',
  'errors',
  'tokens',
  'cost',
  'model',
  'source',
  'session',
  'pinned',
] as const

export type RunSortColumn = (typeof RUN_SORT_COLUMNS)[number]

export interface RunSort {
  readonly column: RunSortColumn
  readonly direction: 'ascending' | 'descending'
}

/** `started` ascending, `-started` descending; undefined for what is no column. */
export function readRunSort(text: string): RunSort | undefined {
  const direction = text.startsWith('-') ? 'descending' : 'ascending'
  const name = text.replace(/^-/, '')
  const column = RUN_SORT_COLUMNS.find((known) => known === name)
  return column === undefined ? undefined : { column, direction }
}
