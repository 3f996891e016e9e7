import {
  type BreakpointMatcher,
  type InstancePicture,
  type NodeKind,
  type PausePoint,
  parseHitCount,
  type RunPicture,
} from '@graphmind-ai/schema'
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
  | { readonly ok: false; readonly field: 'name' | 'hits'; readonly problem: string }

/** The breakpoint that a draft describes, in the plainest form that every agent understands; `id` is given to those that need one. */
export function matcherOf(draft: BreakpointDraft, id: string): DraftMatcher {
  const name = draft.name.trim()
  const pattern = isPattern(name)
  const test = pattern ? nameTest(name) : undefined
  if (test !== undefined && !test.ok) return { ok: false, field: 'name', problem: test.problem }
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

function isPattern(name: string): boolean {
  return /[*?]/.test(name) || /^\/.+\/[a-z]*$/s.test(name)
}

type NameTest = { readonly ok: true; readonly test: (name: string) => boolean } | { readonly ok: false; readonly problem: string }

function nameTest(text: string): NameTest {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? []
  try {
    // A glob becomes an expression without nested repeats; `*` is any text, `?` any character.
    const glob = `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`
    const expression = source === undefined ? new RegExp(glob, 's') : new RegExp(source, flags)
    return { ok: true, test: (name) => expression.test(name) }
  } catch (error) {
    return { ok: false, problem: `This is no regular expression: ${error instanceof Error ? error.message : String(error)}.` }
  }
}

/** The calls of a run that a draft would have held or marked, its condition left aside: only the agent can ask that. */
export function wouldMatch(picture: RunPicture, draft: BreakpointDraft): ReadonlySet<string> {
  const name = draft.name.trim()
  const test = isPattern(name) ? nameTest(name) : undefined
  const fits = (instance: InstancePicture) =>
    (draft.kinds.length === 0 || draft.kinds.includes(instance.kind)) &&
    (name === '' || (test === undefined ? instance.name === name : test.ok && test.test(instance.name))) &&
    (draft.point !== 'error' || instance.errors.length > 0) &&
    (draft.point !== 'after' || instance.status === 'ok')
  const matching = [...picture.instances.values()].filter(fits).sort((one, other) => one.startedAt - other.startedAt)
  const hits = draft.hits.trim() === '' ? undefined : parseHitCount(draft.hits.trim())
  const counted = matching.filter((_, index) => hits === undefined || (hits.ok && hits.holds(index + 1)))
  return new Set((draft.once ? counted.slice(0, 1) : counted).map((instance) => instance.id))
}
