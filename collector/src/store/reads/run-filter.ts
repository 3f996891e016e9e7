import {
  type Bound,
  type ChoiceKey,
  isPlainText,
  type NumberKey,
  type QueryTerm,
  type TextKey,
  type TextPattern,
} from '@graphmind-ai/schema'
import { type RawBuilder, sql } from 'kysely'
import type { LiveRuns } from './run-info.ts'

type Condition = RawBuilder<boolean>

/** The moment and the liveness that a query is answered for. */
export interface QueryContext {
  /** Epoch ms. */
  readonly nowMs: number
  readonly live: LiveRuns
}

/** The name that a person gave the run, else its own. */
export const shownName = sql<string>`coalesce(title, name)`
/** The same as the schema's `workMsOf`. */
export const workMs = (nowMs: number) => {
  const end = sql<number>`coalesce(finished_at, ${nowMs})`
  return sql<number>`max(0, ${end} - started_at - held_ms - coalesce(max(0, ${end} - held_since), 0))`
}
/** The state that the list shows: a run with a held call is paused. */
export const shownState = ({ live }: QueryContext) => sql<string>`CASE WHEN ${isOneOf(live.heldIds())} THEN 'paused' ELSE status END`
/** The same as the viewer’s `linkKind`. */
export const shownLink = ({ live }: QueryContext) =>
  sql<string>`CASE WHEN ${isOneOf(live.liveIds())} THEN 'attached' WHEN source = 'import' THEN 'imported' ELSE 'detached' END`

/** Conditions on the columns of `runs`; they keep the same rows as the schema's `matchesRun`. */
export function runConditions(terms: readonly QueryTerm[], context: QueryContext): readonly Condition[] {
  return terms.map((term) => {
    const condition = conditionOf(term, context)
    // Not NOT: where a value is missing a condition is null, and then its opposite holds.
    return term.negated ? sql<boolean>`(${condition}) IS NOT TRUE` : condition
  })
}

function conditionOf(term: QueryTerm, context: QueryContext): Condition {
  switch (term.type) {
    case 'text':
      return any([
        ...[shownName, sql.ref('app'), sql.ref('id'), sql.ref('session_id')].map((column) => like(column, term.pattern)),
        ...['node_names', 'models', 'tags'].map((column) => listHas(column, [term.pattern])),
      ])
    case 'choice':
      return choiceOf(term.key, term.values, context)
    case 'field':
      return fieldOf(term.key, term.patterns)
    case 'number':
      return any(term.bounds.map((bound) => isWithin(numberOf(term.key, context.nowMs), bound)))
    case 'flag': {
      const condition = term.key === 'pinned' ? sql<boolean>`pinned = 1` : sql<boolean>`(error_count > 0 OR status = 'error')`
      return term.value ? condition : sql<boolean>`NOT ${condition}`
    }
    case 'since':
      return sql<boolean>`started_at >= ${'agoMs' in term.moment ? context.nowMs - term.moment.agoMs : term.moment.epochMs}`
  }
}

function choiceOf(key: ChoiceKey, values: readonly string[], context: QueryContext): Condition {
  switch (key) {
    case 'state': {
      const states = values.flatMap((value) => (value === 'ended' ? ['ok', 'error', 'aborted'] : [value]))
      return sql<boolean>`${shownState(context)} IN (${sql.join(states)})`
    }
    case 'link':
      return sql<boolean>`${shownLink(context)} IN (${sql.join(values)})`
    case 'kind':
      return sql<boolean>`EXISTS (SELECT 1 FROM json_each(kinds) WHERE value IN (${sql.join(values)}))`
    case 'source':
    case 'category':
      return sql<boolean>`${sql.ref(key)} IN (${sql.join(values)})`
  }
}

function fieldOf(key: TextKey, patterns: readonly TextPattern[]): Condition {
  const whole = (column: RawBuilder<unknown>) => any(patterns.map((pattern) => like(column, pattern)))
  switch (key) {
    case 'name':
      return any([whole(shownName), listHas('node_names', patterns)])
    case 'model':
      return listHas('models', patterns)
    case 'tag':
      return listHas('tags', patterns)
    case 'session':
      return whole(sql.ref('session_id'))
    case 'app':
      return whole(sql.ref('app'))
  }
}

function numberOf(key: NumberKey, nowMs: number): RawBuilder<number> {
  switch (key) {
    case 'cost':
      return sql`cost_usd`
    case 'tokens':
      return sql`tokens`
    case 'duration':
      return workMs(nowMs)
  }
}

function isWithin(value: RawBuilder<number>, { comparison, value: bound }: Bound): Condition {
  return sql<boolean>`${value} ${sql.raw(comparison)} ${bound}`
}

/** Taking a list apart for each row is slow, so the list's text is looked at first. */
function listHas(column: string, patterns: readonly TextPattern[]): Condition {
  const mayMatch = any(patterns.map((pattern) => like(sql.ref(column), { match: 'contains', text: inJson(longestLiteral(pattern)) })))
  const matches = any(patterns.map((pattern) => like(sql`value`, pattern)))
  return sql<boolean>`(${mayMatch} AND EXISTS (SELECT 1 FROM json_each(${sql.ref(column)}) WHERE ${matches}))`
}

function longestLiteral({ match, text }: TextPattern): string {
  if (match !== 'glob') return text
  return text.split(/[*?]/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** LIKE folds the letters A to Z by itself; for others the reading connection has a `lower` that knows them. */
function like(column: RawBuilder<unknown>, pattern: TextPattern): Condition {
  const plain = isPlainText(pattern.text)
  return sql<boolean>`${plain ? column : sql`lower(${column})`} LIKE ${likePattern(pattern, plain)} ESCAPE '\\'`
}

function likePattern({ match, text }: TextPattern, plain: boolean): string {
  const literal = (plain ? text : text.toLowerCase()).replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)
  if (match === 'contains') return `%${literal}%`
  return match === 'is' ? literal : literal.replaceAll('*', '%').replaceAll('?', '_')
}

/** As one parameter, however many there are. */
function isOneOf(ids: readonly string[]): Condition {
  return sql<boolean>`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

function any(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`
}
