import { toggleBreakpoint, toggleMute } from './commands/breakpoints.ts'
import type { Command, CommandContext } from './commands/command.ts'
import { COMPARE_COMMANDS, closePair } from './commands/compare.ts'
import { EXPORT_COMMANDS } from './commands/export.ts'
import { GO_COMMANDS } from './commands/go.ts'
import { HELD_CALL_COMMANDS } from './commands/held-call.ts'
import {
  copy,
  linkTo,
  openAlone,
  selectedInstance,
  selectInstance,
  show,
  showView,
  stepReplay,
  toggleLook,
  viewOf,
  walkInstances,
} from './commands/run-view.ts'
import { compareChosen, pairProblem, RUNS_COMMANDS } from './commands/runs.ts'
import { RUN_PANELS, type RunView, readSelection } from './model/address.ts'
import { prettyJson } from './model/values.ts'
import { togglePanel, toggleTheme } from './ui/workbench.ts'

const always = () => undefined
const isOnRuns = ({ workbench }: CommandContext) => workbench.getState().runsScreen !== undefined
const onRun = ({ store }: CommandContext) => (store.getState().run === undefined ? 'Open a run first.' : undefined)
const onWholeRun = (context: CommandContext) =>
  readSelection(context.address.query).panel === undefined ? onRun(context) : 'One panel is shown alone. Show the whole run first.'
const onSelection = (context: CommandContext) => (selectedInstance(context) === undefined ? 'Select a step first.' : undefined)
const onView = (context: CommandContext) => (viewOf(context) === undefined ? 'No run is shown.' : undefined)
const onTimeline = ({ workbench }: CommandContext) => (workbench.getState().timeline === undefined ? 'Show the timeline first.' : undefined)

function lookCommand(part: Parameters<typeof toggleLook>[1], title: string, keys: readonly string[]): Command {
  return { id: `view.${part}`, group: 'View', title, keys, unavailable: onRun, run: (context) => toggleLook(context, part) }
}

const VIEW_TITLES: Record<RunView, string> = { graph: 'Graph', timeline: 'Timeline', both: 'Graph and timeline' }

/** Every command once: keys, tooltips and the help sheet are made from this table. */
export const COMMANDS: readonly Command[] = [
  ...HELD_CALL_COMMANDS,
  {
    id: 'run.breakpoint',
    group: 'Run',
    title: 'Breakpoint before the selected step, on or off',
    keys: ['b'],
    unavailable: onSelection,
    run(context) {
      const selected = selectedInstance(context)
      if (selected !== undefined) toggleBreakpoint(context, selected)
    },
  },
  {
    id: 'run.mute',
    group: 'Run',
    title: 'Mute all breakpoints, or switch the muted ones on',
    keys: ['Shift+B'],
    unavailable: ({ store }) => (store.getState().breakpoints.length === 0 ? 'No breakpoint is set.' : undefined),
    run: toggleMute,
  },
  {
    id: 'run.next-instance',
    group: 'Run',
    title: 'Same node, next time it ran',
    keys: ['Alt+ArrowDown'],
    unavailable: onSelection,
    run: (context) => walkInstances(context, 1),
  },
  {
    id: 'run.previous-instance',
    group: 'Run',
    title: 'Same node, previous time it ran',
    keys: ['Alt+ArrowUp'],
    unavailable: onSelection,
    run: (context) => walkInstances(context, -1),
  },
  {
    id: 'run.copy-link',
    group: 'Run',
    title: 'Copy a link to this view',
    keys: ['y'],
    unavailable: always,
    run: (context) => copy(linkTo(context), context.workbench, 'Link copied'),
  },
  {
    id: 'run.copy-value',
    group: 'Run',
    title: 'Copy the selected step’s output, or its input',
    keys: ['Shift+Y'],
    unavailable: onSelection,
    run(context) {
      const selected = selectedInstance(context)
      if (selected === undefined) return
      const value = selected.output === undefined ? selected.input : selected.output
      copy(typeof value === 'string' ? value : prettyJson(value), context.workbench, 'Value copied')
    },
  },
  ...EXPORT_COMMANDS,
  {
    id: 'run.compare',
    group: 'Compare',
    title: 'Compare with another run, or the two selected ones of the list',
    keys: ['v'],
    unavailable: (context) => (isOnRuns(context) ? pairProblem(context) : onRun(context)),
    run(context) {
      const { store, workbench } = context
      const run = store.getState().run
      if (isOnRuns(context)) compareChosen(context)
      else if (run !== undefined) workbench.setState({ palette: { compareWith: run.runId } })
    },
  },
  ...COMPARE_COMMANDS,
  {
    id: 'view.fit',
    group: 'View',
    title: 'Fit the graph, or the whole run in the timeline',
    keys: ['f'],
    unavailable: onView,
    run: (context) => viewOf(context)?.fit(),
  },
  {
    id: 'view.frame',
    group: 'View',
    title: 'Frame the selected step',
    keys: ['Shift+F'],
    unavailable: onView,
    run: (context) => viewOf(context)?.frameSelection(),
  },
  {
    id: 'view.zoom-in',
    group: 'View',
    title: 'Zoom in',
    keys: ['+', '='],
    unavailable: onView,
    run: (context) => viewOf(context)?.zoomIn(),
  },
  {
    id: 'view.zoom-out',
    group: 'View',
    title: 'Zoom out',
    keys: ['-'],
    unavailable: onView,
    run: (context) => viewOf(context)?.zoomOut(),
  },
  {
    id: 'view.pan-left',
    group: 'View',
    title: 'Timeline: earlier',
    keys: ['Shift+ArrowLeft'],
    unavailable: onTimeline,
    run: ({ workbench }) => workbench.getState().timeline?.pan(-0.25),
  },
  {
    id: 'view.pan-right',
    group: 'View',
    title: 'Timeline: later',
    keys: ['Shift+ArrowRight'],
    unavailable: onTimeline,
    run: ({ workbench }) => workbench.getState().timeline?.pan(0.25),
  },
  {
    id: 'view.find',
    group: 'View',
    title: 'Filter the runs, or find a step in the timeline',
    keys: ['/'],
    unavailable: (context) => (isOnRuns(context) ? undefined : onRun(context)),
    run(context) {
      const { timeline, runsScreen } = context.workbench.getState()
      if (runsScreen !== undefined) runsScreen.find()
      else if (timeline === undefined) showView(context, 'both')
      else timeline.find()
    },
  },
  ...(['graph', 'timeline', 'both'] as const).map(
    (view, at): Command => ({
      id: `view.${view}`,
      group: 'View',
      title: VIEW_TITLES[view],
      keys: [String(at + 1)],
      unavailable: onRun,
      run: (context) => showView(context, view),
    }),
  ),
  {
    id: 'replay.back',
    group: 'Run',
    title: 'Replay: one event back',
    keys: [','],
    unavailable: onRun,
    run: (context) => stepReplay(context, -1),
  },
  {
    id: 'replay.on',
    group: 'Run',
    title: 'Replay: one event on',
    keys: ['.'],
    unavailable: ({ store }) => (store.getState().run?.asOf === undefined ? 'This is now.' : undefined),
    run: (context) => stepReplay(context, 1),
  },
  ...RUNS_COMMANDS,
  lookCommand('errors', 'Error path in the graph', ['x']),
  lookCommand('order', 'Order of calls in the graph', ['a']),
  lookCommand('paths', 'Graph by call path, or one box per node', ['w']),
  lookCommand('reached', 'Hide what was not reached in the graph', ['h']),
  lookCommand('list', 'Graph as a list, or as a graph', ['Shift+L']),
  {
    id: 'view.palette',
    group: 'View',
    title: 'Find a command, run, node or step',
    keys: ['Mod+k'],
    unavailable: always,
    run: ({ workbench }) => workbench.setState({ palette: true }),
  },
  {
    id: 'view.outline',
    group: 'View',
    title: 'Outline on or off',
    keys: ['l'],
    unavailable: onWholeRun,
    run: ({ workbench }) => togglePanel(workbench, 'outline'),
  },
  {
    id: 'view.inspector',
    group: 'View',
    title: 'Inspector on or off',
    keys: ['o'],
    unavailable: onWholeRun,
    run: ({ workbench }) => togglePanel(workbench, 'inspector'),
  },
  ...RUN_PANELS.map(
    (panel): Command => ({
      id: `view.alone-${panel}`,
      group: 'View',
      title: `Open the ${panel} in a tab of its own`,
      keys: [],
      unavailable: (context) => (context.recorded === undefined ? onRun(context) : 'A recorded run is one page.'),
      run: (context) => openAlone(context, panel),
    }),
  ),
  {
    id: 'view.theme',
    group: 'View',
    title: 'Light or dark',
    keys: ['t'],
    unavailable: always,
    run: ({ workbench }) => toggleTheme(workbench),
  },
  {
    id: 'view.help',
    group: 'View',
    title: 'All keys',
    keys: ['?'],
    unavailable: always,
    run: ({ workbench }) => workbench.setState({ help: true }),
  },
  {
    id: 'view.back',
    group: 'View',
    title: 'Back out one level',
    keys: ['Escape'],
    unavailable: always,
    run(context) {
      const { editor, help, palette, confirmAbort } = context.workbench.getState()
      // The dialogs close themselves.
      if (help || palette !== false || confirmAbort !== undefined || closePair(context)) return
      const { instanceId, asOf } = readSelection(context.address.query)
      if (isOnRuns(context)) context.workbench.getState().runsScreen?.runs?.selectNone()
      else if (editor !== undefined) context.workbench.setState({ editor: undefined })
      else if (asOf !== undefined) show(context, { asOf: undefined })
      else if (instanceId !== undefined) selectInstance(context, undefined)
    },
  },
  ...GO_COMMANDS,
]
