import { type RunPanel, type RunView, readSelection, runAddress, type Selection } from '../model/address.ts'
import type { GraphLook } from '../model/graph-look.ts'
import { nextMoment } from '../model/moments.ts'
import { nodeOf } from '../model/rows.ts'
import type { Viewer } from '../ui/viewer-context.tsx'
import { rememberLook, rememberView, shownLook } from '../ui/workbench.ts'
import type { CommandContext } from './command.ts'

export function selectInstance(context: CommandContext, instanceId: string | undefined): void {
  show(context, { instanceId, tab: undefined })
}

/** Changes what the address of the run says, and leaves the rest as it is. */
export function show(context: CommandContext, change: Partial<Selection>): void {
  const run = context.store.getState().run
  if (run === undefined) return
  context.navigate(runAddress(run.runId, { ...readSelection(context.address.query), ...change }), { replace: true })
}

export function showView(context: CommandContext, view: RunView): void {
  rememberView(view)
  show(context, { view, panel: undefined })
}

/** Opens one panel of the run in a tab of its own, with what is selected and shown now. */
export function openAlone({ store, address }: CommandContext, panel: RunPanel): void {
  const run = store.getState().run
  if (run === undefined) return
  window.open(runAddress(run.runId, { ...readSelection(address.query), panel }), '_blank', 'noopener')
}

/** One event back or on, as told by the slider of the replay. */
export function stepReplay(context: CommandContext, step: 1 | -1): void {
  const run = context.store.getState().run
  if (run === undefined) return
  const next = nextMoment(run.events, run.asOf?.seq, step)
  show(context, { asOf: next })
}

/** The part that keys for zoom and fit go to. */
export function viewOf({ workbench }: CommandContext) {
  const { graph, timeline } = workbench.getState()
  return timeline !== undefined && (graph === undefined || timeline.active()) ? timeline : graph
}

export function selectedInstance(context: CommandContext) {
  const { instanceId } = readSelection(context.address.query)
  return instanceId === undefined ? undefined : context.store.getState().run?.picture.instances.get(instanceId)
}

/** Selects the same node's next instance, or the one before. */
export function walkInstances(context: CommandContext, step: 1 | -1): void {
  const selected = selectedInstance(context)
  const run = context.store.getState().run
  if (selected === undefined || run === undefined) return
  const ids = nodeOf(run.picture, selected.nodeId)?.instanceIds ?? []
  const next = ids[ids.indexOf(selected.id) + step]
  if (next !== undefined) selectInstance(context, next)
}

/** Switches one part of how the graph is shown on or off. */
export function toggleLook(context: CommandContext, part: Exclude<keyof GraphLook, 'direction'>): void {
  const run = context.store.getState().run
  if (run === undefined) return
  const { look } = readSelection(context.address.query)
  const change = { [part]: !shownLook(look, run.picture)[part] }
  rememberLook(change)
  show(context, { look: { ...look, ...change } })
}

/** A link to what is shown now; the browser's bar may still be a moment behind. A recorded page is a file and has no other address. */
export function linkTo({ address: { path, query }, recorded }: Pick<CommandContext, 'address' | 'recorded'>): string {
  if (recorded !== undefined) return window.location.href
  return window.location.origin + path + (query === '' ? '' : `?${query}`)
}

export function copy(text: string, workbench: Viewer['workbench'], done: string): void {
  navigator.clipboard.writeText(text).then(
    () => workbench.setState({ announcement: done }),
    (error: unknown) => workbench.setState({ announcement: `Not copied: ${error instanceof Error ? error.message : String(error)}` }),
  )
}
