import { type InstancePicture, type PausePoint, parseHitCount, type RunPicture } from '@graphmind-ai/schema'
import { type Condition, type ConditionFacts, compileNamePattern, compileWhere } from '@graphmind-ai/schema/conditions'
import { type BreakpointDraft, isPattern } from './breakpoint-draft.ts'

/** A name or a condition as the agent would read it, or what is wrong with its text. */
type Part<Test> = { readonly test: Test } | { readonly problem: string } | undefined

export interface DraftCheck {
  readonly name: Part<(name: string) => boolean>
  readonly where: Part<Condition>
}

export const UNCHECKED: DraftCheck = { name: undefined, where: undefined }

/** Reads the name pattern and the condition of a draft just as an agent does. Never rejects. */
export async function checkDraft({ name, where }: Pick<BreakpointDraft, 'name' | 'where'>): Promise<DraftCheck> {
  const pattern = name.trim()
  const condition = where.trim()
  const [names, holds] = await Promise.all([
    isPattern(pattern) ? compileNamePattern(pattern) : undefined,
    // What is in the picture was recorded, so it is plain already.
    condition === '' ? undefined : compileWhere(condition, (value) => value),
  ])
  return {
    name:
      names === undefined ? (pattern === '' ? undefined : { test: (text) => text === pattern }) : names.ok ? { test: names.test } : names,
    where: holds === undefined ? undefined : holds.ok ? { test: holds.test } : holds,
  }
}

export function problemOf(part: Part<unknown>): string | undefined {
  return part !== undefined && 'problem' in part ? part.problem : undefined
}

export interface WouldMatch {
  readonly ids: ReadonlySet<string>
  /** Calls for which the condition could not be answered, and what was wrong with the last of them. */
  readonly failed: number
  readonly lastError: string | undefined
}

/** The calls of a run that a draft would have held or marked. */
export function wouldMatch(picture: RunPicture, draft: BreakpointDraft, check: DraftCheck): WouldMatch {
  let failed = 0
  let lastError: string | undefined
  const holds = (instance: InstancePicture): boolean => {
    if (check.where === undefined) return true
    if ('problem' in check.where) return false
    const verdict = check.where.test(factsAt(instance, draft.point))
    if ('holds' in verdict) return verdict.holds
    failed += 1
    lastError = verdict.error
    return false
  }
  const matching = callsAt(picture, draft, check).filter(holds)
  const hits = draft.hits.trim() === '' ? undefined : parseHitCount(draft.hits.trim())
  const counted = matching.filter((_, index) => hits === undefined || (hits.ok && hits.holds(index + 1)))
  return { ids: new Set((draft.once ? counted.slice(0, 1) : counted).map((instance) => instance.id)), failed, lastError }
}

/** The calls that reached the draft's point and fit its kinds and name, in the order they started. */
export function callsAt(picture: RunPicture, draft: BreakpointDraft, { name }: DraftCheck): readonly InstancePicture[] {
  const fits = (instance: InstancePicture) =>
    (draft.kinds.length === 0 || draft.kinds.includes(instance.kind)) &&
    (name === undefined || ('test' in name && name.test(instance.name))) &&
    (draft.point !== 'error' || instance.errors.length > 0) &&
    (draft.point !== 'after' || instance.status === 'ok')
  return [...picture.instances.values()].filter(fits).sort((one, other) => one.startedAt - other.startedAt)
}

/** What a condition can ask of a call at this point: before it there is no result yet. */
export function factsAt({ name, kind, input, output, usage, errors, durationMs }: InstancePicture, point: PausePoint): ConditionFacts {
  const asked = { name, kind, ...(input === undefined ? {} : { input }) }
  if (point === 'before') return asked
  const error = errors.at(-1)
  return {
    ...asked,
    ...(durationMs === undefined ? {} : { duration: durationMs }),
    ...(point === 'error' ? (error === undefined ? {} : { error }) : output === undefined ? {} : { output }),
    ...(point === 'after' && usage !== undefined ? { usage } : {}),
  }
}
