import { type BreakpointMatcher, breakpointId, type RunMode, sameBreakpoint } from '@graphmind-ai/schema'

/** What all viewers share and every app is armed with. */
export interface DebugState {
  readonly breakpoints: readonly BreakpointMatcher[]
  readonly mode: RunMode
}

/** Adds a matcher in place of the one with its id. The same state comes back when an equal one is there. */
export function withBreakpoint(
  state: DebugState,
  matcher: BreakpointMatcher,
): { readonly state: DebugState; readonly replaced: BreakpointMatcher | undefined } {
  const replaced = state.breakpoints.find((other) => sameBreakpoint(other, matcher))
  if (replaced !== undefined && sameFields(replaced, matcher)) return { state, replaced: undefined }
  return { state: { ...state, breakpoints: [...state.breakpoints.filter((other) => other !== replaced), matcher] }, replaced }
}

/** Takes the same breakpoint out; the same state comes back when it is not there. */
export function withoutBreakpoint(
  state: DebugState,
  matcher: BreakpointMatcher,
): { readonly state: DebugState; readonly removed: BreakpointMatcher | undefined } {
  const removed = state.breakpoints.find((other) => sameBreakpoint(other, matcher))
  if (removed === undefined) return { state, removed }
  return { state: { ...state, breakpoints: state.breakpoints.filter((other) => other !== removed) }, removed }
}

function sameFields({ id: _left, ...left }: BreakpointMatcher, { id: _right, ...right }: BreakpointMatcher): boolean {
  return breakpointId(left) === breakpointId(right)
}

/** Which capability a matcher field beyond the contract needs. `id` and `enabled` are for viewers alone. */
const EXTRA_FIELDS: Readonly<Record<string, string>> = {
  where: 'bp-where',
  hits: 'bp-hits',
  log: 'bp-log',
  runId: 'bp-run',
  once: 'bp-once',
  namePattern: 'bp-pattern',
  kinds: 'bp-pattern',
}

/** The capabilities an app needs for this matcher and did not announce. */
export function missingCapabilities(matcher: BreakpointMatcher, capabilities: readonly string[]): string[] {
  const needed = Object.entries(matcher).flatMap(([field, value]) => (value === undefined ? [] : (EXTRA_FIELDS[field] ?? [])))
  return [...new Set(needed)].filter((capability) => !capabilities.includes(capability))
}

/** The matcher as this app may get it, or undefined: an app that does not know a condition would hold where it should not. */
export function matcherForApp(matcher: BreakpointMatcher, capabilities: readonly string[]): BreakpointMatcher | undefined {
  return matcher.enabled === false || missingCapabilities(matcher, capabilities).length > 0 ? undefined : matcher
}
