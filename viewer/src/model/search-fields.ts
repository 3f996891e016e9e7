/** What of a call is searched: its node's name, what went in, what came out, what went wrong. */
export const SEARCH_FIELDS = ['name', 'input', 'output', 'error'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]
