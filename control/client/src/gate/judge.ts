import type { BreakpointMatcher, PauseReason } from '@graphmind-ai/schema'
import type { ConditionFacts } from '@graphmind-ai/schema/conditions'
import type { Breakpoint, ReachedCall } from './breakpoint.ts'
import type { SmartFacts } from './smart.ts'
import type { Armed, Findings, LoopFacts } from './state.ts'

/** Why a gate holds: the matcher for a breakpoint, or the rule that was one of its own; the calls for a loop. */
export interface HoldReason {
  readonly reason: PauseReason
  readonly matcher?: BreakpointMatcher
  readonly loop?: LoopFacts
  readonly smart?: SmartFacts
}

/** What a breakpoint has to say about a call, beside holding it. */
export interface Report {
  readonly id: string
  readonly logged: boolean
  readonly error?: string
}

export interface Judgement {
  /** The breakpoints with their counts brought up to date. */
  readonly armed: Armed
  readonly reports: readonly Report[]
  readonly why: HoldReason | undefined
}

/**
 * Whether a reached gate holds. Every breakpoint that covers the call counts it, so that counts and log points do not depend on the
 * order they were set in; the first one that holds is the reason. Breakpoints speak before what
 * the call's result and the loop guard say, and those before step mode.
 */
export function judge(armed: Armed, call: ReachedCall, facts: ConditionFacts, { loop, smart }: Findings): Judgement {
  const covering = armed.breakpoints.filter((breakpoint) => breakpoint.covers(call))
  const reports: Report[] = []
  let { hits, failures, breakpoints } = armed
  let why: HoldReason | undefined
  for (const breakpoint of covering) {
    const { id, matcher } = breakpoint
    const answer = ask(breakpoint, facts)
    if ('error' in answer) {
      // Said once: a condition that fails at every call must not become an event at every call.
      if (failures.get(id) !== answer.error) reports.push({ id, logged: false, error: answer.error })
      failures = new Map(failures).set(id, answer.error)
      continue
    }
    if (!answer.hit) continue
    const count = (hits.get(id) ?? 0) + 1
    hits = new Map(hits).set(id, count)
    if (!answer.countHolds(count)) continue
    const isLogged = matcher.log === true
    if (breakpoint.reports) reports.push({ id, logged: isLogged })
    if (matcher.once === true) breakpoints = breakpoints.filter((other) => other !== breakpoint)
    if (!isLogged) why ??= { reason: call.point === 'error' ? 'error' : 'breakpoint', matcher }
  }
  // Peers of the contract know four reasons, so this is a breakpoint to them.
  if (smart !== undefined) why ??= { reason: 'breakpoint', smart }
  if (loop !== undefined) why ??= { reason: 'loop', loop }
  if (stepHolds(armed, call)) why ??= { reason: 'step' }
  return { armed: { ...armed, breakpoints, hits, failures }, reports, why }
}

/** Whether a call might be held once its facts are known: what can't be asked yet, a condition or a count, counts as met. */
export function mightHold({ breakpoints, mode }: Armed, call: ReachedCall): boolean {
  if (stepHolds({ mode }, call)) return true
  return breakpoints.some(({ state, matcher, covers }) => state.name !== 'broken' && matcher.log !== true && covers(call))
}

/** Whether step mode alone holds a call. */
export function stepHolds({ mode }: Pick<Armed, 'mode'>, { point, explicitOnly }: ReachedCall): boolean {
  return mode === 'step' && point !== 'after' && explicitOnly !== true
}

const always = () => true

function ask({ state }: Breakpoint, facts: ConditionFacts) {
  switch (state.name) {
    case 'broken':
      return { error: state.problem }
    case 'loading':
      return { hit: false, countHolds: always }
    case 'ready': {
      const verdict = state.where?.(facts) ?? { holds: true }
      return 'error' in verdict ? verdict : { hit: verdict.holds, countHolds: state.countHolds ?? always }
    }
  }
}
