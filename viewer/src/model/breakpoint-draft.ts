import { type BreakpointMatcher, type NodeKind, type PausePoint, parseHitCount } from '@graphmind-ai/schema'
import { pointOf } from './breakpoints.ts'

/** What the breakpoint editor holds; an empty text means no such condition. */
export interface BreakpointDraft {
  readonly kinds: readonly NodeKind[]
  /** A name, a glob, or a regular expression between slashes. */
  readonly name: string
  readonly point: PausePoint
  readonly where: string
  readonly hits: string
  readonly once: boolean
  readonly log: boolean
}

export const EMPTY_DRAFT: BreakpointDraft = { kinds: [], name: '', point: 'before', where: '', hits: '', once: false, log: false }

export function draftOf(matcher: BreakpointMatcher): BreakpointDraft {
  return {
    kinds: matcher.kind === undefined ? (matcher.kinds ?? []) : [matcher.kind],
    name: matcher.name ?? matcher.namePattern ?? '',
    point: pointOf(matcher),
    where: matcher.where ?? '',
    hits: matcher.hits ?? '',
    once: matcher.once === true,
    log: matcher.log === true,
  }
}

export type DraftMatcher =
  | { readonly ok: true; readonly matcher: BreakpointMatcher }
  | { readonly ok: false; readonly field: 'hits'; readonly problem: string }

/** The breakpoint that a draft describes, in the plainest form that every agent understands; `id` is given to those that need one. */
export function matcherOf(draft: BreakpointDraft, id: string): DraftMatcher {
  const name = draft.name.trim()
  const pattern = isPattern(name)
  const hits = draft.hits.trim()
  if (hits !== '') {
    const parsed = parseHitCount(hits)
    if (!parsed.ok) return { ok: false, field: 'hits', problem: parsed.problem }
  }
  const [kind] = draft.kinds
  const further: BreakpointMatcher = {
    ...(draft.kinds.length > 1 ? { kinds: [...draft.kinds] } : {}),
    ...(pattern ? { namePattern: name } : {}),
    ...(draft.where.trim() === '' ? {} : { where: draft.where.trim() }),
    ...(hits === '' ? {} : { hits }),
    ...(draft.once ? { once: true } : {}),
    ...(draft.log ? { log: true } : {}),
  }
  const plain: BreakpointMatcher = {
    ...(draft.kinds.length === 1 && kind !== undefined ? { kind } : {}),
    ...(name !== '' && !pattern ? { name } : {}),
    point: draft.point,
  }
  return { ok: true, matcher: Object.keys(further).length === 0 ? plain : { ...plain, ...further, id } }
}

/** Whether a name is a glob, or a regular expression between slashes. */
export function isPattern(name: string): boolean {
  return /[*?]/.test(name) || /^\/.+\/[a-z]*$/s.test(name)
}
