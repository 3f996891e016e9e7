import { type BreakpointMatcher, breakpointId, type NodeKind, type PausePoint, parseHitCount, reportsHits } from '@graphmind-ai/schema'
import { type Compiled, type Condition, compileNamePattern, compileWhere } from '@graphmind-ai/schema/conditions'
import { serialize } from '../record/serialize.ts'

/** What a matcher's cheap fields ask about a call. */
export interface ReachedCall {
  readonly point: PausePoint
  readonly kind: NodeKind
  readonly name: string
  readonly runId: string
  readonly explicitOnly?: true | undefined
}

/** A matcher made ready to be asked. */
export interface Breakpoint {
  readonly id: string
  readonly matcher: BreakpointMatcher
  /** Its hits are told by `breakpoint.hit`. */
  readonly reports: boolean
  /** The cheap part: point, kind, name and run. */
  readonly covers: (call: ReachedCall) => boolean
  readonly state:
    | { readonly name: 'ready'; readonly where: Condition | undefined; readonly countHolds: ((hits: number) => boolean) | undefined }
    /** Its condition's language is still being loaded. */
    | { readonly name: 'loading' }
    /** It can't be asked, and holds nothing. */
    | { readonly name: 'broken'; readonly problem: string }
}

/**
 * Makes a matcher ready; a promise when that takes loading a library, and then `loading` is what stands in for it meanwhile. An app
 * that gets nothing but contract matchers loads nothing. Never throws or rejects.
 */
export function compileBreakpoint(
  matcher: BreakpointMatcher,
): Breakpoint | { readonly loading: Breakpoint; readonly ready: Promise<Breakpoint> } {
  const { namePattern, where, hits } = matcher
  const pattern = namePattern === undefined ? undefined : compileNamePattern(namePattern)
  const count = hits === undefined ? undefined : parseHitCount(hits)
  const finish = (names: Compiled<(name: string) => boolean> | undefined, condition: Compiled<Condition> | undefined): Breakpoint => {
    const problem = [names, condition, count].find((part) => part?.ok === false)
    return {
      ...partsOf(matcher, names?.ok === true ? names.test : undefined),
      state:
        problem?.ok === false
          ? { name: 'broken', problem: problem.problem }
          : {
              name: 'ready',
              where: condition?.ok === true ? condition.test : undefined,
              countHolds: count?.ok === true ? count.holds : undefined,
            },
    }
  }
  if (where === undefined && !(pattern instanceof Promise)) return finish(pattern, undefined)
  const condition = where === undefined ? undefined : compileWhere(where, (value) => JSON.parse(serialize(value)))
  return {
    loading: { ...partsOf(matcher, undefined), state: { name: 'loading' } },
    ready: Promise.all([pattern, condition]).then(([names, read]) => finish(names, read)),
  }
}

function partsOf(matcher: BreakpointMatcher, namesFit: ((name: string) => boolean) | undefined): Omit<Breakpoint, 'state'> {
  const { kind, name, point = 'before', kinds, runId } = matcher
  return {
    id: breakpointId(matcher),
    matcher,
    reports: reportsHits(matcher),
    covers: (call) =>
      call.point === point &&
      (call.explicitOnly !== true || isExplicit(matcher)) &&
      (kind === undefined || kind === call.kind) &&
      (name === undefined || name === call.name) &&
      (runId === undefined || runId === call.runId) &&
      (kinds === undefined || kinds.includes(call.kind)) &&
      (namesFit === undefined || namesFit(call.name)),
  }
}

/** Whether a matcher says by name or kind what it means. */
function isExplicit({ kind, kinds, name, namePattern }: BreakpointMatcher): boolean {
  return kind !== undefined || kinds !== undefined || name !== undefined || (namePattern !== undefined && /[^*]/.test(namePattern))
}
