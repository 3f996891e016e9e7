import type { BreakpointMatcher, NodeKind, PausePoint, PauseReason, RunMode } from '@graphmind-ai/schema'

/** The two facts of a call that a contract matcher can ask for. */
export interface MatchedNode {
  readonly kind: NodeKind
  readonly name: string
}

/** Why a gate holds, and the matcher that said so when one did. */
export interface HoldReason {
  readonly reason: PauseReason
  readonly matcher?: BreakpointMatcher
}

/** Every present field must be equal; an absent `point` means `before`, so `{}` is every call before it starts. */
export function matches(matcher: BreakpointMatcher, point: PausePoint, node: MatchedNode): boolean {
  if ((matcher.point ?? 'before') !== point) return false
  if (matcher.kind !== undefined && matcher.kind !== node.kind) return false
  return matcher.name === undefined || matcher.name === node.name
}

/** Whether a reached gate holds: a breakpoint speaks before step mode, and step mode holds before calls and at errors. */
export function holdReason(
  armed: { readonly breakpoints: readonly BreakpointMatcher[]; readonly mode: RunMode },
  point: PausePoint,
  node: MatchedNode,
): HoldReason | undefined {
  for (const matcher of armed.breakpoints) {
    if (matches(matcher, point, node)) return { reason: point === 'error' ? 'error' : 'breakpoint', matcher }
  }
  return armed.mode === 'step' && point !== 'after' ? { reason: 'step' } : undefined
}

/** Two matchers are one breakpoint when all their fields are equal, in any order of keys. */
export function sameMatcher(left: BreakpointMatcher, right: BreakpointMatcher): boolean {
  return sameValue(left, right)
}

function sameValue(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return Object.is(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const rightFields = new Map(presentFields(right))
  const leftFields = presentFields(left)
  return (
    leftFields.length === rightFields.size &&
    leftFields.every(([key, value]) => rightFields.has(key) && sameValue(value, rightFields.get(key)))
  )
}

function presentFields(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined)
}
