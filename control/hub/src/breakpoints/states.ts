import { type BreakpointMatcher, type BreakpointState, breakpointId } from '@graphmind-ai/schema'
import { missingCapabilities } from './debug-state.ts'

/** What is known of a breakpoint's past. */
export interface BreakpointRecord {
  readonly hits: number
  readonly lastError?: string | undefined
}

/** Where each breakpoint stands with the connected apps, and why it can't hit where it can't. */
export function breakpointStates(
  breakpoints: readonly BreakpointMatcher[],
  records: ReadonlyMap<string, BreakpointRecord>,
  apps: readonly (readonly string[])[],
): BreakpointState[] {
  return breakpoints.map((matcher) => {
    const id = breakpointId(matcher)
    const { hits, lastError } = records.get(id) ?? { hits: 0 }
    return { id, ...statusOf(matcher, lastError, apps), hits, ...(lastError === undefined ? {} : { lastError }) }
  })
}

function statusOf(
  matcher: BreakpointMatcher,
  lastError: string | undefined,
  apps: readonly (readonly string[])[],
): Pick<BreakpointState, 'status' | 'reason'> {
  if (matcher.enabled === false) return { status: 'disabled' }
  if (lastError !== undefined) return { status: 'failed', reason: 'It could not be asked the last time; it holds nothing until it can.' }
  if (apps.length === 0) return { status: 'waiting', reason: 'No program is connected.' }
  const missing = apps.map((capabilities) => missingCapabilities(matcher, capabilities))
  const unfit = missing.filter((capabilities) => capabilities.length > 0)
  if (unfit.length === 0) return { status: 'active' }
  const lacking = [...new Set(unfit.flat())].join(', ')
  return unfit.length === apps.length
    ? { status: 'impossible', reason: `The connected programs can’t do this (${lacking}). Update @graphmind-ai/client in them.` }
    : { status: 'active', reason: `${unfit.length} of ${apps.length} connected programs can’t do this (${lacking}).` }
}
