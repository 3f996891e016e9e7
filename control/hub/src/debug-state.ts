import type { BreakpointMatcher, RunMode } from '@graphmind-ai/schema'

/** What all viewers share and every app is armed with. */
export interface DebugState {
  readonly breakpoints: readonly BreakpointMatcher[]
  readonly mode: RunMode
}

/** Adds a matcher unless an identical one is there: then the same state comes back. */
export function withBreakpoint(state: DebugState, matcher: BreakpointMatcher): DebugState {
  const key = matcherKey(matcher)
  if (state.breakpoints.some((other) => matcherKey(other) === key)) return state
  return { ...state, breakpoints: [...state.breakpoints, matcher] }
}

/** Removes the identical matcher; without one the same state comes back. */
export function withoutBreakpoint(state: DebugState, matcher: BreakpointMatcher): DebugState {
  const key = matcherKey(matcher)
  const breakpoints = state.breakpoints.filter((other) => matcherKey(other) !== key)
  return breakpoints.length === state.breakpoints.length ? state : { ...state, breakpoints }
}

/** Equal for matchers whose fields are equal, in whatever order they were written. */
export function matcherKey(matcher: BreakpointMatcher): string {
  return JSON.stringify(sorted(matcher))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
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

/** The matcher as this app may get it, or undefined: an app that does not know a condition would hold where it should not. */
export function matcherForApp(matcher: BreakpointMatcher, capabilities: readonly string[]): BreakpointMatcher | undefined {
  if (matcher['enabled'] === false) return undefined
  const needed = Object.keys(matcher).flatMap((field) => EXTRA_FIELDS[field] ?? [])
  return needed.every((capability) => capabilities.includes(capability)) ? matcher : undefined
}
