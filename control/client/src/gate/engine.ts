import { findForbiddenMarker, type RefusalCode } from '@graphmind-ai/schema'
import { holdReason, sameMatcher } from './matcher.ts'
import type { GateEffect, GateInput, GateState, GateStep, Hold, ReleaseCause, Resume } from './state.ts'

type Reached = Extract<GateInput, { type: 'reached' }>
type Checked = Extract<GateInput, { type: 'checked' }>

/** One decision of the gate: no clock, no timer, no I/O. Every held call is released by exactly one `release` effect. */
export function step(state: GateState, input: GateInput): GateStep {
  switch (input.type) {
    case 'attached':
      if (state.disposed) return unchanged(state)
      return { state: { ...state, armed: { breakpoints: input.breakpoints, mode: input.mode } }, effects: [] }
    case 'breakpoint.set':
    case 'breakpoint.clear': {
      if (state.armed === undefined) return unchanged(state)
      const others = state.armed.breakpoints.filter((matcher) => !sameMatcher(matcher, input.matcher))
      const breakpoints = input.type === 'breakpoint.set' ? [...others, input.matcher] : others
      return { state: { ...state, armed: { ...state.armed, breakpoints } }, effects: [] }
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
    case 'timeout': {
      const hold = state.holds.get(input.pauseId)
      if (hold === undefined) return unchanged(state)
      return { state: withoutHold(state, input.pauseId), effects: [letGo(state, input.pauseId, hold, 'timeout', input.nowMs)] }
    }
    case 'link-lost':
      return releaseAll({ ...state, armed: undefined }, 'link-lost', input.nowMs)
    case 'dispose':
      return releaseAll({ ...state, armed: undefined, disposed: true }, 'disposed', input.nowMs)
    case 'run-ended': {
      if (!state.abortedRuns.has(input.runId)) return unchanged(state)
      const abortedRuns = new Set(state.abortedRuns)
      abortedRuns.delete(input.runId)
      return { state: { ...state, abortedRuns }, effects: [] }
    }
  }
}

function reached(state: GateState, input: Reached): GateStep {
  const { pauseId } = input
  if (state.abortedRuns.has(input.runId)) return { state, effects: [{ type: 'pass', pauseId, action: 'abort' }] }
  const why = state.armed === undefined ? undefined : holdReason(state.armed, input.point, input.node)
  if (why === undefined) return { state, effects: [{ type: 'pass', pauseId, action: 'continue' }] }
  const { runId, point, actions, edits, nowMs } = input
  const hold: Hold = { runId, point, actions, edits, sinceMs: nowMs, check: undefined }
  return { state: withHold(state, pauseId, hold), effects: [{ type: 'hold', pauseId, ...why }] }
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
