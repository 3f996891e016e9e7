import { readRunSort } from '@graphmind-ai/schema'
import { SEARCH_FIELDS, type SearchField } from './search-fields.ts'

const RUNS_VIEWS = ['runs', 'conversations', 'search'] as const
export type RunsView = (typeof RUNS_VIEWS)[number]

/** What the address of the runs screen says. */
export interface RunsAddress {
  readonly view: RunsView
  /** In the filter language. */
  readonly filter: string
  /** Such as `-started`. */
  readonly sort: string
  /** Also plain web traffic; undefined leaves it to what is remembered. */
  readonly showOther: boolean | undefined
  /** What is looked for in the calls. */
  readonly find: string
  /** Where it is looked for; everywhere when empty. */
  readonly fields: readonly SearchField[]
}

/** The order of the list until a person chooses another. */
export const NEWEST_FIRST = '-started'
/** Longest text to find that the server takes. */
export const LONGEST_SEARCH = 500

/** Reads the query of the runs screen's address; anything it doesn't know is left out. */
export function readRunsAddress(query: string): RunsAddress {
  const search = new URLSearchParams(query)
  const sort = search.get('sort') ?? ''
  const other = search.get('other')
  const fields = (search.get('in') ?? '').split(',')
  return {
    view: RUNS_VIEWS.find((known) => known === search.get('view')) ?? 'runs',
    filter: search.get('q') ?? '',
    sort: readRunSort(sort) === undefined ? NEWEST_FIRST : sort,
    showOther: other === '1' ? true : other === '0' ? false : undefined,
    find: (search.get('find') ?? '').slice(0, LONGEST_SEARCH),
    fields: SEARCH_FIELDS.filter((field) => fields.includes(field)),
  }
}

/** The address of the runs screen; what is as it is at first is left out. */
export function runsAddress({
  view = 'runs',
  filter = '',
  sort = NEWEST_FIRST,
  showOther,
  find = '',
  fields = [],
}: Partial<RunsAddress>): string {
  const search = new URLSearchParams()
  if (view !== 'runs') search.set('view', view)
  if (filter !== '') search.set('q', filter)
  if (sort !== NEWEST_FIRST) search.set('sort', sort)
  if (showOther !== undefined) search.set('other', showOther ? '1' : '0')
  if (find !== '') search.set('find', find)
  if (fields.length > 0) search.set('in', fields.join(','))
  const query = search.toString()
  return query === '' ? '/' : `/?${query}`
}
