import type { PausePicture, PausePoint, ResumeAction, RunInfo, RunPicture } from '@graphmind-ai/schema'
import { breakpointWords } from './breakpoints.ts'

/** Calls that wait, the one that waits longest first. */
export function waiters(picture: RunPicture): readonly PausePicture[] {
  return [...picture.pauses.values()]
    .filter((pause) => pause.released === undefined)
    .sort((one, other) => one.since - other.since || one.seq - other.seq)
}

/** Those of the run on the screen: none before its history is complete, which may tell that they went on long ago. */
export function heldNow(run: { readonly picture: RunPicture; readonly phase: string } | undefined): readonly PausePicture[] {
  return run?.phase === 'ready' ? waiters(run.picture) : []
}

export type PauseAction = 'continue' | 'step' | 'retry' | 'inject' | 'edit' | 'abort'

/** An action in the pause bar: offered, or shown with the reason why it isn't. */
export type Offer =
  | { readonly action: PauseAction; readonly offered: true }
  | { readonly action: PauseAction; readonly offered: false; readonly reason: string }

export const ACTION_WORDS: Record<PauseAction, string> = {
  continue: 'Continue',
  step: 'Step',
  retry: 'Retry',
  inject: 'Inject',
  edit: 'Edit',
  abort: 'Abort',
}

const ALL_ACTIONS = Object.keys(ACTION_WORDS) as PauseAction[]

/** What each action would do here, for tooltips. */
const EFFECTS: Record<PausePoint, Record<PauseAction, string>> = {
  before: {
    continue: 'Run the call',
    step: 'Run the call, stop at the next point',
    retry: 'Run again',
    inject: 'Give an output and skip the call',
    edit: 'Run the call with a changed input',
    abort: 'End the run',
  },
  after: {
    continue: 'Pass the result on',
    step: 'Pass the result on, stop at the next point',
    retry: 'Run the call again',
    inject: 'Replace the output',
    edit: 'Run the call again with a changed input',
    abort: 'End the run',
  },
  error: {
    continue: 'Let the error through',
    step: 'Let the error through, stop at the next point',
    retry: 'Run the call again',
    inject: 'Give an output instead of the error',
    edit: 'Run the call again with a changed input',
    abort: 'End the run',
  },
}

export function effectWords(action: PauseAction, point: PausePoint): string {
  return EFFECTS[point][action]
}

/**
 * How far a command for a held call is: on its way, taken by the agent (whose word that the call went on is not in the record yet), over
 * because the hold is, or refused.
 */
export type CommandState = 'sent' | 'taken' | 'done' | 'refused'

/** While it is, no second command can be given for the same hold. */
export function isInFlight(state: CommandState | undefined): boolean {
  return state === 'sent' || state === 'taken'
}

/** Every action with its availability: what this gate announced, what its point allows, and whether the agent can hear us. */
export function offers(pause: PausePicture, run: RunInfo | undefined, command: CommandState | undefined): readonly Offer[] {
  return ALL_ACTIONS.map((action) => {
    const reason = whyNot(action, pause, run, command)
    return reason === undefined ? { action, offered: true } : { action, offered: false, reason }
  })
}

function whyNot(action: PauseAction, pause: PausePicture, run: RunInfo | undefined, command: CommandState | undefined): string | undefined {
  if (command === 'sent') return 'Sent. Waiting for the agent.'
  if (command === 'taken') return 'The agent has taken a command for this call.'
  if (run?.source === 'import') return 'This run was imported: there is no agent to control.'
  if (run !== undefined && !run.live) return 'The agent’s control link is down; it lets held calls go on by itself.'
  const can = (wire: ResumeAction) => pause.actions.includes(wire)
  const unable = `The agent can’t ${action} at this point.`
  switch (action) {
    case 'retry':
      if (pause.point === 'before') return 'Nothing has run yet, so there is nothing to retry.'
      return can('retry') ? undefined : unable
    case 'inject':
      return can('inject') ? undefined : 'The agent can’t take a value here, for example because it doesn’t record outputs.'
    case 'edit':
      if (!pause.editable) return 'The agent doesn’t take a changed input for this call.'
      return can(pause.point === 'before' ? 'continue' : 'retry') ? undefined : unable
    case 'abort':
      return can('abort') ? undefined : unable
    default:
      return can('continue') ? undefined : unable
  }
}

export function pauseName(pause: PausePicture): string {
  const name = pause.name ?? pause.nodeId
  return pause.kind === undefined ? name : `${pause.kind} ${name}`
}

const POINT_WORDS: Record<PausePoint, string> = { before: 'before', after: 'after', error: 'on an error in' }

/** "Paused before tool search". */
export function pauseTitle(pause: PausePicture): string {
  return `Paused ${POINT_WORDS[pause.point]} ${pauseName(pause)}`
}

/** Why it waits, from the evidence the gate sent. */
export function whyItWaits(pause: PausePicture): string {
  switch (pause.reason) {
    case 'breakpoint':
      if (pause.smart !== undefined) return smartWords(pause.smart)
      return pause.matcher === undefined ? 'A breakpoint was hit.' : `Breakpoint: ${breakpointWords(pause.matcher)}.`
    case 'step':
      return 'Step mode stops at every point.'
    case 'loop':
      return LOOP_WORDS[pause.loop?.kind ?? ''] ?? 'The same call keeps coming back: the agent may be going in circles.'
    case 'error':
      return pause.error === undefined ? 'The call failed.' : `${pause.error.name}: ${pause.error.message}`
  }
}

const LOOP_WORDS: Readonly<Record<string, string>> = {
  cycle: 'The same few calls keep coming back with the same results: the agent may be going in circles.',
  'error-repeat': 'It keeps failing in the same way: the agent may be trying the same again and again.',
}

const RULE_WORDS: Readonly<Record<string, string>> = {
  'error-result': 'The tool’s result says that it failed.',
  'truncated-tool-call': 'The model was cut off while it asked for tools: what it asked for may not be whole.',
}

/** A rule of the agent's own, and the sign that it saw. */
function smartWords({ rule, detail }: NonNullable<PausePicture['smart']>): string {
  return [RULE_WORDS[rule] ?? `The agent’s rule “${rule}” holds it.`, detail ?? ''].join(' ').trimEnd()
}

export type Release = NonNullable<PausePicture['released']>

const DONE_WORDS: Record<ResumeAction, string> = { continue: 'Continued', retry: 'Retried', inject: 'Injected', abort: 'Aborted' }

/** How a hold ended; `mine` is undefined when nobody knows whose viewer it was. A lost link or a time-out is never told as a person's choice. */
export function releaseWords(release: Release, mine?: boolean): string {
  switch (release.cause) {
    case 'link-lost':
      return 'Let go: link lost'
    case 'timeout':
      return 'Let go: the hold timed out'
    case 'disposed':
      return 'Let go: the agent shut GraphMind down'
    case 'viewer': {
      const done = release.edited !== undefined ? `Edited and ${DONE_WORDS[release.action].toLowerCase()}` : DONE_WORDS[release.action]
      if (mine === true) return done
      return `${done} by ${release.operator ?? (mine === undefined ? 'a viewer' : 'another viewer')}`
    }
  }
}
