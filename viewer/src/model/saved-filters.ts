/** A filter with its order, kept under a name. */
export interface SavedFilter {
  readonly name: string
  readonly filter: string
  readonly sort: string
}

/** What is asked for most; the reader's own ones stand behind them. */
export const COMMON_FILTERS: readonly { readonly name: string; readonly filter: string }[] = [
  { name: 'Paused', filter: 'state:paused' },
  { name: 'Running', filter: 'state:running' },
  { name: 'Failed', filter: 'error:true' },
  { name: 'Last hour', filter: 'since:1h' },
  { name: 'Pinned', filter: 'pinned:true' },
]

const MOST_SAVED = 30

/** Reads remembered filters; what it doesn't understand is left out. */
export function readSavedFilters(text: string): readonly SavedFilter[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  return Array.isArray(value) ? value.filter(isSavedFilter).slice(0, MOST_SAVED) : []
}

/** One more; an older one of the same name goes. The newest are kept. */
export function withSavedFilter(saved: readonly SavedFilter[], filter: SavedFilter): readonly SavedFilter[] {
  return [...saved.filter(({ name }) => name !== filter.name), filter].slice(-MOST_SAVED)
}

function isSavedFilter(value: unknown): value is SavedFilter {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'filter' in value &&
    typeof value.filter === 'string' &&
    'sort' in value &&
    typeof value.sort === 'string'
  )
}
