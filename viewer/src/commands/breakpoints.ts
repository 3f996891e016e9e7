import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { beforeNode, findBreakpoint, isMuted, muted, unmuted } from '../model/breakpoints.ts'
import type { Viewer } from '../ui/viewer-context.tsx'

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

/** Sets a breakpoint before a node, or takes the one there away. */
export function toggleBreakpoint(viewer: Viewer, node: Parameters<typeof beforeNode>[0]): void {
  toggleMatcher(viewer, beforeNode(node))
}

/** Sets this breakpoint, or takes it away when it is set. */
export function toggleMatcher({ store, actions }: Viewer, wanted: BreakpointMatcher): void {
  const set = findBreakpoint(store.getState().breakpoints, wanted)
  if (set === undefined) actions.setBreakpoint(wanted)
  else actions.clearBreakpoint(set)
}
