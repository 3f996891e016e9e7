import type { PausePicture } from '@graphmind-ai/schema'
import { heldNow, offers, type PauseAction } from '../model/pauses.ts'
import type { Viewer } from '../ui/viewer-context.tsx'
import type { Command, CommandContext } from './command.ts'
import { selectInstance } from './run-view.ts'

const onWaiters = (context: CommandContext) => (currentWaiter(context) === undefined ? 'Nothing waits.' : undefined)

function pauseCommand(action: PauseAction, title: string, keys: readonly string[]): Command {
  return {
    id: `pause.${action}`,
    group: 'Held call',
    title,
    keys,
    unavailable: (context) => offerOf(context, action),
    run: (context) => performPauseAction(context, action),
  }
}

function continueAllCommand(which: 'all' | 'all-but-errors', title: string, keys: readonly string[]): Command {
  const errorsToo = which === 'all'
  return {
    id: `pause.continue-${which}`,
    group: 'Held call',
    title,
    keys,
    unavailable: (context) => (continuable(context, errorsToo).length === 0 ? 'No such call waits.' : undefined),
    run: (context) => continueAll(context, errorsToo),
  }
}

/** What can be done with held calls. */
export const HELD_CALL_COMMANDS: readonly Command[] = [
  pauseCommand('continue', 'Continue', ['c', 'F8']),
  continueAllCommand('all', 'Continue all held calls', ['Shift+C']),
  continueAllCommand('all-but-errors', 'Continue all held calls but errors', []),
  pauseCommand('step', 'Step', ['s', 'F10']),
  pauseCommand('retry', 'Retry', ['r']),
  pauseCommand('inject', 'Inject a value', ['i']),
  pauseCommand('edit', 'Edit the input', ['e']),
  pauseCommand('abort', 'Abort the run (asks once)', ['Shift+F8']),
  {
    id: 'pause.jump',
    group: 'Held call',
    title: 'Jump to the held call',
    keys: ['j'],
    unavailable: onWaiters,
    run(context) {
      const pause = currentWaiter(context)
      if (pause?.instanceId !== undefined) selectInstance(context, pause.instanceId)
    },
  },
  {
    id: 'pause.next',
    group: 'Held call',
    title: 'Next held call',
    keys: ['n'],
    unavailable: onWaiters,
    run: (context) => walkWaiters(context, 1),
  },
  {
    id: 'pause.previous',
    group: 'Held call',
    title: 'Previous held call',
    keys: ['p'],
    unavailable: onWaiters,
    run: (context) => walkWaiters(context, -1),
  },
]

/** The waiter that the pause bar shows. */
function currentWaiter({ store, workbench }: Viewer): PausePicture | undefined {
  const run = store.getState().run
  // In the past nothing can be let go.
  if (run === undefined || run.asOf !== undefined) return undefined
  const waiting = heldNow(run)
  return waiting.find((pause) => pause.pauseId === workbench.getState().waiterId) ?? waiting[0]
}

/** Why an action can't be taken for the call that the pause bar shows, undefined when it can. */
function offerOf(context: Viewer, action: PauseAction): string | undefined {
  const pause = currentWaiter(context)
  if (context.store.getState().run?.asOf !== undefined) return 'This is the past. Esc returns to now.'
  if (pause === undefined) return 'Nothing waits.'
  const { requests, runs, run } = context.store.getState()
  const info = run === undefined ? undefined : runs?.get(run.runId)
  const offer = offers(pause, info, requests.get(pause.pauseId)?.state).find((candidate) => candidate.action === action)
  return offer?.offered === false ? offer.reason : undefined
}

/** Does what the pause bar's button for this action does. */
export function performPauseAction(context: Viewer, action: PauseAction): void {
  const pause = currentWaiter(context)
  if (pause === undefined || offerOf(context, action) !== undefined) return
  const { workbench, actions, store } = context
  switch (action) {
    case 'inject':
    case 'edit':
      workbench.setState({ editor: { pauseId: pause.pauseId, kind: action } })
      return
    case 'abort':
      workbench.setState({ confirmAbort: pause.pauseId })
      return
    case 'step':
      if (store.getState().mode !== 'step') {
        actions.setMode('step')
        workbench.setState({ stepping: true })
      }
      sendResume(context, pause, 'continue')
      return
    case 'continue':
      // Step mode that a Step press switched on ends with Continue; one that the switch set stays.
      if (workbench.getState().stepping) {
        actions.setMode('run')
        workbench.setState({ stepping: false })
      }
      sendResume(context, pause, 'continue')
      return
    case 'retry':
      sendResume(context, pause, 'retry')
  }
}

/** Sends a plain command for a held call and marks the moment, so that the time to its release can be measured. */
export function sendResume({ actions }: Viewer, pause: PausePicture, action: 'continue' | 'retry' | 'abort'): void {
  performance.mark(`gm:resume-sent:${pause.pauseId}`)
  actions.resume(pause.pauseId, { action })
}

/** Shows the next waiter, or the one before, in the pause bar. */
function walkWaiters(context: CommandContext, step: 1 | -1): void {
  const run = context.store.getState().run
  const waiting = heldNow(run)
  const current = currentWaiter(context)
  const index = waiting.findIndex((pause) => pause.pauseId === current?.pauseId)
  const next = waiting[(index + step + waiting.length) % waiting.length]
  if (next !== undefined) context.workbench.setState({ waiterId: next.pauseId, editor: undefined })
}

/** The calls that a command for all of them would let go: of those that wait, the ones whose agent takes a Continue now. */
export function continuable({ store }: Viewer, errorsToo: boolean): readonly PausePicture[] {
  const { run, runs, requests } = store.getState()
  if (run === undefined || run.asOf !== undefined) return []
  const info = runs?.get(run.runId)
  return heldNow(run).filter(
    (pause) =>
      (errorsToo || pause.point !== 'error') &&
      offers(pause, info, requests.get(pause.pauseId)?.state).some(({ action, offered }) => action === 'continue' && offered),
  )
}

/** Lets every held call of the run go on; `errorsToo` false leaves those that failed. */
export function continueAll(context: Viewer, errorsToo: boolean): void {
  for (const pause of continuable(context, errorsToo)) sendResume(context, pause, 'continue')
}
