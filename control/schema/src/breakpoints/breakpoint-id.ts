import type { BreakpointMatcher } from '../primitives.ts'

/** The fields of the base contract: a matcher with these alone is known to every client and needs no id. */
const BASE_FIELDS = new Set(['kind', 'name', 'point'])

/** Equal for matchers whose fields are equal, in whatever order they were written. */
export function matcherKey(matcher: BreakpointMatcher): string {
  return JSON.stringify(sorted(matcher))
}

/** What a breakpoint is called in `breakpoint.hit` and in the `breakpoints` message: its id, or its fields when it has none. */
export function breakpointId(matcher: BreakpointMatcher): string {
  return matcher.id ?? matcherKey(matcher)
}

/** Two matchers are one breakpoint when they carry the same id, or, without ids, when all their fields are equal. */
export function sameBreakpoint(left: BreakpointMatcher, right: BreakpointMatcher): boolean {
  return breakpointId(left) === breakpointId(right)
}

/** Whether apps report the hits of this breakpoint by `breakpoint.hit`; those of a plain one are told by exec.paused alone. */
export function reportsHits(matcher: BreakpointMatcher): boolean {
  return Object.entries(matcher).some(([field, value]) => value !== undefined && !BASE_FIELDS.has(field))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
}
