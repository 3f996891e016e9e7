import type { ChoiceKey, FlagKey, NumberKey, TextKey } from './keys.ts'
import type { TextPattern } from './text-pattern.ts'
import type { QueryToken, TextRange } from './tokens.ts'
import type { Bound, Moment } from './values.ts'

/** One condition; a run has to meet all of a query's. Values of one key are alternatives. */
export type QueryTerm = { readonly negated: boolean } & (
  | { readonly type: 'text'; readonly pattern: TextPattern }
  | { readonly type: 'choice'; readonly key: ChoiceKey; readonly values: readonly string[] }
  | { readonly type: 'field'; readonly key: TextKey; readonly patterns: readonly TextPattern[] }
  | { readonly type: 'number'; readonly key: NumberKey; readonly bounds: readonly Bound[] }
  | { readonly type: 'flag'; readonly key: FlagKey; readonly value: boolean }
  | { readonly type: 'since'; readonly moment: Moment }
)

export type QueryProblemCode = 'query-too-long' | 'too-many-filters' | 'unknown-key' | 'missing-value' | 'bad-value' | 'unclosed-quote'

/** What can't be understood, where it stands, and what to write instead. */
export interface QueryProblem extends TextRange {
  readonly code: QueryProblemCode
  readonly message: string
}

export interface Query {
  /** The conditions that could be understood; all of them when there are no problems. */
  readonly terms: readonly QueryTerm[]
  readonly tokens: readonly QueryToken[]
  readonly problems: readonly QueryProblem[]
}
