import { type RunInfo, workMsOf } from '../run-info.ts'
import type { NumberKey, TextKey } from './keys.ts'
import type { QueryTerm } from './query.ts'
import { matchesText } from './text-pattern.ts'
import { isWithin } from './values.ts'

/** Whether a row of the runs list meets all conditions; the collector's answer to the same query is the same. `nowMs` is epoch time. */
export function matchesRun(terms: readonly QueryTerm[], run: RunInfo, nowMs: number): boolean {
  return terms.every((term) => meets(term, run, nowMs) !== term.negated)
}

function meets(term: QueryTerm, run: RunInfo, nowMs: number): boolean {
  switch (term.type) {
    case 'text':
      return namesOf(run).some((name) => matchesText(term.pattern, name))
    case 'choice':
      return term.values.some((value) => hasChoice(run, term.key, value))
    case 'field':
      return fieldOf(run, term.key).some((text) => term.patterns.some((pattern) => matchesText(pattern, text)))
    case 'number': {
      const value = numberOf(run, term.key, nowMs)
      return value !== undefined && term.bounds.some((bound) => isWithin(value, bound))
    }
    case 'flag':
      return (term.key === 'pinned' ? run.pinned : hasError(run)) === term.value
    case 'since':
      return run.startedAt >= ('agoMs' in term.moment ? nowMs - term.moment.agoMs : term.moment.epochMs)
  }
}

/** What free text is looked for in. */
function namesOf({ name, app, id, sessionId, nodeNames, models, tags }: RunInfo): readonly string[] {
  return [name, app, id, ...(sessionId === undefined ? [] : [sessionId]), ...nodeNames, ...models, ...tags]
}

function hasChoice(run: RunInfo, key: (QueryTerm & { type: 'choice' })['key'], value: string): boolean {
  switch (key) {
    case 'state':
      return value === runStateOf(run) || (value === 'ended' && ['ok', 'error', 'aborted'].includes(runStateOf(run)))
    case 'link':
      return value === runLinkOf(run)
    case 'kind':
      return run.kinds.some((kind) => kind === value)
    case 'source':
      return value === run.source
    case 'category':
      return value === run.category
  }
}

/** The state that is shown: a run with a held call is paused, whatever else it is. */
export function runStateOf({ held, status }: RunInfo): RunInfo['status'] | 'paused' {
  return held > 0 ? 'paused' : status
}

/** How the run hangs together with its program: controlled now, read from a file, or only heard of. */
export function runLinkOf({ live, source }: RunInfo): 'attached' | 'detached' | 'imported' {
  if (live) return 'attached'
  return source === 'import' ? 'imported' : 'detached'
}

function fieldOf(run: RunInfo, key: TextKey): readonly string[] {
  switch (key) {
    case 'name':
      return [run.name, ...run.nodeNames]
    case 'model':
      return run.models
    case 'session':
      return run.sessionId === undefined ? [] : [run.sessionId]
    case 'tag':
      return run.tags
    case 'app':
      return [run.app]
  }
}

function numberOf(run: RunInfo, key: NumberKey, nowMs: number): number | undefined {
  switch (key) {
    case 'cost':
      return run.costUsd
    case 'tokens':
      return run.usage === undefined ? undefined : run.usage.inputTokens + run.usage.outputTokens
    case 'duration':
      return workMsOf(run, nowMs)
  }
}

function hasError({ errorCount, status }: RunInfo): boolean {
  return errorCount > 0 || status === 'error'
}
