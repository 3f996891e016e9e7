import type { PausePicture } from '@graphmind-ai/schema'
import { type RunView, readSelection, runAddress, type Selection } from './model/address.ts'
import { beforeNode, findBreakpoint, isMuted, muted, unmuted } from './model/breakpoints.ts'
import type { GraphLook } from './model/graph-look.ts'
import { nextMoment } from './model/moments.ts'
import { offers, type PauseAction, waiters } from './model/pauses.ts'
import { nodeOf } from './model/rows.ts'
import { prettyJson } from './model/values.ts'
import type { Viewer } from './ui/viewer-context.tsx'
import { rememberLook, rememberView, shownLook, togglePanel, toggleTheme } from './ui/workbench.ts'

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
  // In the past nothing can be let go.
  if (run === undefined || run.asOf !== undefined) return undefined
  const waiting = waiters(run.picture)
  return waiting.find((pause) => pause.pauseId === workbench.getState().waiterId) ?? waiting[0]
}

function offerOf(context: Viewer, action: PauseAction): string | undefined {
  const pause = currentWaiter(context)
  if (context.store.getState().run?.asOf !== undefined) return 'This is the past. Esc returns to now.'
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

/** Switches every breakpoint off, or those that were muted on again, for every viewer. */
export function toggleMute({ store, actions }: Viewer): void {
  const { breakpoints } = store.getState()
  const silenced = breakpoints.filter(isMuted)
  const [from, change] = silenced.length > 0 ? [silenced, unmuted] : [breakpoints.filter(({ enabled }) => enabled !== false), muted]
  for (const matcher of from) {
    actions.clearBreakpoint(matcher)
    actions.setBreakpoint(change(matcher))
  }
}

function selectInstance(context: CommandContext, instanceId: string | undefined): void {
  show(context, { instanceId, tab: undefined })
}

/** Changes what the address of the run says, and leaves the rest as it is. */
function show(context: CommandContext, change: Partial<Selection>): void {
  const run = context.store.getState().run
  if (run === undefined) return
  context.navigate(runAddress(run.runId, { ...readSelection(context.address.query), ...change }), { replace: true })
}

function showView(context: CommandContext, view: RunView): void {
  rememberView(view)
  show(context, { view })
}

/** One event back or on, as told by the slider of the replay. */
function stepReplay(context: CommandContext, step: 1 | -1): void {
  const run = context.store.getState().run
  if (run === undefined) return
  const next = nextMoment(run.events, run.asOf?.seq, step)
  show(context, { asOf: next })
}

/** The part that keys for zoom and fit go to. */
function viewOf({ workbench }: CommandContext) {
  const { graph, timeline } = workbench.getState()
  return timeline !== undefined && (graph === undefined || timeline.active()) ? timeline : graph
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
const onView = (context: CommandContext) => (viewOf(context) === undefined ? 'No run is shown.' : undefined)
const onTimeline = ({ workbench }: CommandContext) => (workbench.getState().timeline === undefined ? 'Show the timeline first.' : undefined)
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

/** Switches one part of how the graph is shown on or off. */
function lookCommand(part: Exclude<keyof GraphLook, 'direction'>, title: string, keys: readonly string[], shown: string): Command {
  return {
    id: `view.${part}`,
    group: 'View',
    title,
    keys,
    shown,
    unavailable: onRun,
    run(context) {
      const run = context.store.getState().run
      if (run === undefined) return
      const { look } = readSelection(context.address.query)
      const change = { [part]: !shownLook(look, run.picture)[part] }
      rememberLook(change)
      show(context, { look: { ...look, ...change } })
    },
  }
}

const VIEW_TITLES: Record<RunView, string> = { graph: 'Graph', timeline: 'Timeline', both: 'Graph and timeline' }

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
    id: 'run.mute',
    group: 'Run',
    title: 'Mute all breakpoints, or switch the muted ones on',
    keys: ['Shift+B'],
    shown: '⇧B',
    unavailable: ({ store }) => (store.getState().breakpoints.length === 0 ? 'No breakpoint is set.' : undefined),
    run: toggleMute,
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
    title: 'Fit the graph, or the whole run in the timeline',
    keys: ['f'],
    shown: 'F',
    unavailable: onView,
    run: (context) => viewOf(context)?.fit(),
  },
  {
    id: 'view.frame',
    group: 'View',
    title: 'Frame the selected step',
    keys: ['Shift+F'],
    shown: '⇧F',
    unavailable: onView,
    run: (context) => viewOf(context)?.frameSelection(),
  },
  {
    id: 'view.zoom-in',
    group: 'View',
    title: 'Zoom in',
    keys: ['+', '='],
    shown: '+',
    unavailable: onView,
    run: (context) => viewOf(context)?.zoomIn(),
  },
  {
    id: 'view.zoom-out',
    group: 'View',
    title: 'Zoom out',
    keys: ['-'],
    shown: '−',
    unavailable: onView,
    run: (context) => viewOf(context)?.zoomOut(),
  },
  {
    id: 'view.pan-left',
    group: 'View',
    title: 'Timeline: earlier',
    keys: ['Shift+ArrowLeft'],
    shown: '⇧←',
    unavailable: onTimeline,
    run: ({ workbench }) => workbench.getState().timeline?.pan(-0.25),
  },
  {
    id: 'view.pan-right',
    group: 'View',
    title: 'Timeline: later',
    keys: ['Shift+ArrowRight'],
    shown: '⇧→',
    unavailable: onTimeline,
    run: ({ workbench }) => workbench.getState().timeline?.pan(0.25),
  },
  {
    id: 'view.find',
    group: 'View',
    title: 'Find a step in the timeline',
    keys: ['/'],
    shown: '/',
    unavailable: onRun,
    run(context) {
      const { timeline } = context.workbench.getState()
      if (timeline === undefined) showView(context, 'both')
      else timeline.find()
    },
  },
  ...(['graph', 'timeline', 'both'] as const).map(
    (view, at): Command => ({
      id: `view.${view}`,
      group: 'View',
      title: VIEW_TITLES[view],
      keys: [String(at + 1)],
      shown: String(at + 1),
      unavailable: onRun,
      run: (context) => showView(context, view),
    }),
  ),
  {
    id: 'replay.back',
    group: 'Run',
    title: 'Replay: one event back',
    keys: [','],
    shown: ',',
    unavailable: onRun,
    run: (context) => stepReplay(context, -1),
  },
  {
    id: 'replay.on',
    group: 'Run',
    title: 'Replay: one event on',
    keys: ['.'],
    shown: '.',
    unavailable: ({ store }) => (store.getState().run?.asOf === undefined ? 'This is now.' : undefined),
    run: (context) => stepReplay(context, 1),
  },
  lookCommand('errors', 'Error path in the graph', ['x'], 'X'),
  lookCommand('order', 'Order of calls in the graph', ['a'], 'A'),
  lookCommand('paths', 'Graph by call path, or one box per node', ['w'], 'W'),
  lookCommand('reached', 'Hide what was not reached in the graph', ['h'], 'H'),
  lookCommand('list', 'Graph as a list, or as a graph', ['Shift+L'], '⇧L'),
  {
    id: 'view.palette',
    group: 'View',
    title: 'Find a command, run, node or step',
    keys: ['Mod+k'],
    shown: 'Ctrl K or ⌘K',
    unavailable: always,
    run: ({ workbench }) => workbench.setState({ palette: true }),
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
      const { editor, help, palette, confirmAbort } = context.workbench.getState()
      // The dialogs close themselves.
      if (help || palette || confirmAbort !== undefined) return
      const { instanceId, asOf } = readSelection(context.address.query)
      if (editor !== undefined) context.workbench.setState({ editor: undefined })
      else if (asOf !== undefined) show(context, { asOf: undefined })
      else if (instanceId !== undefined) selectInstance(context, undefined)
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
