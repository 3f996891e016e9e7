import type { PausePicture } from '@graphmind-ai/schema'
import { readSelection, runAddress } from './model/address.ts'
import { beforeNode, findBreakpoint } from './model/breakpoints.ts'
import { offers, type PauseAction, waiters } from './model/pauses.ts'
import { nodeOf } from './model/rows.ts'
import { prettyJson } from './model/values.ts'
import type { Viewer } from './ui/viewer-context.tsx'
import { togglePanel, toggleTheme } from './ui/workbench.ts'

/** What a command acts on. */
export interface CommandContext extends Viewer {
  /** Path and query of the page. */
  readonly address: { readonly path: string; readonly query: string }
  readonly navigate: (address: string, options?: { replace?: boolean }) => void
}

export interface Command {
  readonly id: string
  readonly group: 'Held call' | 'Run' | 'View' | 'Go'
  readonly title: string
  /** `c`, `F8`, `Shift+F8`, `Alt+ArrowUp`, or one after the other: `g r`. */
  readonly keys: readonly string[]
  /** The keys as people read them. */
  readonly shown: string
  /** Why it can't be used now, or undefined when it can. */
  readonly unavailable: (context: CommandContext) => string | undefined
  readonly run: (context: CommandContext) => void
}

/** The waiter that the pause bar shows. */
export function currentWaiter({ store, workbench }: Viewer): PausePicture | undefined {
  const run = store.getState().run
  if (run === undefined) return undefined
  const waiting = waiters(run.picture)
  return waiting.find((pause) => pause.pauseId === workbench.getState().waiterId) ?? waiting[0]
}

function offerOf(context: Viewer, action: PauseAction): string | undefined {
  const pause = currentWaiter(context)
  if (pause === undefined) return 'Nothing waits.'
  const { requests, runs, run } = context.store.getState()
  const info = run === undefined ? undefined : runs?.get(run.runId)
  const offer = offers(pause, info, requests.get(pause.pauseId)?.state === 'sent').find((candidate) => candidate.action === action)
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

function selectInstance(context: CommandContext, instanceId: string | undefined): void {
  const run = context.store.getState().run
  if (run !== undefined) context.navigate(runAddress(run.runId, { instanceId }), { replace: true })
}

function selectedInstance(context: CommandContext) {
  const { instanceId } = readSelection(context.address.query)
  return instanceId === undefined ? undefined : context.store.getState().run?.picture.instances.get(instanceId)
}

function walkWaiters(context: CommandContext, step: 1 | -1): void {
  const run = context.store.getState().run
  const waiting = run === undefined ? [] : waiters(run.picture)
  const current = currentWaiter(context)
  const index = waiting.findIndex((pause) => pause.pauseId === current?.pauseId)
  const next = waiting[(index + step + waiting.length) % waiting.length]
  if (next !== undefined) context.workbench.setState({ waiterId: next.pauseId, editor: undefined })
}

function walkInstances(context: CommandContext, step: 1 | -1): void {
  const selected = selectedInstance(context)
  const run = context.store.getState().run
  if (selected === undefined || run === undefined) return
  const ids = nodeOf(run.picture, selected.nodeId)?.instanceIds ?? []
  const next = ids[ids.indexOf(selected.id) + step]
  if (next !== undefined) selectInstance(context, next)
}

const always = () => undefined
const onRun = ({ store }: CommandContext) => (store.getState().run === undefined ? 'Open a run first.' : undefined)
const onSelection = (context: CommandContext) => (selectedInstance(context) === undefined ? 'Select a step first.' : undefined)
const onGraph = ({ workbench }: CommandContext) => (workbench.getState().graph === undefined ? 'No graph is shown.' : undefined)
const onWaiters = (context: CommandContext) => (currentWaiter(context) === undefined ? 'Nothing waits.' : undefined)

function pauseCommand(action: PauseAction, title: string, keys: readonly string[], shown: string): Command {
  return {
    id: `pause.${action}`,
    group: 'Held call',
    title,
    keys,
    shown,
    unavailable: (context) => offerOf(context, action),
    run: (context) => performPauseAction(context, action),
  }
}

/** Every command once: keys, tooltips and the help sheet are made from this table. */
export const COMMANDS: readonly Command[] = [
  pauseCommand('continue', 'Continue', ['c', 'F8'], 'C or F8'),
  pauseCommand('step', 'Step', ['s', 'F10'], 'S or F10'),
  pauseCommand('retry', 'Retry', ['r'], 'R'),
  pauseCommand('inject', 'Inject a value', ['i'], 'I'),
  pauseCommand('edit', 'Edit the input', ['e'], 'E'),
  pauseCommand('abort', 'Abort the run (asks once)', ['Shift+F8'], '⇧F8'),
  {
    id: 'pause.jump',
    group: 'Held call',
    title: 'Jump to the held call',
    keys: ['j'],
    shown: 'J',
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
    shown: 'N',
    unavailable: onWaiters,
    run: (context) => walkWaiters(context, 1),
  },
  {
    id: 'pause.previous',
    group: 'Held call',
    title: 'Previous held call',
    keys: ['p'],
    shown: 'P',
    unavailable: onWaiters,
    run: (context) => walkWaiters(context, -1),
  },
  {
    id: 'run.breakpoint',
    group: 'Run',
    title: 'Breakpoint before the selected step, on or off',
    keys: ['b'],
    shown: 'B',
    unavailable: onSelection,
    run(context) {
      const selected = selectedInstance(context)
      if (selected === undefined) return
      const wanted = beforeNode(selected)
      const set = findBreakpoint(context.store.getState().breakpoints, wanted)
      if (set === undefined) context.actions.setBreakpoint(wanted)
      else context.actions.clearBreakpoint(set)
    },
  },
  {
    id: 'run.next-instance',
    group: 'Run',
    title: 'Same node, next time it ran',
    keys: ['Alt+ArrowDown'],
    shown: '⌥↓',
    unavailable: onSelection,
    run: (context) => walkInstances(context, 1),
  },
  {
    id: 'run.previous-instance',
    group: 'Run',
    title: 'Same node, previous time it ran',
    keys: ['Alt+ArrowUp'],
    shown: '⌥↑',
    unavailable: onSelection,
    run: (context) => walkInstances(context, -1),
  },
  {
    id: 'run.copy-link',
    group: 'Run',
    title: 'Copy a link to this view',
    keys: ['y'],
    shown: 'Y',
    unavailable: always,
    run: ({ workbench }) => copy(window.location.href, workbench, 'Link copied'),
  },
  {
    id: 'run.copy-value',
    group: 'Run',
    title: 'Copy the selected step’s output, or its input',
    keys: ['Shift+Y'],
    shown: '⇧Y',
    unavailable: onSelection,
    run(context) {
      const selected = selectedInstance(context)
      if (selected === undefined) return
      const value = selected.output === undefined ? selected.input : selected.output
      copy(typeof value === 'string' ? value : prettyJson(value), context.workbench, 'Value copied')
    },
  },
  {
    id: 'view.fit',
    group: 'View',
    title: 'Fit the graph',
    keys: ['f'],
    shown: 'F',
    unavailable: onGraph,
    run: ({ workbench }) => workbench.getState().graph?.fit(),
  },
  {
    id: 'view.frame',
    group: 'View',
    title: 'Frame the selected node',
    keys: ['Shift+F'],
    shown: '⇧F',
    unavailable: onGraph,
    run: ({ workbench }) => workbench.getState().graph?.frameSelection(),
  },
  {
    id: 'view.zoom-in',
    group: 'View',
    title: 'Zoom in',
    keys: ['+', '='],
    shown: '+',
    unavailable: onGraph,
    run: ({ workbench }) => workbench.getState().graph?.zoomIn(),
  },
  {
    id: 'view.zoom-out',
    group: 'View',
    title: 'Zoom out',
    keys: ['-'],
    shown: '−',
    unavailable: onGraph,
    run: ({ workbench }) => workbench.getState().graph?.zoomOut(),
  },
  {
    id: 'view.outline',
    group: 'View',
    title: 'Outline on or off',
    keys: ['l'],
    shown: 'L',
    unavailable: onRun,
    run: ({ workbench }) => togglePanel(workbench, 'outline'),
  },
  {
    id: 'view.inspector',
    group: 'View',
    title: 'Inspector on or off',
    keys: ['o'],
    shown: 'O',
    unavailable: onRun,
    run: ({ workbench }) => togglePanel(workbench, 'inspector'),
  },
  {
    id: 'view.theme',
    group: 'View',
    title: 'Light or dark',
    keys: ['t'],
    shown: 'T',
    unavailable: always,
    run: ({ workbench }) => toggleTheme(workbench),
  },
  {
    id: 'view.help',
    group: 'View',
    title: 'All keys',
    keys: ['?'],
    shown: '?',
    unavailable: always,
    run: ({ workbench }) => workbench.setState({ help: true }),
  },
  {
    id: 'view.back',
    group: 'View',
    title: 'Back out one level',
    keys: ['Escape'],
    shown: 'Esc',
    unavailable: always,
    run(context) {
      const { editor, help, confirmAbort } = context.workbench.getState()
      // The dialogs close themselves.
      if (help || confirmAbort !== undefined) return
      if (editor !== undefined) context.workbench.setState({ editor: undefined })
      else if (readSelection(context.address.query).instanceId !== undefined) selectInstance(context, undefined)
    },
  },
  {
    id: 'go.runs',
    group: 'Go',
    title: 'Go to the runs',
    keys: ['g r'],
    shown: 'G then R',
    unavailable: always,
    run: ({ navigate }) => navigate('/'),
  },
  {
    id: 'go.breakpoints',
    group: 'Go',
    title: 'Go to the breakpoints',
    keys: ['g b'],
    shown: 'G then B',
    unavailable: always,
    run: ({ navigate }) => navigate('/breakpoints'),
  },
]

function copy(text: string, workbench: Viewer['workbench'], done: string): void {
  navigator.clipboard.writeText(text).then(
    () => workbench.setState({ announcement: done }),
    (error: unknown) => workbench.setState({ announcement: `Not copied: ${error instanceof Error ? error.message : String(error)}` }),
  )
}

/** The keys of a command as shown in tooltips: the first way to press it. */
export function keyOf(id: string): string {
  const shown = COMMANDS.find((command) => command.id === id)?.shown ?? ''
  return shown.split(' or ')[0] ?? shown
}
