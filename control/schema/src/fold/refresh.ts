import { groupOf, reachedBy, resolve } from './aliases.ts'
import type { FoldContext } from './change.ts'
import { deriveInstance, type ParentLink } from './derive-instance.ts'
import { derivePause } from './derive-pause.ts'
import type { InstancePicture } from './picture.ts'
import { type FoldState, type InstanceFacts, nodeState, type PauseFacts } from './state.ts'

/** Derives the picture of one id anew, or takes it out when it is not shown (not started, or an alias of another). */
export function refreshInstance(context: FoldContext, id: string): void {
  const { run, state } = context
  const facts = state.facts.get(id)
  const before = run.instances.get(id)
  const after = facts === undefined ? undefined : pictureOf(state, facts)
  if (after === undefined) {
    if (before === undefined) return
    run.instances.delete(id)
  } else run.instances.set(id, after)
  context.changed.instances.add(id)
  const moved = before?.nodeId !== after?.nodeId
  if (moved && before !== undefined) leaveNode(context, before)
  if (after !== undefined) {
    if (moved) enterNode(context, after)
    else if (before !== undefined) changeInNode(state, before, after)
  }
  const linked = before?.parentInstanceId !== after?.parentInstanceId || before?.parentId !== after?.parentId
  if (linked || before === undefined || after === undefined) context.changed.places = true
  if (moved || linked) refreshEdge(context, id)
  if (before === undefined && facts !== undefined && isNamedByNobody(facts)) state.treeNews.arrived.push(id)
  else if (moved || linked || !isSameStart(before, after)) state.treeNews.stale = true
  if (moved && facts !== undefined) for (const child of childrenOfGroup(state, facts)) if (child !== id) refreshEdge(context, child)
}

function isSameStart(before: InstancePicture | undefined, after: InstancePicture | undefined): boolean {
  return before?.startedAt === after?.startedAt && before?.startNanos === after?.startNanos && before?.firstSeq === after?.firstSeq
}

function isNamedByNobody({ children, aliasedBy }: InstanceFacts): boolean {
  return children === undefined && aliasedBy === undefined
}

function pictureOf(state: FoldState, facts: InstanceFacts): InstancePicture | undefined {
  if (facts.start === undefined || resolve(state, facts.id) !== facts.id) return undefined
  const group = groupOf(state, facts)
  return deriveInstance(facts, facts.start, group, pausesOf(state, group), parentOf(state, facts))
}

function leaveNode(context: FoldContext, instance: InstancePicture): void {
  const node = nodeState(context.state, instance.nodeId)
  node.shown.delete(instance.id)
  node.tally = undefined
  node.picture = undefined
  if (node.shown.size === 0) context.changed.shape = true
}

function enterNode(context: FoldContext, instance: InstancePicture): void {
  const node = nodeState(context.state, instance.nodeId)
  if (node.shown.size === 0) context.changed.shape = true
  node.shown.add(instance.id)
  node.recent.push(instance.id)
  node.latest = instance.id
  if (node.tally?.add(instance) === false) node.tally = undefined
  node.picture = undefined
}

function changeInNode(state: FoldState, before: InstancePicture, after: InstancePicture): void {
  const node = nodeState(state, after.nodeId)
  if (node.tally?.replace(before, after) === false) node.tally = undefined
  node.picture = undefined
}

const NO_IDS: ReadonlySet<string> = new Set()

/** The instances that name this one, or an alias of it, as their parent. */
function childrenOfGroup(state: FoldState, facts: InstanceFacts): ReadonlySet<string> {
  if (facts.children === undefined && facts.aliasedBy === undefined) return NO_IDS
  const children = new Set<string>()
  for (const member of reachedBy(state, facts.id))
    for (const child of state.facts.get(member)?.children ?? []) children.add(resolve(state, child))
  return children
}

/**
 * The parent of a shown instance. A parent that is an alias of the instance itself (a wrapper that was folded into its child) hands
 * on to that one's own parent, so that nothing becomes its own child.
 */
function parentOf(state: FoldState, root: InstanceFacts): ParentLink {
  const seen = new Set<string>()
  for (let facts: InstanceFacts | undefined = root; facts?.start !== undefined && !seen.has(facts.id); ) {
    const sent = facts.start.payload.parentInstanceId ?? undefined
    const parentId = facts.start.payload.parentId ?? undefined
    const parentInstanceId = sent === undefined ? undefined : resolve(state, sent)
    if (sent === undefined || parentInstanceId !== root.id) return { parentId, parentInstanceId }
    seen.add(facts.id)
    facts = state.facts.get(sent)
  }
  return { parentId: undefined, parentInstanceId: undefined }
}

/** Counts the instance's link from its parent's node to its own node, and drops the link it had before. */
function refreshEdge(context: FoldContext, id: string): void {
  const { run, state, changed } = context
  const instance = run.instances.get(id)
  const parent = instance?.parentInstanceId === undefined ? undefined : run.instances.get(instance.parentInstanceId)
  const from = parent?.nodeId ?? instance?.parentId
  const before = state.edgeOf.get(id)
  if (before !== undefined && before.from === from && before.to === instance?.nodeId) return
  if (before !== undefined) {
    state.edgeOf.delete(id)
    before.count -= 1
    if (before.count === 0) {
      state.edges.get(before.from)?.delete(before.to)
      changed.shape = true
    }
  }
  if (from === undefined || instance === undefined) return
  const outgoing = state.edges.get(from) ?? new Map()
  state.edges.set(from, outgoing)
  const edge = outgoing.get(instance.nodeId) ?? { from, to: instance.nodeId, count: 0 }
  outgoing.set(instance.nodeId, edge)
  state.edgeOf.set(id, edge)
  edge.count += 1
  if (edge.count === 1) changed.shape = true
}

const NO_PAUSES: readonly PauseFacts[] = []

/** The pauses of a group, oldest first. */
function pausesOf(state: FoldState, group: readonly InstanceFacts[]): readonly PauseFacts[] {
  const ids = group.length === 1 ? (group[0]?.pauseIds ?? []) : group.flatMap((facts) => facts.pauseIds)
  if (ids.length === 0) return NO_PAUSES
  const pauses = ids.flatMap((id) => state.pauses.get(id) ?? [])
  return pauses.sort((one, other) => first(one).ts - first(other).ts || first(one).seq - first(other).seq)
}

const NEVER = { ts: 0, seq: 0 }
const first = (pause: PauseFacts): { readonly ts: number; readonly seq: number } => pause.held ?? pause.released ?? NEVER

/** Derives the picture of one pause anew; without its exec.paused there is nothing to show yet. */
export function refreshPause(context: FoldContext, pause: PauseFacts): void {
  if (pause.held === undefined) return
  const instanceId = pause.owner === undefined ? undefined : resolve(context.state, pause.owner)
  context.run.pauses.set(pause.id, derivePause(pause.held, pause, instanceId))
  context.changed.pauses.add(pause.id)
}
