import { findForbiddenMarker, type RefusalCode, sameBreakpoint } from '@graphmind-ai/schema'
import type { Breakpoint, ReachedCall } from './breakpoint.ts'
import { judge, stepHolds } from './judge.ts'
import type { Armed, GateEffect, GateInput, GateState, GateStep, Hold, ReleaseCause, Resume } from './state.ts'

type Reached = Extract<GateInput, { type: 'reached' }>
type Checked = Extract<GateInput, { type: 'checked' }>

/** One decision of the gate: no clock, no timer, no I/O. Every held call is released by exactly one `release` effect. */
export function step(state: GateState, input: GateInput): GateStep {
  switch (input.type) {
    case 'attached':
      if (state.disposed) return unchanged(state)
      return { state: { ...state, armed: armedWith(input.breakpoints, { ...state.counted, mode: input.mode }) }, effects: [] }
    case 'breakpoint.set': {
      if (state.armed === undefined) return unchanged(state)
      const { breakpoint } = input
      const others = state.armed.breakpoints.filter(({ matcher }) => !sameBreakpoint(matcher, breakpoint.matcher))
      return { state: { ...state, armed: armedWith([...others, breakpoint], state.armed) }, effects: [] }
    }
    case 'breakpoint.clear': {
      if (state.armed === undefined) return unchanged(state)
      const others = state.armed.breakpoints.filter(({ matcher }) => !sameBreakpoint(matcher, input.matcher))
      return { state: { ...state, armed: armedWith(others, state.armed) }, effects: [] }
    }
    case 'mode.set':
      if (state.armed === undefined) return unchanged(state)
      return { state: { ...state, armed: { ...state.armed, mode: input.mode } }, effects: [] }
    case 'reached':
      return reached(state, input)
    case 'resume':
      return resume(state, input.resume, input.nowMs)
    case 'checked':
      return checked(state, input)
    case 'timeout':
    case 'withdrawn': {
      const hold = state.holds.get(input.pauseId)
      if (hold === undefined) return unchanged(state)
      const cause = input.type === 'timeout' ? 'timeout' : 'disposed'
      return { state: withoutHold(state, input.pauseId), effects: [letGo(state, input.pauseId, hold, cause, input.nowMs)] }
    }
    case 'link-lost':
      return releaseAll(disarmed(state), 'link-lost', input.nowMs)
    case 'dispose':
      return releaseAll({ ...disarmed(state), disposed: true }, 'disposed', input.nowMs)
    case 'run-ended': {
      if (!state.abortedRuns.has(input.runId)) return unchanged(state)
      const abortedRuns = new Set(state.abortedRuns)
      abortedRuns.delete(input.runId)
      return { state: { ...state, abortedRuns }, effects: [] }
    }
  }
}

/** Whether anything could come of a call that reached a gate. Most calls concern nobody, and should not pay for a decision. */
export function concerns({ armed, abortedRuns }: GateState, call: ReachedCall): boolean {
  if (abortedRuns.has(call.runId)) return true
  if (armed === undefined) return false
  // Log points and broken conditions hold nothing, but have something to say.
  return stepHolds(armed, call) || armed.breakpoints.some((breakpoint) => breakpoint.covers(call))
}

function reached(state: GateState, input: Reached): GateStep {
  const { pauseId, runId, point, facts, findings, explicitOnly } = input
  if (state.abortedRuns.has(runId)) return { state, effects: [{ type: 'pass', pauseId, action: 'abort' }] }
  if (state.armed === undefined) return { state, effects: [{ type: 'pass', pauseId, action: 'continue' }] }
  const { armed, reports, why } = judge(state.armed, { point, kind: facts.kind, name: facts.name, runId, explicitOnly }, facts, findings)
  const effects: GateEffect[] = reports.map((report) => ({ type: 'report', ...report }))
  const next = { ...state, armed }
  if (why === undefined) return { state: next, effects: [...effects, { type: 'pass', pauseId, action: 'continue' }] }
  const { actions, edits, nowMs } = input
  const hold: Hold = { runId, point, actions, edits, sinceMs: nowMs, check: undefined }
  return { state: withHold(next, pauseId, hold), effects: [...effects, { type: 'hold', pauseId, ...why }] }
}

/** Arms these breakpoints; those that were set before keep their counts. */
function armedWith(breakpoints: readonly Breakpoint[], { mode, hits, failures }: Omit<Armed, 'breakpoints'>): Armed {
  const ids = new Set(breakpoints.map(({ id }) => id))
  const kept = <Value>(counts: ReadonlyMap<string, Value>) => new Map([...counts].filter(([id]) => ids.has(id)))
  return { breakpoints, mode, hits: kept(hits), failures: kept(failures) }
}

function disarmed(state: GateState): GateState {
  return { ...state, armed: undefined, counted: state.armed ?? state.counted }
}

function resume(state: GateState, command: Resume, nowMs: number): GateStep {
  const { pauseId, action } = command
  const hold = state.holds.get(pauseId)
  // Released already: a repeated command is harmless.
  if (hold === undefined) return unchanged(state)
  const problem = problemOf(hold, command)
  if (problem !== undefined) return { state, effects: [{ type: 'refuse', pauseId, ...problem, ...requestIdOf(command) }] }
  if (command.input !== undefined) {
    const check = { id: state.nextCheck, action, ...requestIdOf(command) }
    const next = withHold({ ...state, nextCheck: state.nextCheck + 1 }, pauseId, { ...hold, check })
    return { state: next, effects: [{ type: 'check', pauseId, check: check.id, input: command.input }] }
  }
  const release: GateEffect = {
    type: 'release',
    pauseId,
    action,
    cause: 'viewer',
    heldMs: nowMs - hold.sinceMs,
    ...(action === 'inject' ? { injected: { output: command.output } } : {}),
    ...requestIdOf(command),
  }
  const next = withoutHold(state, pauseId)
  if (action !== 'abort') return { state: next, effects: [release] }
  const abortedRuns = new Set(next.abortedRuns).add(hold.runId)
  return { state: { ...next, abortedRuns }, effects: [{ type: 'abort-run', runId: hold.runId }, release] }
}

function problemOf(hold: Hold, command: Resume): { code: RefusalCode; message: string } | undefined {
  const { action, output, input } = command
  if (!hold.actions.includes(action))
    return { code: 'unsupported', message: `This gate can't ${action}. It can ${hold.actions.join(', ')}.` }
  const marker = findForbiddenMarker(action === 'inject' ? output : input)
  if (marker === 'placeholder') return { code: marker, message: 'The value holds the placeholder of a hidden value. Write the real value.' }
  if (marker === 'truncated') return { code: marker, message: 'The value was cut to be shown. Write the whole value.' }
  if (input === undefined) return undefined
  const editingAction = hold.point === 'before' ? 'continue' : 'retry'
  if (action !== editingAction)
    return { code: 'unsupported', message: `At this point an edited input goes with ${editingAction}, not ${action}.` }
  switch (hold.edits) {
    case 'allowed':
      return undefined
    case 'disabled':
      return { code: 'disabled', message: 'Edits are turned off by GRAPHMIND_DISABLE_EDIT_INPUT in the program.' }
    case 'unsupported':
      return { code: 'unsupported', message: 'The input of this call can’t be edited here.' }
  }
}

function checked(state: GateState, input: Checked): GateStep {
  const { pauseId, result, nowMs } = input
  const hold = state.holds.get(pauseId)
  if (hold?.check === undefined || hold.check.id !== input.check) return unchanged(state)
  const { action } = hold.check
  const requestId = requestIdOf(hold.check)
  if (result.ok) {
    const edited = { after: result.value }
    const effect: GateEffect = { type: 'release', pauseId, action, cause: 'viewer', heldMs: nowMs - hold.sinceMs, edited, ...requestId }
    return { state: withoutHold(state, pauseId), effects: [effect] }
  }
  const { code, message } = result
  return {
    state: withHold(state, pauseId, { ...hold, check: undefined }),
    effects: [{ type: 'refuse', pauseId, code, message, ...requestId }],
  }
}

function releaseAll(state: GateState, cause: ReleaseCause, nowMs: number): GateStep {
  const effects = [...state.holds].map(([pauseId, hold]) => letGo(state, pauseId, hold, cause, nowMs))
  return { state: { ...state, holds: new Map() }, effects }
}

// A gate that lets go by itself in an aborted run must not start the work that a person called off.
function letGo(state: GateState, pauseId: string, hold: Hold, cause: ReleaseCause, nowMs: number): GateEffect {
  const action = state.abortedRuns.has(hold.runId) ? 'abort' : 'continue'
  return { type: 'release', pauseId, action, cause, heldMs: nowMs - hold.sinceMs }
}

function withHold(state: GateState, pauseId: string, hold: Hold): GateState {
  return { ...state, holds: new Map(state.holds).set(pauseId, hold) }
}

function withoutHold(state: GateState, pauseId: string): GateState {
  const holds = new Map(state.holds)
  holds.delete(pauseId)
  return { ...state, holds }
}

function requestIdOf(command: { readonly requestId?: string }): { requestId?: string } {
  return command.requestId === undefined ? {} : { requestId: command.requestId }
}

function unchanged(state: GateState): GateStep {
  return { state, effects: [] }
}
